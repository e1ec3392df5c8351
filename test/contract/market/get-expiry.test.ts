import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractOf, missingFields } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const MESSAGE = 'Expiry dates retrieved successfully';

contractOf({
  path: '/getExpiry',
  message: MESSAGE,
  request: { exchange: 'NSE', tradingSymbol: 'NIFTY' },
  required: missingFields('exchange', 'tradingSymbol'),
  fields: { exchange: 'text', tradingSymbol: 'text' },
  data: { expiryDates: [/^\d{2}[A-Z]{3}\d{4}$/] },
});

test('getExpiry answers ascending dates by index, by contract, and none for a share without contracts', async () => {
  const world = await openWorld();
  const dates = async (exchange: string, tradingSymbol: string) => {
    const data = assertSuccess(await world.call('/getExpiry', ALICE, { exchange, tradingSymbol }), MESSAGE);
    return (data as { expiryDates: string[] }).expiryDates;
  };
  assert.deepEqual(await dates('NSE', 'Nifty 50'), ['01DEC2026', '29DEC2026']);
  assert.deepEqual(await dates('NFO', 'NIFTY29DEC26F'), ['01DEC2026', '29DEC2026']);
  assert.deepEqual(await dates('NSE', 'IDEA-EQ'), []);
  const unknown = await world.call('/getExpiry', ALICE, { exchange: 'NSE', tradingSymbol: 'NOSUCH' });
  assertFailure(unknown, 400, 'BAD_REQUEST', 'tradingSymbol');
  await world.close();
});
