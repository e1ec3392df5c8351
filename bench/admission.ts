import { OrderBook, Side as PeerSide } from 'nodejs-order-book';
import type { AccountId, InstrumentId } from '../src/base/ids.ts';
import { type Paise, type Price, price, type Quantity } from '../src/base/money.ts';
import { Random } from '../src/base/random.ts';
import type { EpochMs } from '../src/base/time.ts';
import type { PlaceOrder } from '../src/core/command.ts';
import type { Instrument } from '../src/core/instrument.ts';
import { emptyState, type State } from '../src/core/state.ts';
import { type Ports, step } from '../src/core/step.ts';
import { type BenchRow, inTurn, median, ratios, spreadOf, timed } from './rows.ts';
import { AT, DAY, option, STILL_MARKET, share } from './still-market.ts';

/*
 * B3: one limit order decided and applied with full admission (numbering, every check of the published order, margin, the book, the
 * blocked margin), beside one `limit` of the package nodejs-order-book. Both rest orders over the same prices; nothing trades.
 */

const ORDERS = 4_000;
const ROUNDS = 15;
/** Rounds of both before the first that counts: a service runs for days, its first orders are not what is measured. */
const WARM_ROUNDS = 15;
const LEVELS = 200;
const SHARE = share(2_885);

interface Bench {
  readonly state: State;
  readonly ports: Ports;
}

/** An account with money and `legs` option positions in one portfolio. */
function prepare(legs: number): Bench {
  const instruments = new Map<InstrumentId, Instrument>([[SHARE.id, SHARE]]);
  for (let token = 50_000; token <= 50_000 + legs; token += 1) instruments.set(option(token).id, option(token));
  const bench: Bench = { state: emptyState(), ports: { instruments, market: STILL_MARKET } };
  run(bench, { type: 'RollDay', day: DAY });
  const user = {
    userId: 'B3',
    name: 'B3',
    email: 'b3@example.com',
    sealedCredentials: '',
    usesTotp: false,
    demo: true,
  };
  run(bench, { type: 'RegisterUser', ...user });
  run(bench, { type: 'DepositCash', account: 0 as AccountId, amount: 1e14 as Paise, opening: true });
  for (let leg = 1; leg <= legs; leg += 1) {
    run(bench, { ...order(option(50_000 + leg).id, 'S', 500_00, 65), product: 'M' });
  }
  return bench;
}

function run({ state, ports }: Bench, command: Parameters<typeof step>[2]['command']): void {
  step(state, ports, { seq: state.seq + 1, at: AT as EpochMs, command });
}

function order(instrument: InstrumentId, side: 'B' | 'S', at: number, units: number): PlaceOrder {
  return {
    type: 'PlaceOrder',
    account: 0 as AccountId,
    instrument,
    side,
    product: 'C',
    terms: { priceType: 'LMT', retention: 'DAY', quantity: units as Quantity, price: at as Price, trigger: price(0) },
    remarks: '',
  };
}

/** Resting buys over the levels below the touch. */
function script(of: InstrumentId, product: 'C' | 'M', units: number): PlaceOrder[] {
  const random = new Random(3);
  return Array.from({ length: ORDERS }, () => ({
    ...order(of, 'B', 999_90 - 5 * random.below(LEVELS), units),
    product,
  }));
}

function ours(bench: Bench, commands: readonly PlaceOrder[]): number {
  const before = bench.state.orders.size;
  const took = timed(() => {
    for (const command of commands) run(bench, command);
  });
  if (bench.state.orders.size !== before + commands.length) throw new Error('orders were lost');
  return (took * 1_000) / commands.length;
}

function peers(commands: readonly PlaceOrder[]): number {
  const book = new OrderBook();
  let number = 0;
  const took = timed(() => {
    for (const { terms } of commands) {
      number += 1;
      book.limit({ side: PeerSide.BUY, id: String(number), size: terms.quantity, price: terms.price });
    }
  });
  return (took * 1_000) / commands.length;
}

function measure(what: string, commands: readonly PlaceOrder[], legs: number, goal: number | undefined): BenchRow {
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    ours(prepare(legs), commands);
    peers(commands);
  }
  const { ours: mine, reference } = inTurn(
    ROUNDS,
    () => ours(prepare(legs), commands),
    () => peers(commands),
  );
  const times = ratios(reference, mine);
  return {
    id: 'B3',
    what,
    ours: `${median(mine).toFixed(2)} µs`,
    reference: `nodejs-order-book limit, ${median(reference).toFixed(2)} µs`,
    ratio: median(times).toFixed(2),
    spread: spreadOf(times),
    goal: goal === undefined ? 'reported' : `at least ${goal} time`,
    reached: goal === undefined || median(times) >= goal,
  };
}

/** B3 of performance.md: microseconds of one order, decided and applied. */
export function admissionRows(): BenchRow[] {
  const traded = option(50_000).id;
  return [
    measure('a delivery buy, decided and applied with full admission', script(SHARE.id, 'C', 1), 0, 1),
    measure('an option buy with 10 open legs in its portfolio', script(traded, 'M', 65), 10, undefined),
    measure('an option buy with 500 open legs in its portfolio', script(traded, 'M', 65), 500, undefined),
  ];
}
