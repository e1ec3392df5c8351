import { setImmediate } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import { DAY_MS, dayOfCivil, type EpochMs, HOUR_MS, istInstant } from '../../../src/base/time.ts';
import { MAX_SESSIONS } from '../../../src/core/access/sessions.ts';
import type { LongReply } from '../../../src/gateway/http/long-reply.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { Wire } from '../../../src/gateway/wire.ts';
import { wholeReply } from '../../kit/whole-reply.ts';
import { type FuzzUser, FuzzWorld } from '../../property/fuzz/fuzz-world.ts';

/** Tuesday, 17 November 2026, 11:00 IST: the day before the one on which access is tried. */
const YESTERDAY = istInstant(must(dayOfCivil(2026, 11, 17), 'a date'), 11 * HOUR_MS);

const SHARE = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
const TERMS = { retention: 'DAY', product: 'C', priceType: 'LMT', price: '1300.00', triggerPrice: '0' };
const BUY = { ...SHARE, ...TERMS, transactionType: 'B', quantity: '1', remarks: 'Test' };
const GTT = {
  ...SHARE,
  validity: 'GTT',
  value: '9000.00',
  remarks: 'Test',
  OrderParams: { ...TERMS, transactionType: 'B', quantity: '1' },
};
const QUESTION = { ...SHARE, transactionType: 'B', product: 'C', quantity: '1', priceType: 'LMT', price: '1300.00' };

type BodyOf = (orderNumber: string, gttId: string, alertId: string) => object;

/**
 * A request of every operation behind a session that is answered with a success. The numbers of the order, the
 * GTT and the alert are the caller's.
 */
export const REQUESTS: ReadonlyMap<string, BodyOf> = new Map<string, BodyOf>([
  ['/searchScrips', () => ({ stext: 'RELIANCE' })],
  ['/getQuote/ltp', () => SHARE],
  ['/getQuote', () => SHARE],
  ['/getMultiQuotes', () => ({ data: [SHARE] })],
  ['/getMultiQuotes/ltp', () => ({ data: [SHARE] })],
  ['/securityInfo', () => SHARE],
  ['/indexList', () => ({})],
  ['/getExpiry', () => ({ exchange: 'NFO', tradingSymbol: 'NIFTY' })],
  ['/optionChain', () => ({ exchange: 'NFO', symbol: 'NIFTY', expiry: '23NOV26', count: '3', strikePrice: '24000' })],
  [
    '/timePriceSeries',
    () => ({ ...SHARE, startTime: '09:15:00 17-11-2026', endTime: '09:20:00 17-11-2026', interval: '1mi' }),
  ],
  ['/placeOrder', () => BUY],
  ['/modifyOrder', (orderNumber) => ({ ...SHARE, ...TERMS, orderNumber, quantity: '2' })],
  ['/singleOrderHistory', (orderNumber) => ({ orderNumber })],
  ['/cancelOrder', (orderNumber) => ({ orderNumber })],
  ['/tradeBook', () => ({})],
  ['/positionBook', () => ({})],
  ['/holdings', () => ({})],
  ['/holdingsDetails', () => ({})],
  ['/productConversion', () => ({ ...SHARE, product: 'C', previousProduct: 'I', quantity: '1', msgFlag: '1' })],
  ['/basketMargin', () => ({ ...QUESTION, BasketList_Params: [QUESTION] })],
  ['/orderMargin', () => QUESTION],
  ['/brokerageCalculator', () => ({ ...SHARE, transactionType: 'B', Product: 'C', quantity: '1', price: '1300.00' })],
  ['/limit', () => ({})],
  ['/orderBook', () => ({})],
  ['/userDetails', () => ({})],
  ['/optionChainGreeks', () => ({ exchange: 'NFO', symbol: 'NIFTY', expiry: '23NOV26', count: 'ALL' })],
  ['/basketOrder', () => ({ legs: [BUY] })],
  ['/placeAMO', () => BUY],
  ['/placeAfterMarketOrder', () => BUY],
  ['/modifyAMO', (orderNumber) => ({ ...TERMS, orderNumber, quantity: '2' })],
  ['/modifyAfterMarketOrder', (orderNumber) => ({ ...TERMS, orderNumber, quantity: '2' })],
  ['/combinedHoldings', () => ({})],
  ['/cancelAllOrders', () => ({})],
  ['/exitAllPositions', () => ({})],
  ['/getOrderWhy', (orderNumber) => ({ orderNumber })],
  ['/previewOrders', () => ({ orders: [{ ...SHARE, ...TERMS, transactionType: 'B', quantity: '1' }] })],
  ['/getStrategy', () => ({ legs: [{ ...SHARE, transactionType: 'B', quantity: '1' }] })],
  ['/getQueuePlaces', () => ({})],
  ['/getPlacement', () => ({ idempotencyKey: 'first' })],
  ['/getMarketStatus', () => ({})],
  ['/getHoldings', () => ({})],
  ['/getResults', () => ({})],
  ['/getFunds', () => ({})],
  ['/getDayCurve', () => ({})],
  ['/getTradeCharges', () => ({})],
  ['/getInstrument', () => SHARE],
  ['/placeGttOrder', () => GTT],
  ['/modifyGttOrder', (_order, gtt) => ({ ...GTT, GTTid: gtt, value: '' })],
  ['/cancelGttOrder', (_order, gtt) => ({ GTTid: gtt })],
  ['/GttOrderBook', () => ({})],
  ['/saveWatchlist', () => ({ name: 'Banks', instruments: [SHARE] })],
  ['/getWatchlists', () => ({})],
  ['/deleteWatchlist', () => ({ name: 'Banks' })],
  ['/placeAlert', () => ({ ...SHARE, condition: 'ABOVE', price: '9999.00' })],
  ['/getAlerts', () => ({})],
  ['/cancelAlert', (_order, _gtt, alertId) => ({ alertId })],
  ['/logout', () => ({})],
]);

/** The sessions and secrets that one of the two users has and had. */
export interface Party {
  readonly user: FuzzUser;
  /** Of a session that lives. */
  readonly jKey: string;
  /** Tokens that opened the door once: logged out, pushed out by newer ones, and ended by the night. */
  readonly oldTokens: readonly (readonly [how: string, token: string])[];
  /** An order that rests today, and one of yesterday. */
  readonly order: string;
  readonly oldOrder: string;
  /** A GTT that waits. */
  readonly gtt: string;
  /** An alert that is active. */
  readonly alert: string;
}

/** A world on the day after its users traded, asked without sockets. */
export class Doorway {
  readonly world: FuzzWorld;
  private readonly wire: Wire;

  private constructor(world: FuzzWorld) {
    this.world = world;
    this.wire = new Wire(world.deps);
  }

  static async open(): Promise<Doorway> {
    const settings = { regime: 'always', at: YESTERDAY, rateLimit: 'off', slicing: 'off' } as const;
    return new Doorway(await FuzzWorld.open(settings));
  }

  /** Lets two users trade, the night pass, and both come back. */
  async parties(): Promise<readonly [Party, Party]> {
    const { world } = this;
    const both = [must(world.users[0], 'a user'), must(world.users[1], 'a user')] as const;
    const nightly = both.map((user) => must(user.tokens[0], 'a session'));
    const oldOrders = [await this.place(both[0], nightly[0]), await this.place(both[1], nightly[1])];
    world.now = (world.now + DAY_MS) as EpochMs;
    world.engine.passSecond();
    return [await this.party(both[0], nightly[0], oldOrders[0]), await this.party(both[1], nightly[1], oldOrders[1])];
  }

  private async party(user: FuzzUser, nightly = '', oldOrder = ''): Promise<Party> {
    const { world } = this;
    const pushedOut = await world.openSession(user);
    for (let count = 1; count < MAX_SESSIONS; count += 1) await world.openSession(user);
    const loggedOut = must(user.tokens.at(-1), 'a session');
    const jKey = await world.openSession(user);
    await this.ask('/logout', { userId: user.plain.userId, jKey: loggedOut });
    const oldTokens = [
      ['logged out', loggedOut],
      ['pushed out', pushedOut],
      ['ended by the night', nightly],
    ] as const;
    const order = await this.place(user, jKey);
    const [gtt, alert] = [await this.wait(user, jKey), await this.alert(user, jKey)];
    return { user, jKey, oldTokens, order, oldOrder, gtt, alert };
  }

  private async place(user: FuzzUser, jKey = ''): Promise<string> {
    const reply = await this.ask('/placeOrder', { userId: user.plain.userId, jKey, ...BUY, price: this.farPrice() });
    return String(JSON.parse(reply.body).data.orderNumber);
  }

  /** A GTT that waits for a price far above. */
  private async wait({ plain: { userId } }: FuzzUser, jKey: string): Promise<string> {
    const reply = await this.ask('/placeGttOrder', { userId, jKey, ...GTT });
    return String(JSON.parse(reply.body).data.GTTid);
  }

  private async alert({ plain: { userId } }: FuzzUser, jKey: string): Promise<string> {
    const reply = await this.ask('/placeAlert', { userId, jKey, ...SHARE, condition: 'ABOVE', price: '9999.00' });
    return String(JSON.parse(reply.body).data.alertId);
  }

  /** A tenth below the last price: an order that rests. */
  private farPrice(): string {
    const { deps, now } = this.world;
    const share = must(deps.instruments.find('NSE', 'RELIANCE-EQ', now), 'a share');
    const { price } = deps.market.lastPrint(share.id, deps.market.tickAt(now));
    return `${Math.floor((price * 0.95) / 100)}.00`;
  }

  async ask(path: string, body: object, idempotencyKey?: string): Promise<Reply> {
    // Requests that come one by one are not a queue: each has a turn of the event loop to itself.
    await setImmediate();
    return new Promise((resolve, cut) => {
      const sendLong = (reply: LongReply): void => resolve(wholeReply(reply));
      const exchange = { address: '10.0.0.1', idempotencyKey, belongTo: () => true, send: resolve, sendLong, cut };
      const operation = this.wire.route('POST', `/V1${path}`, exchange);
      if (operation !== undefined) this.wire.enter(operation, JSON.stringify(body), exchange);
    });
  }
}
