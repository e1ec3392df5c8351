import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Doorway } from './doorway.ts';

/*
 * A trading symbol is decoded once, and then it is the name itself. Source: contract R6.
 */

const doorway = await Doorway.open();
const [{ user, jKey }] = await doorway.parties();
const signedIn = { userId: user.plain.userId, jKey };

const TERMS = { retention: 'DAY', product: 'C', priceType: 'MKT', price: '0', triggerPrice: '0', remarks: 'x' };
const ORDER = { ...TERMS, transactionType: 'B', quantity: '1' };
const NAMING: readonly (readonly [path: string, more: object])[] = [
  ['/getQuote/ltp', {}],
  ['/getQuote', {}],
  ['/securityInfo', {}],
  ['/getExpiry', {}],
  ['/placeOrder', ORDER],
  ['/orderMargin', ORDER],
];

async function ask(path: string, tradingSymbol: string, more: object): Promise<[status: number, body: string]> {
  const { status, body } = await doorway.ask(path, { ...signedIn, exchange: 'NSE', tradingSymbol, ...more });
  return [status, body];
}

for (const symbol of ['M&M-EQ', 'M%26M-EQ', '%4D%26M-EQ', 'm%26m-eq', 'NIFTY%2050', 'Nifty 50', ' ITC-EQ ']) {
  test(`${symbol} names an instrument`, async () => {
    const [status, body] = await ask('/getQuote/ltp', symbol, {});
    assert.equal(status, 200, body);
  });
}

const WRONG = [
  'M%2526M-EQ',
  'M%252526M-EQ',
  'ITC-EQ%0a',
  'ITC-EQ%0D%0A',
  '%09ITC-EQ',
  '%E3%80%80ITC-EQ',
  '\u3000ITC-EQ',
  'ITC-EQ\u00a0',
  'ITC-EQ%00',
  'ITC%2DEQ%2509',
];

for (const symbol of WRONG) {
  test(`${JSON.stringify(symbol)} names no instrument in any operation`, async () => {
    for (const [path, more] of NAMING) {
      const [status, body] = await ask(path, symbol, more);
      assert.equal(status, 400, `${path} ${body}`);
      assert.match(body, /"field":"tradingSymbol"/, path);
    }
    const [status, body] = await listed(symbol);
    assert.equal(status, 400, body);
  });
}

async function listed(tradingSymbol: string): Promise<[status: number, body: string]> {
  const data = [{ exchange: 'NSE', tradingSymbol }];
  const { status, body } = await doorway.ask('/getMultiQuotes', { ...signedIn, data });
  return [status, body];
}

test('an order is modified by the name of its instrument, decoded once', async () => {
  const placed = await doorway.ask('/placeOrder', {
    ...signedIn,
    exchange: 'NSE',
    tradingSymbol: 'M%26M-EQ',
    ...ORDER,
    priceType: 'LMT',
    price: await farPrice(),
  });
  const { orderNumber } = JSON.parse(placed.body).data;
  for (const [tradingSymbol, status] of [
    ['M%2526M-EQ', 400],
    ['M%26M-EQ%0a', 400],
    ['\u3000M&M-EQ', 400],
    ['M%26M-EQ', 200],
  ] as const) {
    const wish = { orderNumber, exchange: 'NSE', tradingSymbol, ...TERMS, priceType: 'LMT', quantity: '2' };
    const seen = await doorway.ask('/modifyOrder', { ...signedIn, ...wish, price: await farPrice() });
    assert.equal(seen.status, status, `${tradingSymbol} ${seen.body}`);
  }
});

/** A tenth below the last price, so that the order rests. */
async function farPrice(): Promise<string> {
  const [, body] = await ask('/getQuote/ltp', 'M&M-EQ', {});
  const last = Number(/"lastTradedPrice":"?([\d.]+)/.exec(body)?.[1]);
  assert.ok(last > 0, body);
  return `${Math.floor(last * 0.95)}.00`;
}
