import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import type { Exchange, Tick } from '../../../base/ids.ts';
import { tickOf } from '../../../base/tick.ts';
import { type IstDay, istInstant } from '../../../base/time.ts';
import { civil } from '../fixture.ts';
import { LISTED, listedMarket } from '../listed-fixture.ts';
import type { SyntheticMarket } from '../synthetic-market.ts';

const UNDERLYINGS: readonly (readonly [Exchange, string])[] = [
  ['NFO', 'NIFTY'],
  ['BFO', 'SENSEX'],
  ['NFO', 'BANKNIFTY'],
  ['NFO', 'RELIANCE'],
  ['NFO', 'IDEA'],
  ['NFO', 'LODHA'],
  ['NFO', 'PAYTM'],
  ['BFO', 'HDFCAMC'],
];
const DAYS_BEFORE = [0, 1, 2, 5, 13, 33, 60];
const LAST = civil(2026, 11, 23);
const SECONDS = [10 * 3_600, 15 * 3_600 + 1_800];
/** The gain that rounding to whole ticks may leave, in paise. */
const ROUNDING = 1;

/** Bids (0 where nobody bids) and asks by strike. */
interface Ladder {
  readonly strikes: readonly number[];
  readonly bids: readonly number[];
  readonly asks: readonly number[];
}

/** Fails where somebody who pays the spread gains whatever happens: by two strikes, or by three. */
function assertNoFreeGain({ strikes, bids, asks }: Ladder, isCall: boolean, about: string): void {
  const of = (values: readonly number[], i: number) => values[i] as number;
  for (let i = 1; i < strikes.length; i += 1) {
    const [dear, cheap] = isCall ? [i - 1, i] : [i, i - 1];
    const width = of(strikes, i) - of(strikes, i - 1);
    const what = `${about} at ${of(strikes, i - 1)} and ${of(strikes, i)}`;
    assert.ok(of(asks, dear) >= of(bids, cheap), `${what}: ${of(asks, dear)} is less than ${of(bids, cheap)}`);
    assert.ok(of(bids, dear) - of(asks, cheap) <= width + ROUNDING, `${what}: they are more than ${width} apart`);
    if (i + 1 === strikes.length) continue;
    const next = of(strikes, i + 1) - of(strikes, i);
    const wings = (next * of(asks, i - 1) + width * of(asks, i + 1)) / (width + next);
    assert.ok(wings >= of(bids, i) - ROUNDING, `${what}: the wings cost ${wings}, the middle brings ${of(bids, i)}`);
  }
}

for (const regime of ['always', 'exchange'] as const) {
  test(`in ${regime} hours no two or three strikes of a chain bring a gain without risk after the spread`, () => {
    const market = listedMarket(regime);
    let looked = 0;
    for (const [segment, symbol] of UNDERLYINGS) {
      for (const before of DAYS_BEFORE) {
        for (const second of SECONDS) looked += lookAt(market, segment, symbol, (LAST - before) as IstDay, second);
      }
    }
    assert.ok(looked > 3_000, `${looked} options`);
  });
}

/** Looks at the chain of the nearest expiry that is open; returns how many options. */
function lookAt(market: SyntheticMarket, segment: Exchange, symbol: string, day: IstDay, second: number): number {
  const at = istInstant(day, second * 1_000);
  const underlying = must(LISTED.underlyingOf(segment, symbol, at), symbol);
  const tick: Tick = tickOf(day, second);
  const expiry = must(LISTED.expiries(underlying, at)[0], 'an expiry');
  const chain = LISTED.chain(underlying, expiry, at);
  if (!market.isOpen(must(chain[0], 'an option').id, tick)) return 0;
  for (const type of ['CE', 'PE'] as const) {
    const options = chain.filter(({ optionType }) => optionType === type).sort((a, b) => a.strike - b.strike);
    const depths = options.map(({ id }) => market.depth(id, tick));
    const ladder = {
      strikes: options.map(({ strike }) => strike),
      bids: depths.map(({ bids }) => bids[0]?.price ?? 0),
      asks: depths.map(({ asks }) => asks[0]?.price ?? Number.POSITIVE_INFINITY),
    };
    assertNoFreeGain(ladder, type === 'CE', `${symbol} of ${day} ${second} ${type}`);
  }
  return chain.length;
}
