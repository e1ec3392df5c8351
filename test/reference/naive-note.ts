import type { Exchange } from '../../src/base/ids.ts';
import type { TradeClass } from '../../src/core/charges/charge-rates.ts';
import type { Side } from '../../src/core/order.ts';

/** The trades of one order on a day. Amounts in paise. */
export interface NaiveTrade {
  readonly exchange: Exchange;
  readonly tradeClass: TradeClass;
  readonly side: Side;
  readonly amount: number;
  readonly units: number;
  readonly isin: string;
  readonly gross: boolean;
  readonly squaredOff: boolean;
}

/**
 * The amount on which a contract that expired is charged: the intrinsic value of a long option, or the value of the
 * shares that it moves.
 */
export interface NaiveExpiry {
  readonly exchange: Exchange;
  readonly exercised?: number;
  readonly delivered?: { readonly isin: string; readonly side: Side; readonly value: number };
}

/**
 * Shares of the amount in parts of a billion, brokerage with its most in paise. Source: market-rules 6.1, as of
 * November 2026.
 */
const RATES: Readonly<Record<TradeClass, NaiveRates>> = {
  delivery: { brokerage: 0n, most: 0n, stt: { B: 1_000_000n, S: 1_000_000n }, stamp: 150_000n, clearing: 0n },
  intraday: { brokerage: 300_000n, most: 2_000n, stt: { B: 0n, S: 250_000n }, stamp: 30_000n, clearing: 0n },
  future: { brokerage: 300_000n, most: 2_000n, stt: { B: 0n, S: 500_000n }, stamp: 20_000n, clearing: 2_500n },
  option: { brokerage: undefined, most: 2_000n, stt: { B: 0n, S: 1_500_000n }, stamp: 30_000n, clearing: 45_000n },
};

interface NaiveRates {
  readonly brokerage: bigint | undefined;
  readonly most: bigint;
  readonly stt: Readonly<Record<Side, bigint>>;
  readonly stamp: bigint;
  readonly clearing: bigint;
}

/** The exchange's charge and the investor protection, in parts of a billion. */
function turnoverRates(exchange: Exchange, tradeClass: TradeClass): readonly [transaction: bigint, protection: bigint] {
  if (exchange === 'NSE') return [30_699n, 1n];
  if (exchange === 'BSE') return [37_500n, 0n];
  if (exchange === 'NFO') return tradeClass === 'future' ? [18_299n, 1n] : [355_200n, 100n];
  return tradeClass === 'future' ? [0n, 0n] : [325_000n, 0n];
}

const SEBI = 1_000n;
const EXERCISE_STT = 1_500_000n;
const DELIVERY_STT = 1_000_000n;
const DELIVERY_STAMP = 150_000n;
const SQUARE_OFF_FEE = 50_00;
const DEPOSITORY_FEE = 13_50;
/** Hundredths of a billionth of a paisa: a tax in whole percent of a share leaves no remainder. */
const PAISA = 100_000_000_000n;

/**
 * All that a day is charged, in paise: each item of a segment is rounded once, STT and stamp duty to the rupee. Source:
 * market-rules R6.2.
 */
export function naiveNote(trades: readonly NaiveTrade[], expiries: readonly NaiveExpiry[]): number {
  let total = 0;
  for (const exchange of ['NSE', 'BSE', 'NFO', 'BFO'] as const) {
    total += sectionTotal(
      trades.filter((trade) => trade.exchange === exchange),
      expiries.filter((expiry) => expiry.exchange === exchange),
    );
  }
  const fee = DEPOSITORY_FEE * scripsGone(trades, expiries);
  return total + fee + Number(halfUp(BigInt(fee) * 18n, 100n));
}

function sectionTotal(trades: readonly NaiveTrade[], expiries: readonly NaiveExpiry[]): number {
  const sums = { brokerage: 0n, transaction: 0n, protection: 0n, sebi: 0n, clearing: 0n, tax: 0n };
  const duties = { stt: 0n, stamp: 0n };
  for (const { exchange, tradeClass, side, amount } of trades) {
    const { brokerage, most, stt, stamp, clearing } = RATES[tradeClass];
    const [transaction, protection] = turnoverRates(exchange, tradeClass);
    const share = (parts: bigint): bigint => BigInt(amount) * parts * 100n;
    const charged = brokerage === undefined || share(brokerage) > most * PAISA ? most * PAISA : share(brokerage);
    sums.brokerage += charged;
    sums.transaction += share(transaction);
    sums.protection += share(protection);
    sums.sebi += share(SEBI);
    sums.clearing += share(clearing);
    sums.tax += ((charged + share(transaction + protection + SEBI)) * 18n) / 100n;
    duties.stt += share(stt[side]);
    if (side === 'B') duties.stamp += share(stamp);
  }
  for (const { exercised = 0, delivered } of expiries) {
    duties.stt += BigInt(exercised) * EXERCISE_STT * 100n;
    if (delivered === undefined) continue;
    duties.stt += BigInt(delivered.value) * DELIVERY_STT * 100n;
    if (delivered.side === 'B') duties.stamp += BigInt(delivered.value) * DELIVERY_STAMP * 100n;
  }
  const fees = SQUARE_OFF_FEE * trades.filter(({ squaredOff }) => squaredOff).length;
  sums.tax += (BigInt(fees) * PAISA * 18n) / 100n;
  let total = fees;
  for (const sum of Object.values(sums)) total += Number(halfUp(sum, PAISA));
  for (const duty of Object.values(duties)) total += 100 * Number(halfUp(duty, 100n * PAISA));
  return total;
}

/**
 * Scrips that leave the depository account: more sold than bought, sold at all where trades are settled one by one, or
 * delivered by a contract.
 */
function scripsGone(trades: readonly NaiveTrade[], expiries: readonly NaiveExpiry[]): number {
  const gone = new Set<string>();
  const net = new Map<string, number>();
  for (const { tradeClass, isin, side, units, gross } of trades) {
    if (tradeClass !== 'delivery') continue;
    if (gross && side === 'S') gone.add(isin);
    if (!gross) net.set(isin, (net.get(isin) ?? 0) + (side === 'S' ? units : -units));
  }
  for (const [isin, units] of net) if (units > 0) gone.add(isin);
  for (const { delivered } of expiries) if (delivered?.side === 'S') gone.add(delivered.isin);
  return gone.size;
}

/** The nearest whole number of `amount / unit`, halves up; `amount` at least 0. */
export function halfUp(amount: bigint, unit: bigint): bigint {
  return (amount * 2n + unit) / (unit * 2n);
}
