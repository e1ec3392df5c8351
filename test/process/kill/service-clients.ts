import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Random } from '../../../src/base/random.ts';
import type { WallMs } from '../../../src/base/time.ts';
import { codeAt } from '../../../src/operator/cli/reports/start-report.ts';
import type { DemoUser, StartedService } from '../start/started-service.ts';

/** The share that clients of a service trade. */
export const SYMBOL = { exchange: 'NSE', tradingSymbol: 'IDEA-EQ' };

export type Row = Readonly<Record<string, string>>;

/** A session that a client holds. */
export interface Who {
  readonly userId: string;
  readonly jKey: string;
}

/** The fields of an order that rests, far below the market. */
export function restingOrder(who: Who, remarks: string): Row {
  const terms = { product: 'I', transactionType: 'B', quantity: '1', retention: 'DAY', priceType: 'LMT' };
  return { ...who, ...SYMBOL, ...terms, price: '5.00', triggerPrice: '0', remarks };
}

/** The replies that one client got. */
export class Ledger {
  /** By remark, which names a placement: the order number once the client got it. */
  readonly placed = new Map<string, string | undefined>();
  readonly cancelled = new Set<string>();
  /** The quantities that a modification of each order asked for, acknowledged or not. */
  readonly asked = new Map<string, Set<string>>();
  /** The last quantity that was acknowledged. */
  readonly modified = new Map<string, string>();
  converted = 0;
  conversionsSent = 0;
}

/** `now` is the service's wall clock, which one-time codes follow. A login that is refused gives an empty `jKey`. */
export async function logIn(service: StartedService, user: DemoUser, now = Date.now()): Promise<Who> {
  const { body } = await service.call('login', {
    userId: user.userId,
    password: createHash('sha256').update(user.password).digest('hex'),
    TOTP: user.totpSecret === undefined ? '' : codeAt(user.totpSecret, now as WallMs),
    vendorCode: user.vendorCode,
    apiKey: user.apiKey,
  });
  return { userId: user.userId, jKey: (body.data as Row | undefined)?.susertoken ?? '' };
}

/** Asks, and gives `undefined` when the connection broke: then nothing is known. */
export async function ask(service: StartedService, path: string, body: object): Promise<Row | undefined> {
  const answer = await service.call(path, { ...body }).catch(() => undefined);
  return answer?.status === 200 ? (answer.body.data as Row) : undefined;
}

/** A running service and the last price of the share that is traded there. */
interface Venue {
  readonly service: StartedService;
  readonly last: number;
}

/** One client trades until it may not go on, and writes down every reply. */
export async function trade(
  { service, last }: Venue,
  who: Who,
  random: Random,
  ledger: Ledger,
  goOn: () => boolean,
): Promise<void> {
  while (goOn()) {
    const known = [...ledger.placed.values()].filter((number) => number !== undefined);
    const order = known.at(-1 - random.below(5));
    const roll = random.below(10);
    if (order === undefined || roll < 5) await place(service, who, random, ledger, last);
    else if (roll < 7) await cancel(service, who, ledger, order);
    else if (roll < 9) await modify(service, who, random, ledger, order, last);
    else await convert(service, who, ledger);
  }
}

export async function lastPrice(service: StartedService, who: Who): Promise<number> {
  const { body } = await service.call('getQuote/ltp', { ...who, ...SYMBOL });
  const price = Number((body.data as Row[])[0]?.lastTradedPrice);
  assert.ok(price > 0, JSON.stringify(body));
  return price;
}

function priceNear(last: number, random: Random): string {
  return Math.max(0.05, Math.round((last - 0.1) * 100 + random.between(-4, 4)) / 100).toFixed(2);
}

async function place(service: StartedService, who: Who, random: Random, ledger: Ledger, last: number): Promise<void> {
  const remarks = `mark ${who.userId} ${ledger.placed.size}`;
  ledger.placed.set(remarks, undefined);
  const atMarket = random.chance(30);
  const told = await ask(service, 'placeOrder', {
    ...who,
    ...SYMBOL,
    product: 'I',
    transactionType: 'B',
    quantity: '3',
    retention: 'DAY',
    priceType: atMarket ? 'MKT' : 'LMT',
    price: atMarket ? '0' : priceNear(last, random),
    triggerPrice: '0',
    remarks,
  });
  ledger.placed.set(remarks, told?.orderNumber);
}

async function cancel(service: StartedService, who: Who, ledger: Ledger, orderNumber: string): Promise<void> {
  const told = await ask(service, 'cancelOrder', { ...who, orderNumber });
  if (told?.rejreason === '') ledger.cancelled.add(orderNumber);
}

async function modify(
  service: StartedService,
  who: Who,
  random: Random,
  ledger: Ledger,
  orderNumber: string,
  last: number,
): Promise<void> {
  const quantity = String(random.between(4, 90));
  const asked = ledger.asked.get(orderNumber) ?? new Set();
  ledger.asked.set(orderNumber, asked.add(quantity));
  const terms = { product: 'I', priceType: 'LMT', retention: 'DAY', price: priceNear(last, random), triggerPrice: '0' };
  const told = await ask(service, 'modifyOrder', { ...who, orderNumber, ...SYMBOL, ...terms, quantity });
  if (told === undefined) ledger.modified.delete(orderNumber);
  else if (told.rejreason === undefined) ledger.modified.set(orderNumber, quantity);
}

async function convert(service: StartedService, who: Who, ledger: Ledger): Promise<void> {
  ledger.conversionsSent += 1;
  const terms = { product: 'C', previousProduct: 'I', quantity: '1', msgFlag: '1' };
  const told = await ask(service, 'productConversion', { ...who, ...SYMBOL, ...terms });
  if (told?.Status === 'ok') ledger.converted += 1;
}

/**
 * Compares the replies that a client got with what the service shows it now. Its session is good still, or nothing is
 * shown.
 */
export async function check(service: StartedService, who: Who, ledger: Ledger, context: string): Promise<void> {
  const { status, body } = await service.call('orderBook', { ...who });
  assert.equal(status, 200, `${context}: the session of ${who.userId} is lost: ${JSON.stringify(body)}`);
  const rows = body.data as Row[];
  const byRemark = Map.groupBy(rows, (row) => row.remarks ?? '');
  for (const [remarks, number] of ledger.placed) {
    const found = byRemark.get(remarks) ?? [];
    assert.ok(found.length <= 1, `${context}: ${remarks} is there ${found.length} times`);
    if (number !== undefined) assert.equal(found[0]?.orderNumber, number, `${context}: ${remarks}`);
  }
  for (const row of rows) {
    const number = row.orderNumber ?? '';
    if (ledger.cancelled.has(number)) assert.equal(row.status, 'CANCELED', `${context}: ${number}`);
    const modified = ledger.modified.get(number);
    if (modified !== undefined) assert.equal(row.quantity, modified, `${context}: the quantity of ${number}`);
    const asked = ledger.asked.get(number) ?? new Set();
    assert.ok(row.quantity === '3' || asked.has(row.quantity ?? ''), `${context}: ${number} has ${row.quantity}`);
  }
}

/** Units of the delivery product that were bought today, by conversions. */
export async function convertedUnits(service: StartedService, who: Who): Promise<number> {
  const { body } = await service.call('positionBook', { ...who });
  const rows = Array.isArray(body.data) ? (body.data as Row[]) : [];
  return rows.filter((row) => row.product === 'C').reduce((sum, row) => sum + Number(row.netQuantity), 0);
}
