import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { generateSync } from 'otplib';
import { LIMITS } from '../kit/wire/shapes/limits-shape.ts';
import { quoteShape } from '../kit/wire/shapes/quote-shape.ts';
import {
  assertShape,
  INTEGER,
  type Matcher,
  ORDER_NUMBER,
  RUPEES,
  T1,
  T2,
  T3,
  T4,
  TEXT,
} from '../kit/wire/wire-checks.ts';
import { type DemoUser, StartedService } from '../process/start/started-service.ts';
import { GTT } from '../property/fuzz/shapes.ts';

/*
 * The vendor's own npm client, unmodified, trades on a started service. Its base address is a constant of a CommonJS
 * module, which its main module reads once when it is loaded. So the test loads the module of the constant first, sets
 * its export to the service's address, and then loads the client: no file of the package is changed. The client keeps
 * its token in a `config.json` of the working folder, so the test works in a folder of its own.
 */

type Answer = { status: string; message?: string; data?: unknown };
type Client = Record<string, (params: object, callBack: (error: unknown, result: Answer | null) => void) => void>;

const home = process.cwd();
const dataFolder = mkdtempSync(join(tmpdir(), 'sauda-client-data-'));
const workingFolder = mkdtempSync(join(tmpdir(), 'sauda-client-'));
let service: StartedService;
let user: DemoUser;
let client: Client;

before(async () => {
  service = await StartedService.start(dataFolder);
  const first = service.demoUsers().find(({ totpSecret }) => totpSecret !== undefined);
  assert.ok(first?.totpSecret, 'a demo user has TOTP');
  user = first;
  process.chdir(workingFolder);
  client = loadClient(service.base);
});

after(async () => {
  process.chdir(home);
  await service.end('SIGKILL');
  for (const folder of [dataFolder, workingFolder]) rmSync(folder, { recursive: true, force: true });
});

function loadClient(base: string): Client {
  const load = createRequire(import.meta.url);
  const constants: { API_LINK: string } = load('firstock/dist/shared/constant');
  constants.API_LINK = base;
  const { Firstock } = load('firstock') as { Firstock: new () => Client };
  return new Firstock();
}

/** Calls an operation of the client as the demo user; rejects with what the client hands to its callback. */
function call(name: string, params: object = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const operation = client[name];
  assert.ok(operation, `the client has ${name}`);
  operation.call(client, { userId: user.userId, ...params }, (error, result) => {
    if (result === null) reject(error);
    else resolve(result);
  });
  return promise;
}

/** Calls an operation and checks its message and the shape of its data; returns the data. */
async function ask<T>(name: string, params: object, message: string, shape: Matcher): Promise<T> {
  const answer = await call(name, params);
  assert.equal(answer.status, 'success');
  assert.equal(answer.message, message);
  assertShape(answer.data, shape, name);
  return answer.data as T;
}

type Row = Record<string, string>;
const RELIANCE = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
const PLACED = { orderNumber: ORDER_NUMBER, requestTime: T1 };
const CANCELLED = { orderNumber: ORDER_NUMBER, rejreason: /^$/, requestTime: T1 };

function order(change: object): object {
  const terms = { quantity: 5, price: '0', product: 'I', transactionType: 'B', priceType: 'MKT', retention: 'DAY' };
  return { ...RELIANCE, ...terms, triggerPrice: '0', remarks: 'client test', ...change };
}

async function place(change: object): Promise<string> {
  return (await ask<Row>('placeOrder', order(change), 'Order details', PLACED)).orderNumber ?? '';
}

async function bookRow(orderNumber: string): Promise<Row> {
  const { data } = await call('orderBook');
  const row = (data as Row[]).find((each) => each.orderNumber === orderNumber);
  assert.ok(row, `order ${orderNumber} is in the order book`);
  return row;
}

/** A price about `percent` of the last one, on the tick. */
async function priceAt(percent: number): Promise<string> {
  const quote = await ask<Row>('getQuote', RELIANCE, 'Quote data retrieved successfully', quoteShape(true));
  const ticks = Math.floor((Number(quote.lastTradedPrice) * percent) / 100 / Number(quote.tickSize));
  return (ticks * Number(quote.tickSize)).toFixed(2);
}

test('the client logs in with a one-time code', async () => {
  const credentials = {
    password: user.password,
    TOTP: generateSync({ secret: user.totpSecret ?? '' }),
    vendorCode: user.vendorCode,
    apiKey: user.apiKey,
  };
  await assert.rejects(
    call('login', { ...credentials, password: 'wrong' }),
    (error: { name: string }) => error.name === 'INVALID_CREDENTIALS',
  );
  await ask('login', credentials, 'Login successful', {
    actid: new RegExp(`^${user.userId}$`),
    userName: TEXT,
    susertoken: /^[0-9a-f]{64}$/,
    email: /@/,
  });
});

test('the client reads who it is and what it has', async () => {
  const details = await call('userDetails');
  assert.deepEqual(Object.keys(details), ['status', 'data']);
  const limits = await ask<Row>('limit', {}, 'Successfully fetched RMS limits', LIMITS);
  assert.equal(limits.cash, '1000000.00');
  const held = await ask<Row[]>('holdings', {}, 'Fetched holdings', [{ exchange: TEXT, tradingSymbol: TEXT }]);
  assert.ok(held.length > 0);
  const { data } = await call('getHoldingsDetails');
  assert.ok((data as unknown[]).length > 0);
});

test('the client finds instruments', async () => {
  const found = await ask<Row[]>('searchScrips', { stext: 'RELIANCE' }, 'Search symbols', [
    {
      token: INTEGER,
      exchange: TEXT,
      companyName: TEXT,
      representationName: TEXT,
      instrumentName: TEXT,
      tradingSymbol: TEXT,
    },
  ]);
  assert.equal(found[0]?.tradingSymbol, 'RELIANCE-EQ');
  await ask('securityInfo', RELIANCE, 'Fetched security info successfully', {
    companyName: TEXT,
    exchange: /^NSE$/,
    freezeQuantity: INTEGER,
    instrumentName: /^EQ$/,
    lotSize: INTEGER,
    mult: INTEGER,
    priceFactor: TEXT,
    pricePrecision: INTEGER,
    segment: /^EQT$/,
    symbolName: /^RELIANCE$/,
    tickSize: RUPEES,
    token: /^2885$/,
    tradingSymbol: /^RELIANCE-EQ$/,
  });
  const indices = await ask<Row[]>('indexList', {}, 'All indexes', [
    { exchange: TEXT, token: INTEGER, tradingSymbol: TEXT, symbol: TEXT, idxname: TEXT },
  ]);
  assert.ok(indices.some(({ token, idxname }) => token === '26000' && idxname === 'NIFTY 50'));
});

test('the client reads quotes', async () => {
  await ask('getQuoteltp', RELIANCE, 'Quote LTP data retrieved successfully', [
    { companyName: TEXT, exchange: /^NSE$/, lastTradedPrice: RUPEES, requestTime: T1, token: /^2885$/ },
  ]);
  const data = [{ exchange: 'NSE', tradingSymbol: 'Nifty 50' }, RELIANCE];
  const quotes = await ask<Row[]>('getMultiQuotes', { data }, 'Multiple quotes data retrieved successfully', [
    quoteShape(false),
  ]);
  assert.deepEqual(
    quotes.map(({ tradingSymbol }) => tradingSymbol),
    ['NIFTY', 'RELIANCE-EQ'],
  );
  await ask('getMultiQuotesltp', { data }, 'Multiple quotes LTP data retrieved successfully', [
    {
      companyName: TEXT,
      exchange: TEXT,
      identifier: TEXT,
      lastTradedPrice: RUPEES,
      requestTime: T1,
      token: 'number',
      tradingSymbol: TEXT,
    },
  ]);
});

test('the client reads expiries and an option chain', async () => {
  const nifty = { exchange: 'NSE', tradingSymbol: 'NIFTY' };
  const { expiryDates } = await ask<{ expiryDates: string[] }>(
    'getExpiry',
    nifty,
    'Expiry dates retrieved successfully',
    { expiryDates: [/^\d{2}[A-Z]{3}\d{4}$/] },
  );
  const [nearest = ''] = expiryDates;
  const { data } = await call('getQuoteltp', nifty);
  const spot = (data as Row[])[0]?.lastTradedPrice;
  const expiry = nearest.slice(0, 5) + nearest.slice(-2);
  const wanted = { exchange: 'NFO', symbol: 'NIFTY', expiry, count: 5, strikePrice: spot };
  const chain = await ask<Row[]>('optionChain', wanted, 'Option chain data retrieved successfully', [
    {
      exchange: /^NFO$/,
      lotSize: INTEGER,
      optionType: /^(CE|PE)$/,
      parentToken: /^26000$/,
      pricePrecision: INTEGER,
      strikePrice: RUPEES,
      tickSize: RUPEES,
      token: INTEGER,
      tradingSymbol: TEXT,
      lastTradedPrice: RUPEES,
    },
  ]);
  assert.equal(chain.length, 22);
});

test('the client reads a chain with its greeks', async () => {
  const { data: expiries } = await call('getExpiry', { exchange: 'NSE', tradingSymbol: 'NIFTY' });
  const [nearest = ''] = (expiries as { expiryDates: string[] }).expiryDates;
  const { data: quotes } = await call('getQuoteltp', { exchange: 'NSE', tradingSymbol: 'NIFTY' });
  const strikePrice = (quotes as Row[])[0]?.lastTradedPrice;
  const expiry = nearest.slice(0, 5) + nearest.slice(-2);
  const { message, data } = await call('optionChainGreeks', {
    exchange: 'NFO',
    symbol: 'NIFTY',
    expiry,
    count: '2',
    strikePrice,
  });
  assert.equal(message, 'Option chain with Greeks retrieved successfully');
  const rows = data as Row[];
  assert.equal(rows.length, 10);
  for (const { optionType, delta, gamma, theta, vega, rho, iv, oi } of rows) {
    assert.equal(Math.sign(Number(delta)), optionType === 'CE' ? 1 : -1);
    for (const figure of [gamma, theta, vega, rho, iv]) assert.match(figure ?? '', /^-?\d+\.\d+$/);
    assert.match(oi ?? '', INTEGER);
  }
});

test('the client reads candles by the minute and by the day', async () => {
  const numbers = { epochTime: 'number', open: 'number', high: 'number', low: 'number' } as const;
  const candle = { ...numbers, close: 'number', volume: 'number', oi: 'number' } as const;
  const day = { startTime: '09:15:00 17-11-2026', endTime: '15:29:00 17-11-2026' };
  const message = 'Successfully fetched charts data';
  const minutes = await ask<unknown[]>('timePriceSeries', { ...RELIANCE, ...day, interval: '5mi' }, message, [
    { time: T4, ...candle },
  ]);
  assert.ok(minutes.length > 0);
  const days = await ask<unknown[]>('timePriceSeries', { ...RELIANCE, ...day, interval: '1d' }, message, [
    { time: T1, ...candle },
  ]);
  assert.equal(days.length, 1);
});

test('the client asks for margins', async () => {
  const leg = { ...RELIANCE, transactionType: 'B', product: 'C', quantity: '1', priceType: 'MKT', price: '0' };
  const basket = await ask<{ BasketMargin: number[] }>(
    'basketMargin',
    { ...leg, BasketList_Params: [{ ...leg, quantity: '2' }] },
    'Fetched basket margin successfully',
    {
      BasketMargin: ['number'],
      MarginOnNewOrder: 'number',
      PreviousMargin: 'number',
      Remarks: TEXT,
      TradedMargin: 'number',
    },
  );
  assert.equal(basket.BasketMargin[2], 2);
  await ask('orderMargin', leg, 'Fetched order margin successfully', {
    availableMargin: RUPEES,
    cash: RUPEES,
    marginOnNewOrder: RUPEES,
    remarks: TEXT,
    requestTime: T1,
  });
});

test('a GTT of the client is placed, modified without a trigger, seen and cancelled', async () => {
  const order = { ...RELIANCE, retention: 'DAY', product: 'C', priceType: 'LMT', transactionType: 'B', remarks: '' };
  const OrderParams = { ...order, price: await priceAt(90), triggerPrice: '0', quantity: '1' };
  const gtt = { ...RELIANCE, validity: 'GTT', remarks: 'client test', OrderParams };
  const answer = { GTTid: ORDER_NUMBER, requestTime: T1 };
  const value = await priceAt(91);
  const { GTTid } = await ask<Row>('placeGTTOrder', { ...gtt, value }, 'GTT order placed successfully', answer);
  const changed = { ...gtt, GTTid, OrderParams: { ...OrderParams, quantity: '2' } };
  await ask('modifyGTTOrder', changed, 'GTT order modified successfully', answer);
  const book = async () => ask<Row[]>('getGTTOrders', {}, 'GTT order book', [GTT]);
  const [row] = await book();
  assert.deepEqual([row?.GTTid, row?.status, Number(row?.value)], [GTTid, 'ACTIVE', Number(value)]);
  assert.equal((row as { readonly OrderParams?: Row } | undefined)?.OrderParams?.quantity, '2');
  await ask('cancelGTTOrder', { GTTid }, 'GTT order cancelled successfully', answer);
  assert.equal((await book())[0]?.status, 'CANCELLED');
});

test('an order of the client is placed, seen, modified and cancelled', async () => {
  const price = await priceAt(96);
  const orderNumber = await place({ priceType: 'LMT', price });
  assert.equal((await bookRow(orderNumber)).status, 'OPEN');
  const terms = { ...RELIANCE, orderNumber, priceType: 'LMT', product: 'I', retention: 'DAY' };
  const change = { ...terms, price: await priceAt(95), quantity: '7', triggerPrice: '0' };
  await ask('modifyOrder', change, 'Order modification details', {
    orderNumber: ORDER_NUMBER,
    remarks: TEXT,
    requestTime: T1,
  });
  assert.equal((await bookRow(orderNumber)).quantity, '7');
  await ask('cancelOrder', { orderNumber }, 'Order cancellation details', CANCELLED);
  const history = await ask<Row[]>('singleOrderHistory', { orderNumber }, 'Order history data received', [
    {
      averagePrice: RUPEES,
      exchange: /^NSE$/,
      exchangeOrderNum: /^(\d{16})?$/,
      exchangeTime: T3,
      fillShares: INTEGER,
      orderNumber: ORDER_NUMBER,
      orderTime: T1,
      price: RUPEES,
      priceType: /^LMT$/,
      product: /^I$/,
      quantity: INTEGER,
      rejectReason: TEXT,
      remarks: /^client test$/,
      reportType: TEXT,
      retention: /^DAY$/,
      status: TEXT,
      tickSize: RUPEES,
      token: /^2885$/,
      tradingSymbol: /^RELIANCE-EQ$/,
      transactionType: /^B$/,
      userId: new RegExp(`^${user.userId}$`),
    },
  ]);
  assert.deepEqual(
    history.map(({ reportType, status }) => `${reportType}/${status}`),
    ['Cancelled/CANCELED', 'Replaced/OPEN', 'New Ack/OPEN', 'Pending New/PENDING'],
  );
});

test('an order that the client places as one for after the market is modified and cancelled', async () => {
  const terms = order({ priceType: 'LMT', price: await priceAt(96) });
  const { orderNumber = '' } = await ask<Row>('placeAMO', terms, 'Order details', PLACED);
  const change = { orderNumber, quantity: '8', price: await priceAt(95), priceType: 'LMT', product: 'I' };
  await ask('modifyAMO', { ...change, triggerPrice: '0' }, 'Order modification details', PLACED);
  const { quantity, status } = await bookRow(orderNumber);
  assert.deepEqual([quantity, status], ['8', 'OPEN'], 'its instrument trades, so it is at the exchange');
  await ask('cancelOrder', { orderNumber }, 'Order cancellation details', CANCELLED);
});

test('an order of the client fills, and its position is converted', async () => {
  const orderNumber = await place({});
  assert.equal((await bookRow(orderNumber)).status, 'COMPLETE');
  const trades = await ask<Row[]>('tradeBook', {}, 'Trade history data received', [
    {
      exchange: /^NSE$/,
      exchangeUpdateTime: T2,
      exchordid: /^\d{16}$/,
      fillId: INTEGER,
      fillPrice: 'number',
      fillQuantity: INTEGER,
      fillTime: T2,
      fillshares: INTEGER,
      lotSize: INTEGER,
      orderNumber: ORDER_NUMBER,
      orderTime: T1,
      priceFactor: TEXT,
      pricePrecision: INTEGER,
      priceType: /^MKT$/,
      product: /^I$/,
      quantity: /^5$/,
      retention: /^DAY$/,
      tickSize: RUPEES,
      token: /^2885$/,
      tradingSymbol: /^RELIANCE-EQ$/,
      transactionType: /^B$/,
      userId: TEXT,
    },
  ]);
  assert.equal(trades.at(-1)?.fillshares, '5');
  const conversion = { ...RELIANCE, quantity: '3', product: 'C', previousProduct: 'I', msgFlag: '1' };
  const converted = await ask<Row>('productConversion', conversion, 'Partial position conversion info fetched', {
    Status: TEXT,
    requestTime: T1,
  });
  assert.equal(converted.Status, 'ok');
  const { data } = await call('positionBook');
  const net = (data as Row[]).map(({ product, netQuantity }) => `${product} ${netQuantity}`);
  assert.deepEqual(net.sort(), ['C 3', 'I 2']);
});

test('a refusal reaches the client with its reason', async () => {
  const { data } = await call('cancelOrder', { orderNumber: await place({}) });
  assert.equal((data as Row).rejreason, 'SAF:order is not open to cancel');
  await assert.rejects(call('placeOrder', order({ quantity: 'x' })), (error: { code: string; error: Row }) => {
    return error.code === '400' && error.error.field === 'quantity';
  });
});

test('the client logs out, and its token is dead', async () => {
  const { [user.userId]: kept } = JSON.parse(readFileSync('config.json', 'utf8')) as Record<string, { jKey: string }>;
  const who = { userId: user.userId, jKey: kept?.jKey };
  assert.equal((await service.call('limit', who)).status, 200);
  assert.deepEqual(await call('logout'), { status: 'success', message: 'Successfully logged out' });
  assert.equal((await service.call('limit', who)).status, 401);
  await assert.rejects(call('limit'));
});
