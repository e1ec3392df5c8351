import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TradeChargesData, TradeRow } from '../../../../client/src/wire.ts';
import { tradesCsv } from './csv.ts';

const LEVIES = {
  brokerage: '20.00',
  transaction: '0.50',
  investorProtection: '0.01',
  sebi: '0.02',
  clearing: '0.00',
  gst: '3.70',
  stt: '1.00',
  stamp: '0.10',
  total: '25.33',
};
const ROW = {
  orderNumber: '26112300000001',
  fillId: '7',
  exchange: 'NSE',
  tradingSymbol: 'M"M,EQ',
  transactionType: 'B',
  quantity: '10',
  price: '1400.05',
  value: '14000.50',
  ...LEVIES,
};

test('trades as CSV have a row a trade with the texts of the service, the sums, and the other charges', () => {
  const charges = {
    rows: [ROW],
    totals: { value: '14000.50', ...LEVIES },
    others: [{ text: 'depository charge', amount: '13.00' }],
    charges: '38.33',
    requestTime: '',
  } as unknown as TradeChargesData;
  const book = { fillTime: '23-11-2026 10:15:00', product: 'C' } as TradeRow;
  const lines = tradesCsv(charges, (fill) => (fill === '7' ? book : undefined)).split('\r\n');
  assert.equal(lines.length, 5);
  const fields = lines.map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).length);
  assert.deepEqual(new Set(fields), new Set([19]));
  assert.equal(
    lines[1],
    '23-11-2026 10:15:00,26112300000001,7,NSE,"M""M,EQ",B,C,10,1400.05,14000.50,' +
      '20.00,0.50,0.01,0.02,0.00,3.70,1.00,0.10,25.33',
  );
  assert.match(lines[2] ?? '', /^Sum,.*,14000\.50,20\.00,.*,25\.33$/);
  assert.match(lines[3] ?? '', /^depository charge,+13\.00$/);
  assert.match(lines[4] ?? '', /^Charges of the day,+38\.33$/);
});
