import { must } from '../../../src/base/assert.ts';
import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import { tickOf } from '../../../src/base/tick.ts';
import { type IstDay, SECOND_MS } from '../../../src/base/time.ts';
import { expiriesOn, nearestPair, type Pair, pairsOf } from '../chains.ts';
import { idOf, middle, type Subject } from '../subject.ts';
import { bothCharges, type Played, touch } from './trading.ts';

const WATCHED = 12;
/** Strikes at most this number of paise from the index are played. */
const NEAR = 800;
/**
 * A call that moves by more than this share of the index's move is taken to end in the money, by less than the other
 * share to end out of it.
 */
const [SURE_IN, SURE_OUT] = [0.8, 0.2] as const;

/**
 * Strategy G: in the minute in which the settlement price is made, the share of the index's move that an option follows
 * shows how it ends.
 */
export function expiryMinute(subject: Subject, days: readonly IstDay[]): Played {
  const nets: number[] = [];
  let [right, rightByPlace] = [0, 0];
  for (const on of days) {
    const nifty = idOf(subject, 'NSE', 'NIFTY');
    const pairs = pairsOf(subject, nifty, on, on);
    const end = (must(pairs[0], 'a strike').call.expiresAt / SECOND_MS) as Tick;
    const start = subject.regime === 'always' ? ((end - 60) as Tick) : tickOf(on, 55_680);
    const settled = subject.market.settlementPrice(nifty, end);
    const index = proxyOf(subject, nifty, on);
    const spot = index(start);
    for (const pair of pairs.filter(({ strike }) => Math.abs(strike - spot) < NEAR)) {
      const beta = betaOf(subject, pair, index, start);
      if (beta <= SURE_IN && beta >= SURE_OUT) continue;
      const net = held(subject, pair, { up: beta > SURE_IN, tick: (start + WATCHED + 1) as Tick, settled });
      if (net === undefined) continue;
      nets.push(net);
      const ended = settled > pair.strike;
      if (ended === beta > SURE_IN) right += 1;
      if (ended === index((start + WATCHED) as Tick) > pair.strike) rightByPlace += 1;
    }
  }
  return {
    trades: { 'G expiry minute': nets },
    notes: [`G: ${right} of ${nets.length} strikes ended as foretold, ${rightByPlace} where the index stood`],
  };
}

/**
 * The index as the next expiry's options price it: the index itself stands still while closing auctions gather orders.
 */
function proxyOf(subject: Subject, nifty: InstrumentId, on: IstDay): (tick: Tick) => number {
  const next = must(expiriesOn(subject, nifty, on)[1], 'the next expiry');
  const noon = tickOf(on, 54_000);
  const spot = subject.market.lastPrint(nifty, noon).price;
  const { strike, call, put } = nearestPair(pairsOf(subject, nifty, next, on), spot);
  const forward = (tick: Tick) => strike + middle(subject, call.id, tick) - middle(subject, put.id, tick);
  const carry = forward(noon) - spot;
  return (tick) => forward(tick) - carry;
}

/** The call's move over the index's move in the seconds that were watched. */
function betaOf(subject: Subject, { call }: Pair, index: (tick: Tick) => number, start: Tick): number {
  let [both, squares] = [0, 0];
  for (let second = 1; second <= WATCHED; second += 1) {
    const [before, now] = [(start + second - 1) as Tick, (start + second) as Tick];
    const move = index(now) - index(before);
    both += move * (middle(subject, call.id, now) - middle(subject, call.id, before));
    squares += move * move;
  }
  return both / squares;
}

/** The net of the option that ends in the money, bought at the touch and held to its settlement. */
function held(
  subject: Subject,
  { strike, call, put }: Pair,
  { up, tick, settled }: { up: boolean; tick: Tick; settled: number },
): number | undefined {
  const option = up ? call : put;
  const now = touch(subject, option, tick);
  if (!now) return undefined;
  const worth = Math.max(0, up ? settled - strike : strike - settled);
  return (worth - now.ask) / 100 - bothCharges(subject, option, tick, [now.ask, worth]);
}
