import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteShape } from '../../kit/wire/shapes/quote-shape.ts';
import { badRequestFields, contractOf } from '../../kit/wire/suite.ts';
import { assertShape, assertSuccess } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const MESSAGE = 'Quote data retrieved successfully';

contractOf({
  path: '/getQuote',
  message: MESSAGE,
  request: { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' },
  required: { ...badRequestFields('exchange'), tradingSymbol: ['BAD_REQUEST', 'Trading Symbol is required'] },
  fields: { exchange: 'text', tradingSymbol: 'text' },
  data: quoteShape(true),
});

test('getQuote has an ISIN for a share, a blank one for a contract and none for an index', async () => {
  const world = await openWorld();
  const isin = async (exchange: string, tradingSymbol: string) => {
    const data = assertSuccess(await world.call('/getQuote', ALICE, { exchange, tradingSymbol }), MESSAGE);
    assertShape(data, quoteShape(true));
    return (data as { isin?: string }).isin;
  };
  assert.equal(await isin('NSE', 'RELIANCE-EQ'), 'INE002A01018');
  assert.equal(await isin('NFO', 'NIFTY29DEC26F'), '');
  assert.equal(await isin('NSE', 'NIFTY'), undefined);
  await world.close();
});
