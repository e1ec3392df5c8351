import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstrumentId, Tick } from '../base/ids.ts';
import { type EpochMs, type IstDay, istInstant, istTimeOfDay, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import type { Market } from '../core/market.ts';
import { minuteBars } from './bars.ts';

const DAY = 20_780 as IstDay;
const ID = 5 as InstrumentId;

/** Continuous from 09:15 to 15:15. */
const market = {
  tickAt: (at: EpochMs) => Math.floor(at / SECOND_MS) as Tick,
  isOpen: (_: InstrumentId, tick: Tick) => {
    const time = istTimeOfDay((tick * SECOND_MS) as EpochMs);
    return time >= 555 * MINUTE_MS && time < 915 * MINUTE_MS;
  },
} as Market;

const at = (minute: number): EpochMs => istInstant(DAY, minute * MINUTE_MS);

test('bars count from the open of continuous trading, wherever in the day the first trade is', () => {
  for (const first of [550, 555, 600, 914, 931, 955]) {
    const bars = minuteBars(market, ID, 10, at(1_439) as unknown as Tick);
    assert.equal(
      bars.startOf(at(first)),
      at(Math.max(555, first - ((first - 555) % 10))),
      `the first trade at ${first}`,
    );
    assert.equal(bars.startOf(at(568)), at(565), `after a first trade at ${first}`);
    assert.equal(bars.startOf(at(550)), at(555), 'the opening auction is in the first bar');
    assert.equal(bars.startOf(at(931)), at(925), 'the closing auction has a bar behind the last');
  }
});
