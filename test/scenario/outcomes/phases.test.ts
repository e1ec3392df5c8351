import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ExchangeDay } from '../../kit/exchange/exchange-day.ts';

test('in the hours of exchanges an outcome waits for continuous trading, and the close ends what was set aside', async () => {
  const day = new ExchangeDay('2026-11-20', 'on');
  after(() => day.close());
  await day.open();
  const share = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', product: 'C', quantity: '10', transactionType: 'B' };
  const limit = day.priceNear(day.instrument('NSE', 'ITC-EQ'), 1);
  const order = { ...share, priceType: 'LMT', price: limit };
  await day.place('night', 'ALICE', { ...order, remarks: 'sim:fill=3;cancel-after=60000' });
  day.passTo('09:05:00');
  await day.place('gathers', 'ALICE', { ...order, remarks: 'sim:fill=4' });
  await day.place('held', 'ALICE', { ...order, remarks: 'sim:hold' });
  await day.place('pending', 'ALICE', { ...order, remarks: 'sim:ack-delay=601000' });
  const statuses = async () => {
    const names = ['night', 'gathers', 'held', 'pending'];
    return Promise.all(names.map((name) => day.statusOf(name)));
  };
  assert.deepEqual((await statuses()).slice(1), ['OPEN 0 of 10', 'OPEN 0 of 10', 'PENDING 0 of 10']);
  day.passTo('09:15:05');
  const [night, gathers, held, pending] = await statuses();
  assert.deepEqual([gathers, held, pending], ['OPEN 4 of 10', 'OPEN 0 of 10', 'COMPLETE 10 of 10']);
  assert.match(night ?? '', /^(OPEN 3 of 10|CANCELED 0 of 10, Cancelled by the exchange on demand)$/);
  day.passTo('15:45:00');
  const ended = 'Cancelled by the exchange at the end of the session';
  assert.deepEqual((await statuses()).slice(1, 3), [`CANCELED 4 of 10, ${ended}`, `CANCELED 0 of 10, ${ended}`]);
});
