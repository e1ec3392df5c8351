import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PositionRow } from '../../../client/src/wire.ts';
import { positionsText } from './portfolio-commands.ts';

const AMOUNTS = { dayBuyQuantity: '0', cfBuyQty: '', daySellQuantity: '0', cfSellQty: '', netAveragePrice: '1000.00' };

function position(product: string, netQuantity: string, realised: string, open: string): PositionRow {
  const total = (Number(realised) + Number(open)).toFixed(2);
  const results = { RealizedPNL: realised, unrealizedMTOM: open, totalMTM: total };
  const names = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ', lastTradedPrice: '900.00' };
  return { ...AMOUNTS, ...names, ...results, product, netQuantity } as unknown as PositionRow;
}

test('the sums below the positions leave the open result of held shares out that were sold', () => {
  const rows = [
    position('C', '-100', '3.00', '10000.00'),
    position('C', '10', '0.00', '-1000.00'),
    position('I', '-1', '0.00', '100.00'),
  ];
  const lines = positionsText(rows, {}).split('\n');
  assert.match(lines[1] ?? '', /\+3\.00 +\+10,000\.00 +\+10,003\.00$/);
  assert.match(lines.at(-1) ?? '', /^all +\+3\.00 +-900\.00 +-897\.00$/);
});
