/**
 * A short straddle on the day on which it expires, through the vendor's npm client, at 600 times the speed of the wall:
 * the session of a Monday takes 40 seconds. The call and the put at the money are sold at 09:20, each with a stop that
 * rests at the exchange, and what is still open is bought back at 15:10. Nothing is stepped here: the program looks at
 * the market's time, as it would on any day, and the exchange leaves no second out however fast the market is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startSauda } from '../../client/src/testing.ts';
import { SAUDA } from '../kit/launcher.ts';
import { VendorClient } from '../kit/vendor-client.ts';

const SPEED = 600;
/** The Monday before a Tuesday without trading, on which NIFTY options expire. */
const BEGIN = '2026-11-23T09:14:00';
const ENTRY = '09:20:00';
const EXIT = '15:10:00';
/** A leg is bought back when it costs this much more than it was sold for. */
const STOP = 1.4;
/** The stop's order may pay up to this much above its trigger. */
const ROOM = 1.05;
const LOOK_MS = 50;
const NIFTY = { exchange: 'NSE', tradingSymbol: 'NIFTY' } as const;

type Row = Readonly<Record<string, string>>;

/** One option of the straddle: its sale, and the stop that rests behind it. */
interface Leg {
  readonly symbol: string;
  readonly sale: string;
  readonly stop: string;
}

class Straddle {
  private readonly vendor: VendorClient;

  constructor(vendor: VendorClient) {
    this.vendor = vendor;
  }

  async trade(): Promise<void> {
    await this.until(ENTRY);
    const legs: Leg[] = [];
    for (const option of await this.atTheMoney()) legs.push(await this.sell(option));
    await this.until(EXIT);
    for (const leg of legs) await this.close(leg);
    await this.report();
  }

  /** Waits for a time of the market's day. */
  private async until(time: string): Promise<void> {
    for (;;) {
      const [quote] = await this.ask<Row[]>('getQuoteltp', NIFTY);
      if ((quote?.requestTime ?? '').slice(0, 8) >= time) return;
      await sleep(LOOK_MS);
    }
  }

  /** The call and the put of today's expiry whose strike is the nearest to the index. */
  private async atTheMoney(): Promise<readonly Row[]> {
    const { expiryDates } = await this.ask<{ expiryDates: string[] }>('getExpiry', NIFTY);
    const [today = ''] = expiryDates;
    const [quote] = await this.ask<Row[]>('getQuoteltp', NIFTY);
    const spot = Number(quote?.lastTradedPrice);
    const expiry = today.slice(0, 5) + today.slice(-2);
    const wanted = { exchange: 'NFO', symbol: 'NIFTY', expiry, count: 1, strikePrice: String(spot) };
    const chain = await this.ask<Row[]>('optionChain', wanted);
    const nearest = Math.min(...chain.map(({ strikePrice }) => Math.abs(Number(strikePrice) - spot)));
    console.log(`NIFTY at ${quote?.lastTradedPrice}, options of ${today}`);
    return chain.filter(({ strikePrice }) => Math.abs(Number(strikePrice) - spot) === nearest);
  }

  /** Sells a lot at the market, and leaves a stop at the exchange. */
  private async sell({ tradingSymbol: symbol = '', lotSize: quantity = '', tickSize = '' }: Row): Promise<Leg> {
    const sale = await this.place({ tradingSymbol: symbol, quantity, transactionType: 'S', priceType: 'MKT' });
    const { averagePrice, status, rejectReason } = await this.order(sale);
    if (status !== 'COMPLETE') throw new Error(`${symbol} was not sold: ${status} ${rejectReason}`);
    const triggerPrice = onTick(Number(averagePrice) * STOP, Number(tickSize));
    const price = onTick(Number(triggerPrice) * ROOM, Number(tickSize));
    const stop = await this.place({
      tradingSymbol: symbol,
      quantity,
      transactionType: 'B',
      priceType: 'SL-LMT',
      triggerPrice,
      price,
    });
    console.log(`sold ${quantity} ${symbol} at ${averagePrice}, stop at ${triggerPrice}`);
    return { symbol, sale, stop };
  }

  /** Buys a leg back unless its stop has done so. */
  private async close({ symbol, stop }: Leg): Promise<void> {
    const { status, averagePrice, quantity = '' } = await this.order(stop);
    if (status === 'COMPLETE') {
      console.log(`${symbol} was stopped out at ${averagePrice}`);
      return;
    }
    await this.ask('cancelOrder', { orderNumber: stop });
    const exit = await this.place({ tradingSymbol: symbol, quantity, transactionType: 'B', priceType: 'MKT' });
    console.log(`${symbol} bought back at ${(await this.order(exit)).averagePrice}`);
  }

  private async report(): Promise<void> {
    const rows = await this.ask<Row[]>('positionBook');
    for (const { tradingSymbol, netQuantity, RealizedPNL } of rows) {
      console.log(`${tradingSymbol}: ${netQuantity} units left, realised ${RealizedPNL} rupees`);
    }
    const { cash, marginused } = await this.ask<Row>('limit');
    console.log(`cash ${cash}, margin used ${marginused}`);
  }

  private async place(terms: Row): Promise<string> {
    const fixed = {
      exchange: 'NFO',
      product: 'M',
      retention: 'DAY',
      price: '0',
      triggerPrice: '0',
      remarks: 'straddle',
    };
    const { orderNumber = '' } = await this.ask<Row>('placeOrder', { ...fixed, ...terms });
    return orderNumber;
  }

  private async order(orderNumber: string): Promise<Row> {
    const rows = await this.ask<Row[]>('orderBook');
    return rows.find((row) => row.orderNumber === orderNumber) ?? {};
  }

  private ask<T>(name: string, params?: object): Promise<T> {
    return this.vendor.ask<T>(name, params);
  }
}

/** A price on the tick, as text. */
function onTick(price: number, tick: number): string {
  return (Math.round(price / tick) * tick).toFixed(2);
}

const speed = Number(process.argv[2] ?? SPEED);
await using service = await startSauda({ seed: 6, clock: 'exchange', at: BEGIN, speed, command: SAUDA });
const vendor = new VendorClient(`${service.url}/V1`);
try {
  const [user] = service.users;
  if (user === undefined) throw new Error('the service has no users');
  await vendor.login(user);
  const began = performance.now();
  await new Straddle(vendor).trade();
  console.log(`an expiry day at x${speed}, in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
} finally {
  vendor.close();
}
