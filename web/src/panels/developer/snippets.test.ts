import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { orderNumber } from '../../../../client/src/order-number.ts';
import { Sauda } from '../../../../client/src/sauda.ts';
import { type Asked, snippetOf } from './snippets.ts';

const ORIGIN = 'http://127.0.0.1:8080';
const SESSION = { userId: 'SD1001', jKey: '...' };
const ORDER = {
  exchange: 'NSE',
  tradingSymbol: 'M&M-EQ',
  transactionType: 'B',
  quantity: '10',
  priceType: 'LMT',
  price: '405.00',
  product: 'C',
  retention: 'DAY',
  triggerPrice: '0',
  remarks: "it's mine",
};

const asked = (operation: string, fields: Asked['fields'] = {}): Asked => ({
  operation,
  fields: { ...SESSION, ...fields },
});

/** Every way in which a call writes its arguments, with the fields that the page sends. */
const REQUESTS: readonly Asked[] = [
  asked('placeOrder', ORDER),
  asked('orderBook'),
  asked('cancelOrder', { orderNumber: '26112300000001' }),
  asked('cancelAllOrders'),
  asked('cancelAllOrders', { exchange: 'NSE', tradingSymbol: 'ITC-EQ' }),
  asked('getMultiQuotes', { data: [{ exchange: 'NSE', tradingSymbol: 'M&M-EQ' }] }),
  asked('timePriceSeries', {
    exchange: 'NSE',
    tradingSymbol: 'ITC-EQ',
    startTime: '09:15:00 23-11-2026',
    endTime: '15:30:00 23-11-2026',
    interval: '1mi',
  }),
  asked('searchScrips', { stext: 'ITC "x"' }),
  asked('getExpiry', { exchange: 'NSE', tradingSymbol: 'NIFTY' }),
  asked('saveWatchlist', { name: 'one', instruments: [{ exchange: 'NSE', tradingSymbol: 'ITC-EQ' }] }),
  asked('placeAlert', { exchange: 'NSE', tradingSymbol: 'ITC-EQ', condition: 'ABOVE', price: '500.00' }),
  asked('cancelAlert', { alertId: '7' }),
  asked('basketOrder', { legs: [ORDER, { ...ORDER, quantity: '20' }] }),
  asked('previewOrders', { orders: [ORDER] }),
  asked('getStrategy', { legs: [{ exchange: 'NFO', tradingSymbol: 'X', transactionType: 'B', quantity: '75' }] }),
  asked('getInstrument', { exchange: 'NSE', tradingSymbol: 'ITC-EQ' }),
  asked('getDayCurve', { interval: '5' }),
  asked('getFunds'),
  asked('getResults'),
  asked('getHoldings'),
  asked('getTradeCharges'),
  asked('getPlacement', { idempotencyKey: 'one' }),
  asked('modifyGttOrder', { validity: 'GTT', GTTid: '9', price: '1.00' }),
  asked('anOperationOfTomorrow', { some: 'field', other: ['a'] }),
  asked('anOperationOfTomorrow'),
];

/** Runs a snippet with the client itself, and returns the request that it sends. */
async function sentBy(snippet: string): Promise<{ readonly address: string; readonly body: unknown }> {
  let sent: { address: string; body: unknown } | undefined;
  const fake = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent = { address: String(address), body: JSON.parse(String(init?.body)) };
    return new Response(JSON.stringify({ status: 'success', data: [] }));
  };
  class Recorded extends Sauda {
    constructor(options: ConstructorParameters<typeof Sauda>[0]) {
      super({ ...options, fetch: fake });
    }
  }
  const code = snippet.replace(/^import .*\n/, '');
  const program = new Function(
    'Sauda',
    'orderNumber',
    'process',
    'fetch',
    'console',
    `return (async () => {${code}})()`,
  );
  const quiet = { log: () => undefined };
  await program(Recorded, orderNumber, { env: { JKEY: 'a-token' } }, fake, quiet).catch(() => undefined);
  ok(sent, snippet);
  return sent;
}

for (const { operation, fields } of REQUESTS) {
  test(`the TypeScript for ${operation} sends the fields that the page sent: ${Object.keys(fields).slice(2)}`, async () => {
    const { address, body } = await sentBy(snippetOf('TypeScript', { operation, fields }, ORIGIN));
    equal(address, `${ORIGIN}/V1/${operation}`);
    deepEqual(body, { ...fields, jKey: 'a-token' });
  });

  test(`the curl for ${operation} sends the fields that the page sent: ${Object.keys(fields).slice(2)}`, () => {
    const shell = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${snippetOf('curl', { operation, fields }, ORIGIN)}`;
    const words = execFileSync('sh', ['-c', shell], { encoding: 'utf8', env: { JKEY: 'a-token' } }).split('\0');
    ok(words.includes(`${ORIGIN}/V1/${operation}`));
    deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), { ...fields, jKey: 'a-token' });
  });
}

test('a login is shown with its secrets taken from the environment', () => {
  const login = {
    operation: 'login',
    fields: { userId: 'SD1001', password: '...', TOTP: '...', vendorCode: 'SD1001_API', apiKey: '...' },
  };
  match(snippetOf('TypeScript', login, ORIGIN), /password: process\.env\.PASSWORD/);
  match(snippetOf('curl', login, ORIGIN), /"password": "'"\$PASSWORD"'"/);
  match(snippetOf('Python', login, ORIGIN), /"apiKey": os\.environ\["API_KEY"\]/);
});

test('a demo login is shown without a session, which it does not need', async () => {
  const { body } = await sentBy(
    snippetOf('TypeScript', { operation: 'demoLogin', fields: { userId: 'SD1001' } }, ORIGIN),
  );
  deepEqual(body, { userId: 'SD1001' });
});

test("the family's client is called where it has the operation, and the interface itself elsewhere", () => {
  const known = snippetOf('Python', asked('placeOrder', ORDER), ORIGIN);
  match(known, /firstock\.placeOrder\(\n {4}userId="SD1001",\n {4}exchange="NSE",/);
  ok(!known.includes('jKey'));
  const unknown = snippetOf('Python', asked('placeAlert', { price: '5.00' }), ORIGIN);
  match(unknown, /Request\("http:\/\/127\.0\.0\.1:8080\/V1\/placeAlert"/);
  match(unknown, /"jKey": os\.environ\["JKEY"\]/);
});
