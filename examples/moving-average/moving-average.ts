/**
 * A strategy of two moving averages over a month of NIFTY candles of 15 minutes: it is long one lot of the near future
 * while the fast average is above the slow one, else short. It trades: each decision is an order on the exchange, with
 * margin, charges and the nights between. The market stands still while the program thinks, and goes to the end of the
 * next candle when it is asked to, so a month takes about a minute.
 */
import { fromPaise, toPaise } from '../../client/src/money.ts';
import type { Sauda } from '../../client/src/sauda.ts';
import { startSauda } from '../../client/src/testing.ts';
import { instantOf } from '../../client/src/times.ts';
import { SAUDA } from '../kit/launcher.ts';
import { wantedSide } from './averages.ts';

/** The evening of the expiry before: the strategy begins with the next morning. */
const BEGIN = '2026-10-27T16:00:00';
/** The future's last day is its expiry, 23 November; the strategy ends on the trading day before. */
const LAST_DAY = '2026-11-20';
/** The last candle of a day at whose end the strategy decides. */
const LAST_CANDLE = '15:15:00';
const INDEX = 'NSE:NIFTY';
const FUTURE = { exchange: 'NFO', tradingSymbol: 'NIFTY23NOV26F', product: 'M' } as const;
const CANDLE_MINUTES = 15;
const FAST = 8;
const SLOW = 21;
/** The candles before the first day warm the averages up, over a weekend too. */
const WARM_UP_MS = 4 * 86_400_000;

/** A trading day of the strategy, in rupees of the service. */
interface Day {
  readonly date: string;
  readonly index: string;
  readonly side: -1 | 0 | 1;
  readonly orders: number;
  /** The result of the day after its charges. */
  readonly net: string;
  readonly drawdown: string;
}

/** Trades the days up to the last one, or this number of them. */
async function trade(sauda: Sauda, mostDays: number, report: (day: Day) => void): Promise<readonly Day[]> {
  const lot = Number((await sauda.market.info(FUTURE)).lotSize);
  const days: Day[] = [];
  let side: -1 | 0 | 1 = 0;
  while (days.length < mostDays) {
    const [date = '', time = ''] = (await sauda.time.to('open')).market.split(' ');
    if (date > LAST_DAY) break;
    // An evening session, as of Muhurat, has no candles of the day.
    if (time > LAST_CANDLE) continue;
    const isLast = date === LAST_DAY || days.length + 1 === mostDays;
    const before: number = side;
    let orders = 0;
    for (const end of candleEnds(date)) {
      await sauda.time.to(end);
      const wanted = wantedSide(await closesUpTo(sauda, end), FAST, SLOW);
      if (wanted === side || wanted === 0) continue;
      await order(sauda, (wanted - side) * lot);
      side = wanted;
      orders += 1;
    }
    if (isLast && side !== 0) {
      await order(sauda, -side * lot);
      orders += 1;
    }
    if (orders === 0 && before === 0) continue;
    const day = await dayOf(sauda, { date, side: isLast ? 0 : side, orders });
    days.push(day);
    report(day);
    if (isLast) break;
  }
  return days;
}

/** The ends of the day's candles, from 09:30 to 15:15. */
function candleEnds(date: string): readonly Date[] {
  const open = instantOf(`${date} 09:15:00`).getTime();
  return Array.from({ length: 24 }, (_, index) => new Date(open + (index + 1) * CANDLE_MINUTES * 60_000));
}

/** The closes of the index, the newest last. A candle that begins at `end` is not over yet. */
async function closesUpTo(sauda: Sauda, end: Date): Promise<readonly number[]> {
  const range = { from: new Date(end.getTime() - WARM_UP_MS), to: new Date(end.getTime() - 1_000) };
  const candles = await sauda.market.candles(INDEX, { ...range, interval: '15mi' });
  return candles.slice(-SLOW).map(({ close }) => close);
}

/** Buys units, or sells them where the number is negative, at the market. */
async function order(sauda: Sauda, units: number): Promise<void> {
  const transactionType = units > 0 ? 'B' : 'S';
  const terms = { ...FUTURE, transactionType, quantity: Math.abs(units), priceType: 'MKT' } as const;
  const { outcome, order } = await sauda.orders.placeAndWait({ ...terms, remarks: 'averages' }, { until: 'final' });
  if (outcome !== 'filled') throw new Error(`an order was ${outcome}: ${order?.rejectReason ?? ''}`);
}

async function dayOf(sauda: Sauda, { date, side, orders }: Pick<Day, 'date' | 'side' | 'orders'>): Promise<Day> {
  await sauda.time.to(instantOf(`${date} 15:41:00`));
  const [index, { net }, curve] = await Promise.all([
    sauda.market.ltp(INDEX),
    sauda.portfolio.results(),
    sauda.portfolio.dayCurve(),
  ]);
  return { date, index, side, orders, net, drawdown: curve.greatestDrawdown };
}

const SIDES = { '-1': 'short', 0: 'flat', 1: 'long' } as const;

function lineOf({ date, index, side, orders, net, drawdown }: Day): string {
  const cells = [date, index.padStart(10), SIDES[side].padStart(6), String(orders).padStart(7)];
  return [...cells, net.padStart(12), drawdown.padStart(12)].join('  ');
}

if (import.meta.main) {
  const mostDays = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);
  await using service = await startSauda({ seed: 6, clock: 'exchange', at: BEGIN, speed: 0, command: SAUDA });
  const began = performance.now();
  const sauda = await service.login();
  const { cash: before } = await sauda.portfolio.limits();
  console.log(
    `NIFTY, averages of ${FAST} and ${SLOW} candles of ${CANDLE_MINUTES} minutes, one lot of ${FUTURE.tradingSymbol}`,
  );
  console.log('date             index    side   orders  result, net  largest drop');
  const days = await trade(sauda, mostDays, (day) => console.log(lineOf(day)));
  const evening = days.at(-1)?.date ?? '';
  await sauda.time.to(new Date(instantOf(`${evening} 15:41:00`).getTime() + 86_400_000));
  const { cash: after } = await sauda.portfolio.limits();
  const result = fromPaise(toPaise(after) - toPaise(before));
  const orders = days.reduce((sum, day) => sum + day.orders, 0);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${days.length} trading days, ${orders} orders: ${result} rupees after charges, in ${seconds} s`);
}
