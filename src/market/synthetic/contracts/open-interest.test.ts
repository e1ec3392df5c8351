import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import { tickOf } from '../../../base/tick.ts';
import { type IstDay, istInstant } from '../../../base/time.ts';
import { isDerivative } from '../../../core/instrument.ts';
import { civil } from '../fixture.ts';
import { LISTED, listedMarket } from '../listed-fixture.ts';

const DAY = civil(2026, 11, 20);
const EVENING = 86_399;
/** One contract in this many is checked. */
const SAMPLE = 97;

for (const regime of ['always', 'exchange'] as const) {
  test(`in ${regime} hours a contract that has traded is open, and it opens no more than it trades`, () => {
    const market = listedMarket(regime);
    let looked = 0;
    for (const segment of ['NFO', 'BFO'] as const) {
      for (const [place, contract] of [...LISTED.list(segment, istInstant(DAY))].entries()) {
        if (place % SAMPLE !== 0 || !isDerivative(contract)) continue;
        looked += 1;
        const about = `${segment} ${contract.tradingSymbol}`;
        const figures = must(market.dayFigures(contract.id, tickOf(DAY, EVENING)), about);
        assert.ok(figures.openInterest >= contract.lot, `${about}: ${figures.openInterest} after ${figures.volume}`);
        const eve = market.dayFigures(contract.id, tickOf((DAY - 1) as IstDay, EVENING));
        const before = contract.listedOn < DAY ? must(eve, about).openInterest : 0;
        assert.ok(Math.abs(figures.openInterest - before) <= figures.volume, `${about}: from ${before}`);
      }
    }
    assert.ok(looked > 900, `${looked} contracts`);
  });
}
