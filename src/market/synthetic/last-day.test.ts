import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { futuresOn } from '../../../test/kit/futures-on.ts';
import { must } from '../../base/assert.ts';
import type { Exchange } from '../../base/ids.ts';
import { tickOf } from '../../base/tick.ts';
import { type IstDay, istInstant } from '../../base/time.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import type { DerivativeExchange } from '../../reference/rules/contract-cycles.ts';
import { calendarHours } from '../session/sessions.ts';
import { civil } from './fixture.ts';
import { SyntheticMarket } from './synthetic-market.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const instruments = data.master();
const UNDERLYINGS: readonly (readonly [Exchange, DerivativeExchange, string, string, readonly IstDay[]])[] = [
  ['NSE', 'NFO', 'NIFTY', 'NIFTY', nseExpiries()],
  ['NSE', 'NFO', 'RELIANCE', 'RELIANCE-EQ', nseExpiries()],
  ['NSE', 'NFO', 'TATASTEEL', 'TATASTEEL-EQ', nseExpiries()],
  ['BSE', 'BFO', 'SENSEX', 'SENSEX', [civil(2026, 8, 27), civil(2026, 9, 24), civil(2026, 10, 29)]],
];
const AUCTION_MADE = 15 * 3_600 + 30 * 60;
const LAST_SECOND = 15 * 3_600 + 40 * 60 - 1;
/** Two ticks of basis, the touch, the listing on the other exchange, and the carry of minutes. */
const NEAR = 0.001;

function nseExpiries(): readonly IstDay[] {
  return [civil(2026, 8, 25), civil(2026, 9, 29), civil(2026, 10, 27), civil(2026, 11, 23)];
}

for (const regime of ['exchange', 'always'] as const) {
  test(`in ${regime} hours contracts on their last day trade at their settlement price as soon as it is known`, () => {
    for (const seed of [1, 2, 3]) {
      const calendar = calendarHours(data);
      const market = new SyntheticMarket({ seed, regime, instruments, facts: data.facts, calendar });
      for (const [exchange, segment, symbol, spot, days] of UNDERLYINGS) {
        for (const day of days) {
          const at = istInstant(day, 9 * 3_600_000);
          const { id } = must(instruments.find(exchange, spot, at), spot);
          const settled = market.settlementPrice(id, tickOf(day, LAST_SECOND + 1));
          const known = regime === 'exchange' ? [AUCTION_MADE, AUCTION_MADE + 300, LAST_SECOND] : [LAST_SECOND];
          const futures = futuresOn(instruments, segment, symbol, at);
          const future = must(
            futures.find(({ expiryDay }) => expiryDay === day),
            `a future of ${symbol}`,
          );
          for (const second of known) {
            const { bids, asks } = market.depth(future.id, tickOf(day, second));
            const middle = (must(bids[0], 'a bid').price + must(asks[0], 'an ask').price) / 2;
            assert.ok(Math.abs(middle / settled - 1) < NEAR, `${symbol} ${day} ${second}: ${middle} for ${settled}`);
          }
        }
      }
    }
  });
}

test('the market shows no part of a close before it is made', () => {
  const calendar = calendarHours(data);
  const market = new SyntheticMarket({ seed: 1, regime: 'exchange', instruments, facts: data.facts, calendar });
  const day = civil(2026, 8, 25);
  const share = must(instruments.find('NSE', 'RELIANCE-EQ', istInstant(day)), 'a share');
  const future = must(futuresOn(instruments, 'NFO', 'RELIANCE', istInstant(day))[0], 'its future');
  for (let second = 15 * 3_600 + 20 * 60 + 30; second < AUCTION_MADE; second += 60) {
    const { bids, asks } = market.auction(share.id, tickOf(day, second));
    const [dearest, cheapest] = [
      Math.max(...bids.map(({ price }) => price)),
      Math.min(...asks.map(({ price }) => price)),
    ];
    const now = market.lastPrint(future.id, tickOf(day, second)).price;
    assert.ok(Math.abs((dearest + cheapest) / 2 / now - 1) < 0.003, `${second}: around the price of that minute`);
  }
});
