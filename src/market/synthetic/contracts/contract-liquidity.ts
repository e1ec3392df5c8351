/**
 * Volume, open interest and spread of futures and options on a typical day, fitted to real contracts, with the roll
 * from month to month. Prices are made in `contract-source.ts`; the volume of shares is in `trades/liquidity.ts`.
 */
import { must } from '../../../base/assert.ts';
import { hashAt, unitOf } from '../../../base/random.ts';
import { civilDate, dayOfCivil, type IstDay, weekday } from '../../../base/time.ts';
import type { Derivative } from '../../../core/instrument.ts';
import { exp, log } from '../../options/elementary.ts';

/** The inputs of a contract's liquidity. */
export interface ContractView {
  readonly contract: Derivative;
  /** The first day of it, or of the first contract in whose place it came. */
  readonly bornOn: IstDay;
  /** Units of the underlying share traded on a typical day; 0 for an index. */
  readonly cashVolume: number;
  /** The underlying's price in paise when the day begins. */
  readonly spot: number;
  readonly annualVolatility: number;
  readonly day: IstDay;
  readonly seed: number;
  /** How many times the usual open interest the contracts on its underlying have on that day. */
  readonly crowding: number;
}

/** How busy the derivatives of an index are: lots of its near future a day, and its options against those of NIFTY. */
interface IndexBusiness {
  readonly future: number;
  /** Open interest of the near future, as days of that. */
  readonly openDays: number;
  readonly option: number;
  readonly weekly: boolean;
}

/**
 * Source: NSE F&O bhavcopies of January to March 2026 (NIFTY, BANKNIFTY) and of 11-Sep-2025 (the others against them).
 */
const INDEX_BUSINESS: ReadonlyMap<string, IndexBusiness> = new Map([
  ['NIFTY', { future: 78_000, openDays: 3.1, option: 1, weekly: true }],
  ['BANKNIFTY', { future: 27_000, openDays: 1.7, option: 1, weekly: false }],
  ['SENSEX', { future: 30_000, openDays: 3, option: 0.35, weekly: true }],
  ['MIDCPNIFTY', { future: 9_000, openDays: 3, option: 0.15, weekly: false }],
  ['FINNIFTY', { future: 1_000, openDays: 3, option: 0.05, weekly: false }],
  ['NIFTYNXT50', { future: 500, openDays: 3, option: 0.01, weekly: false }],
  ['BANKEX', { future: 200, openDays: 3, option: 0.004, weekly: false }],
]);
const OTHER_INDEX: IndexBusiness = { future: 100, openDays: 3, option: 0.002, weekly: false };

/** Values by days to expiry, between which their logarithms go straight. */
type Curve = readonly (readonly [days: number, value: number])[];

/**
 * Lots a day of an option at the money, by days to expiry. Source: as above; an expiry wakes up as the one before it
 * ends.
 */
const WEEKLY_LOTS: Curve = logarithms([
  [0, 52e6],
  [1, 9.2e6],
  [4, 3.7e6],
  [6, 3.2e6],
  [7, 700_000],
  [8, 120_000],
  [11, 27_000],
  [18, 4_400],
  [26, 800],
  [34, 300],
]);
const MONTHLY_BESIDE_WEEKLY_LOTS: Curve = logarithms([
  [0, 52e6],
  [1, 9.2e6],
  [4, 3.7e6],
  [6, 3.2e6],
  [7, 900_000],
  [8, 300_000],
  [12, 110_000],
  [19, 72_000],
  [28, 20_000],
  [47, 5_000],
  [75, 1_200],
  [110, 2_500],
  [300, 80],
  [700, 1],
]);
const MONTHLY_ALONE_LOTS: Curve = logarithms([
  [0, 9e6],
  [1, 2e6],
  [6, 500_000],
  [19, 75_000],
  [28, 30_000],
  [40, 1_000],
  [75, 5],
  [110, 1],
]);
/** Open interest of options as days of what they trade, by days to expiry. */
const OPEN_DAYS: Curve = logarithms([
  [0, 0.006],
  [1, 0.014],
  [4, 0.04],
  [6, 0.017],
  [8, 0.2],
  [11, 0.45],
  [18, 0.8],
  [47, 3.5],
  [110, 12],
]);
/** Of stock options, which trade less often. */
const STOCK_OPEN_DAYS: Curve = logarithms([
  [0, 0.3],
  [19, 1],
  [47, 1.8],
  [110, 4],
]);

/**
 * Volume of the near future of a stock, as a share of the cash listing's volume; then that of its option at the money
 * on the last day.
 */
const STOCK_FUTURE_SHARE = 0.92;
const STOCK_OPTION_SHARE = 0.4;
const STOCK_PATIENCE = 20;
/** Options of the months behind the near one, against what their days to expiry say. */
const STOCK_BEHIND = 0.1;
/** The business of contracts on BSE shares, as a part of that on NSE: they hardly trade. */
const BSE_STOCK_BUSINESS = 0.002;

/** Open interest of the near future of a stock, as days of its typical volume. */
const STOCK_FUTURE_OPEN_DAYS = 9.3;
/**
 * The roll. Until this many days before a month's contract expires the next month's has little open, and then takes it
 * over; some is left to expire. Source: NIFTY in the bhavcopies of January to March 2026.
 */
const ROLL_DAYS = 6;
const LEFT_TO_EXPIRE = 0.4;
const ROLLED_AT_EXPIRY = 0.86;
const OPEN_BEFORE_ROLL = 0.16;
/** Before its roll, a month trades and has open a third as much this many days earlier. */
const AHEAD_DAYS = 26;
const VOLUME_BEFORE_ROLL = 0.09;
/** Volume in a month against the change of its open interest: not every trade opens or closes a position. */
const TURNED_OVER = 1.25;
/** Open interest strays this far from what its age says. */
const OPEN_NOISE = 0.02;
/** An option's open interest builds up over its first days. */
const BUILDING_DAYS = 3;
/** How many deviations from the money an option still trades half as much, and is open half as much. */
const TRADED_WITHIN = 0.9;
const OPEN_WITHIN = 1.3;
const OPEN_LEAST_DAYS = 4;

const INDEX_FUTURE_SPREAD = 0.000_03;
const FUTURE_TO_CASH_SPREAD = 3;
/** Source: market-rules R8.6. */
export const OPTION_SPREAD = 0.002;
const FAR_SPREAD = 3;
const NEAR_THE_MONEY = 0.05;

/**
 * Lots that a contract trades on a typical day: most at the money, near expiry, and while it takes over from the month
 * before.
 */
export function contractLots(view: ContractView): number {
  return view.contract.kind === 'future' ? futureLots(view) : optionLots(view, TRADED_WITHIN, daysLeft(view));
}

/** The lots that a day trades at least, so that open interest can move as far as it does. */
export function lotsToMove(openFrom: number, openTo: number): number {
  return Math.max(Math.ceil(TURNED_OVER * Math.abs(openTo - openFrom)), 1);
}

/** Open lots when a trading day ends, at least one. */
export function openLots(view: ContractView): number {
  const noise = 1 - OPEN_NOISE + 2 * OPEN_NOISE * unitOf(hashAt(view.seed, view.day));
  const open = view.contract.kind === 'future' ? futureOpen(view) : optionOpen(view);
  return Math.max(Math.floor(open * view.crowding * noise), 1);
}

/** The width of a future's touch as a share of its price, from that of the share under it; 0 for an index. */
export function futureSpreadShare(cashShare: number): number {
  return Math.max(INDEX_FUTURE_SPREAD, FUTURE_TO_CASH_SPREAD * cashShare);
}

/**
 * The width of the touch on a day: three times as wide for options beyond 5 % from the money. Source: market-rules
 * R8.6.
 */
export function contractSpreadShare({ contract, spot }: ContractView, share: number): number {
  const far = contract.kind === 'option' && Math.abs(contract.strike - spot) > NEAR_THE_MONEY * spot;
  return far ? FAR_SPREAD * share : share;
}

function nearFutureLots({ contract, cashVolume }: ContractView): number {
  if (contract.underlyingKind === 'index') return indexBusiness(contract.symbol).future;
  return (STOCK_FUTURE_SHARE * cashVolume * stockBusiness(contract)) / contract.lot;
}

function futureLots(view: ContractView): number {
  return nearFutureLots(view) * takenOver(view, VOLUME_BEFORE_ROLL, 1);
}

function futureOpen(view: ContractView): number {
  const { underlyingKind, symbol } = view.contract;
  const days = underlyingKind === 'index' ? indexBusiness(symbol).openDays : STOCK_FUTURE_OPEN_DAYS;
  const left = 1 - (1 - LEFT_TO_EXPIRE) * rolled(daysLeft(view));
  return days * nearFutureLots(view) * takenOver(view, OPEN_BEFORE_ROLL, ROLLED_AT_EXPIRY) * left;
}

/**
 * How much of the near month's business a contract has: `before` as the roll begins, `after` as the month before it
 * expires, all of it later.
 */
function takenOver(view: ContractView, before: number, after: number): number {
  const ahead = daysToMonthBefore(view);
  if (ahead > ROLL_DAYS) return before * exp((ROLL_DAYS - ahead) / AHEAD_DAYS);
  if (ahead >= 0) return before + (after - before) * rolled(ahead);
  return after + (1 - after) * Math.min(-ahead / ROLL_DAYS, 1);
}

/** How far the roll has come `days` before the near contract expires: 0 to 1. */
function rolled(days: number): number {
  const passed = 1 - Math.min(Math.max(days, 0) / ROLL_DAYS, 1);
  return passed * passed * (3 - 2 * passed);
}

/**
 * Days until the month before a contract's ends for contracts: the last of its weekdays in it. Negative once it has.
 */
function daysToMonthBefore({ contract, day }: ContractView): number {
  const { year, month } = civilDate(contract.expiryDay);
  const lastDay = must(dayOfCivil(year, month, 1), 'the first of a month') - 1;
  const back = (weekday(lastDay as IstDay) - weekday(contract.expiryDay) + 7) % 7;
  return lastDay - back - day;
}

function optionLots(view: ContractView, within: number, days: number): number {
  return moneyLots(view) / (1 + power4(deviationsAway(view, days) / within));
}

/** Lots of an option at the money. */
function moneyLots(view: ContractView): number {
  const { contract, cashVolume } = view;
  const days = daysLeft(view);
  if (contract.underlyingKind === 'index')
    return indexBusiness(contract.symbol).option * at(indexCurve(contract), days);
  const near = (STOCK_OPTION_SHARE * cashVolume * stockBusiness(contract)) / contract.lot;
  const behind = daysToMonthBefore(view) > 0 ? STOCK_BEHIND : 1;
  return (behind * near) / (1 + (days / STOCK_PATIENCE) * (days / STOCK_PATIENCE));
}

function indexCurve(contract: Derivative): Curve {
  if (!indexBusiness(contract.symbol).weekly) return MONTHLY_ALONE_LOTS;
  return contract.cycle === 'weekly' ? WEEKLY_LOTS : MONTHLY_BESIDE_WEEKLY_LOTS;
}

function optionOpen(view: ContractView): number {
  const days = daysLeft(view);
  const curve = view.contract.underlyingKind === 'index' ? OPEN_DAYS : STOCK_OPEN_DAYS;
  const liking = 0.4 + 1.2 * unitOf(hashAt(view.seed, 0));
  const built = Math.min((view.day + 1 - view.bornOn) / BUILDING_DAYS, 1);
  return at(curve, days) * liking * built * optionLots(view, OPEN_WITHIN, Math.max(days, OPEN_LEAST_DAYS));
}

/** How far the strike is from the spot in deviations of the time that is left. */
function deviationsAway({ contract, spot, annualVolatility }: ContractView, days: number): number {
  if (contract.kind !== 'option') return 0;
  const deviation = annualVolatility * Math.sqrt(Math.max(days, 1) / 365);
  return log(contract.strike / spot) / deviation;
}

function daysLeft({ contract, day }: ContractView): number {
  return contract.expiryDay - day;
}

function power4(x: number): number {
  return x * x * x * x;
}

function indexBusiness(symbol: string): IndexBusiness {
  return INDEX_BUSINESS.get(symbol) ?? OTHER_INDEX;
}

function stockBusiness(contract: Derivative): number {
  return contract.exchange === 'BFO' ? BSE_STOCK_BUSINESS : 1;
}

function logarithms(curve: Curve): Curve {
  return curve.map(([days, value]) => [days, log(value)]);
}

/** The value of a curve of logarithms at a number of days: that of its nearer end outside it. */
function at(curve: Curve, days: number): number {
  const after = curve.findIndex(([place]) => place >= days);
  const [endDays, end] = must(after < 0 ? curve.at(-1) : curve[after], 'a point of the curve');
  const [startDays, start] = must(curve[after < 0 ? curve.length - 1 : Math.max(after - 1, 0)], 'a point of the curve');
  if (endDays === startDays || days <= startDays) return exp(after < 0 ? end : days <= startDays ? start : end);
  return exp(start + ((end - start) * (days - startDays)) / (endDays - startDays));
}
