/**
 * Five trading days of a trader, Thursday to Thursday, through the vendor's npm client: the opening auction, continuous
 * trading, a square-off, the closing auction, an option that is held until it expires, shares that settle on the next
 * day, and the charges. The market's clock is stepped from one act to the next, so a run takes seconds and needs no
 * sleep, and a second run from the same seed gives the same answers.
 */
import { Sauda } from '../../client/src/sauda.ts';
import { startSauda } from '../../client/src/testing.ts';
import type { Time } from '../../client/src/time.ts';
import { SAUDA } from '../kit/launcher.ts';
import { VendorClient } from '../kit/vendor-client.ts';

/** The settings of a service for this run: the market stands still on a Thursday morning before the open. */
export const FIVE_DAYS = { SAUDA_HOURS: 'exchange', SAUDA_CLOCK: '2026-11-19T08:55:00', SAUDA_SPEED: '0' } as const;

/** The part of the market's clock that the run needs. */
export type Clock = Pick<Time, 'to'>;

/** An act of the trader: the market's instant, the operation, and the data of the answer. */
export interface DiaryLine {
  readonly at: string;
  readonly call: string;
  readonly answer: unknown;
}

/** The figures of the run, as the service has them. */
export interface FiveDays {
  readonly diary: readonly DiaryLine[];
  /** A line for each thing that was seen. */
  readonly story: readonly string[];
}

type Row = Readonly<Record<string, string>>;
type Terms = Readonly<Record<string, string | number>>;

const MARKET_ORDER = {
  priceType: 'MKT',
  price: '0',
  triggerPrice: '0',
  retention: 'DAY',
  transactionType: 'B',
} as const;
const ITC = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' } as const;
const RELIANCE = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' } as const;
const HDFCBANK = { exchange: 'NSE', tradingSymbol: 'HDFCBANK-EQ' } as const;
const NIFTY = { exchange: 'NSE', tradingSymbol: 'NIFTY' } as const;

/**
 * Trades the five days, or the first ones of them, for a client that is logged in, on a service with the settings
 * `FIVE_DAYS`.
 */
export function tradeFiveDays(vendor: VendorClient, clock: Clock, days = 5): Promise<FiveDays> {
  return new Trader(vendor, clock).trade(days);
}

class Trader {
  private readonly vendor: VendorClient;
  private readonly clock: Clock;
  private readonly diary: DiaryLine[] = [];
  private readonly story: string[] = [];
  /** The option that is held until it expires. */
  private option = '';
  private now = FIVE_DAYS.SAUDA_CLOCK.replace('T', ' ');

  constructor(vendor: VendorClient, clock: Clock) {
    this.vendor = vendor;
    this.clock = clock;
  }

  async trade(days: number): Promise<FiveDays> {
    const week = [this.thursday, this.friday, this.expiryMonday, this.wednesday, this.secondThursday];
    for (const day of week.slice(0, days)) await day.call(this);
    return { diary: this.diary, story: this.story };
  }

  /** The opening auction, an option, a position that is squared off, the closing auction. */
  private async thursday(): Promise<void> {
    await this.to('2026-11-19T09:02:00');
    const opening = await this.place({ ...ITC, ...MARKET_ORDER, product: 'C', quantity: 100 });
    await this.tell('ITC waits for the opening auction', async () => filled(await this.order(opening)));
    await this.to('2026-11-19T09:15:00');
    await this.tell('the auction filled it', async () => filled(await this.order(opening)));

    await this.to('2026-11-19T10:00:00');
    const option = await this.atTheMoney();
    this.option = option.symbol;
    const put = await this.place({
      exchange: 'NFO',
      tradingSymbol: option.symbol,
      ...MARKET_ORDER,
      product: 'M',
      quantity: option.lot,
    });
    await this.tell(`bought ${option.symbol}`, async () => filled(await this.order(put)));
    const intraday = await this.place({ ...RELIANCE, ...MARKET_ORDER, product: 'I', quantity: 10 });
    await this.tell('bought RELIANCE intraday', async () => filled(await this.order(intraday)));
    await this.to('2026-11-19T15:12:00');
    await this.tell('squared off at 15:10', async () => {
      const rows = await this.ask<Row[]>('orderBook');
      return filled(rows.find(({ remarks }) => remarks === 'System square off') ?? {});
    });

    await this.to('2026-11-19T15:21:00');
    const closing = await this.place({ ...HDFCBANK, ...MARKET_ORDER, product: 'C', quantity: 20 });
    await this.to('2026-11-19T15:36:00');
    await this.tell('the closing auction filled HDFCBANK', async () => filled(await this.order(closing)));
    await this.tell('cash in the evening', () => this.cash());
  }

  /** The shares of yesterday are in the holdings, its charges are paid; half of them are sold. */
  private async friday(): Promise<void> {
    await this.to('2026-11-20T09:30:00');
    await this.tell('holdings on the day after', () => this.holdings());
    await this.tell('cash after the charges', () => this.cash());
    const sold = await this.place({ ...ITC, ...MARKET_ORDER, transactionType: 'S', product: 'C', quantity: 50 });
    await this.tell('sold half of ITC', async () => filled(await this.order(sold)));
  }

  /** The option is held until it expires. */
  private async expiryMonday(): Promise<void> {
    await this.to('2026-11-23T15:41:00');
    await this.tell('NIFTY at the expiry', () => this.index());
    await this.tell(`${this.option} has expired`, () => this.position(this.option));
    await this.tell('cash in the evening', () => this.cash());
  }

  /** The next trading day: what the option was worth is cash. Tuesday was a holiday. */
  private async wednesday(): Promise<void> {
    await this.to('2026-11-25T09:20:00');
    await this.tell(`${this.option} is settled`, () => this.position(this.option));
    await this.tell('cash with the settlement', () => this.cash());
    const resting = await this.place({ ...ITC, ...MARKET_ORDER, transactionType: 'S', product: 'C', quantity: 150 });
    await this.tell('sold ITC', async () => filled(await this.order(resting)));
  }

  /** A last intraday trade, and the morning after. */
  private async secondThursday(): Promise<void> {
    await this.to('2026-11-26T11:00:00');
    const short = await this.place({ ...RELIANCE, ...MARKET_ORDER, transactionType: 'S', product: 'I', quantity: 10 });
    await this.to('2026-11-26T14:00:00');
    const back = await this.place({ ...RELIANCE, ...MARKET_ORDER, product: 'I', quantity: 10 });
    await this.tell('sold RELIANCE short', async () => filled(await this.order(short)));
    await this.tell('bought it back', async () => filled(await this.order(back)));
    await this.to('2026-11-27T08:00:00');
    await this.tell('holdings after five days', () => this.holdings());
    await this.tell('cash after five days', () => this.cash());
  }

  private async to(instant: `${number}-${number}-${number}T${number}:${number}:${number}`): Promise<void> {
    this.now = (await this.clock.to(instant)).market;
  }

  /** Calls an operation and keeps its answer in the diary. */
  private async ask<T>(call: string, params: object = {}): Promise<T> {
    const answer = await this.vendor.ask<T>(call, params);
    this.diary.push({ at: this.now, call, answer });
    return answer;
  }

  private async tell(what: string, seen: () => Promise<string>): Promise<void> {
    this.story.push(`${this.now}  ${what}: ${await seen()}`);
  }

  private async place(terms: Terms): Promise<string> {
    const { orderNumber } = await this.ask<Row>('placeOrder', { remarks: 'five days', ...terms });
    return orderNumber ?? '';
  }

  private async order(orderNumber: string): Promise<Row> {
    const rows = await this.ask<Row[]>('orderBook');
    return rows.find((row) => row.orderNumber === orderNumber) ?? {};
  }

  private async position(symbol: string): Promise<string> {
    const rows = await this.ask<Row[]>('positionBook');
    const row = rows.find(({ tradingSymbol }) => tradingSymbol === symbol);
    return row === undefined ? 'no position' : `${row.netQuantity} units, realised ${row.RealizedPNL}`;
  }

  private async holdings(): Promise<string> {
    const rows = await this.ask<HoldingRow[]>('getHoldingsDetails');
    return rows.map(holdingText).join(', ');
  }

  private async index(): Promise<string> {
    const [quote] = await this.ask<Row[]>('getQuoteltp', NIFTY);
    return quote?.lastTradedPrice ?? '';
  }

  private async cash(): Promise<string> {
    const limits = await this.ask<Row>('limit');
    return `${limits.cash}, margin used ${limits.marginused}`;
  }

  /** The put at the money of the nearest expiry, and its lot. */
  private async atTheMoney(): Promise<{ readonly symbol: string; readonly lot: number }> {
    const { expiryDates } = await this.ask<{ expiryDates: string[] }>('getExpiry', NIFTY);
    const [nearest = ''] = expiryDates;
    const strikePrice = await this.index();
    const expiry = nearest.slice(0, 5) + nearest.slice(-2);
    const wanted = { exchange: 'NFO', symbol: 'NIFTY', expiry, count: 1, strikePrice };
    const chain = await this.ask<Row[]>('optionChain', wanted);
    const puts = chain.filter(({ optionType }) => optionType === 'PE');
    const middle = puts[Math.floor(puts.length / 2)];
    if (middle === undefined) throw new Error('the chain has no puts');
    return { symbol: middle.tradingSymbol ?? '', lot: Number(middle.lotSize) };
  }
}

interface HoldingRow {
  readonly exchangeTradingSymbol: readonly Row[];
  readonly holdQuantity: string;
  /** Shares of the day before, which can be sold and are delivered at this day's end. */
  readonly BTSTQuantity: string;
}

/** `200 ITC-EQ and 100 on their way`. */
function holdingText({ exchangeTradingSymbol: [row], holdQuantity, BTSTQuantity }: HoldingRow): string {
  const coming = BTSTQuantity === '0' ? '' : ` and ${BTSTQuantity} on their way`;
  return `${holdQuantity} ${row?.tradingSymbol}${coming}`;
}

/** `10 at 1412.50`, or the order's status and the reason of a refusal. */
function filled({ status, fillShares, averagePrice, rejectReason }: Row): string {
  return status === 'COMPLETE' ? `${fillShares} at ${averagePrice}` : `${status}${rejectReason ?? ''}`;
}

if (import.meta.main) {
  const service = await startSauda({ command: SAUDA, settings: FIVE_DAYS });
  const vendor = new VendorClient(`${service.url}/V1`);
  try {
    const [user] = service.users;
    if (user === undefined) throw new Error('the service has no users');
    await vendor.login(user);
    const { time } = new Sauda({ url: service.url, userId: user.userId, operator: service.operator });
    const began = performance.now();
    const { story, diary } = await tradeFiveDays(vendor, time);
    console.log(story.join('\n'));
    console.log(`five trading days, ${diary.length} calls, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } finally {
    vendor.close();
    await service.stop();
  }
}
