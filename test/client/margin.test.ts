import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Sauda } from '../../client/src/sauda.ts';
import { ScriptedService, succeeds } from './scripted-service.ts';

const STOP = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  product: 'I',
  quantity: 10,
  priceType: 'SL-MKT',
  triggerPrice: '430.00',
} as const;

let service: ScriptedService;
let sauda: Sauda;

before(async () => {
  service = await ScriptedService.start();
  sauda = new Sauda({ url: service.url, userId: 'SD1001', token: 'token' });
});
after(() => service.close());

test('the margin of a stop is asked with its trigger, alone and in a basket', async () => {
  service.next(succeeds({}), succeeds({}));
  await sauda.margin.order(STOP);
  await sauda.margin.basket([STOP, { ...STOP, triggerPrice: '431.00' }]);
  const signed = { userId: 'SD1001', jKey: 'token' };
  const asked = { ...STOP, price: '0' };
  assert.deepEqual(
    service.taken.map(({ body }) => body),
    [
      { ...signed, ...asked },
      { ...signed, ...asked, BasketList_Params: [{ ...asked, triggerPrice: '431.00' }] },
    ],
  );
});

test('the margin of a whole order is asked by its terms alone', async () => {
  service.next(succeeds({}));
  const { triggerPrice, ...plain } = STOP;
  await sauda.margin.order({ ...plain, priceType: 'LMT', price: '425.00', remarks: 'mine', retention: 'DAY' } as never);
  const terms = { ...plain, priceType: 'LMT', price: '425.00' };
  assert.deepEqual(service.taken[0]?.body, { userId: 'SD1001', jKey: 'token', ...terms });
});
