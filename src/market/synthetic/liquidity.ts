import type { Price, Quantity } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Derivative } from '../../core/instrument.ts';
import { exp, log } from '../options/elementary.ts';
import { hashAt, normalOf, unitOf } from './draws.ts';
import type { Hours } from './sessions.ts';

/** How much an instrument trades on a day, and how tight and deep its book is. */
export interface Liquidity {
  /** Seconds between prints. */
  readonly block: number;
  /** Lots traded in the day; at least one a block. */
  readonly lots: number;
  /** The width of the touch as a share of the price. */
  readonly spreadShare: number;
  /** The lots of an ordinary level of the book. */
  readonly depthLots: number;
  /** Levels stand at multiples of this many ticks, and at the touch. */
  readonly gap: number;
}

/** Seconds of a block: divisors of a minute, then multiples. */
const BLOCKS = [1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 300, 900, 1_800, 3_600] as const;
const LOTS_A_PRINT = 3;
/** The deviation of the logarithm of a day's volume. */
const VOLUME_SPREAD = 0.35;
const GAP_SHARE = 0.000_1;

/** The touch of a share that trades for a thousand crore rupees a day, and of the least traded. */
const TIGHTEST_SHARE = 0.000_08;
const WIDEST_SHARE = 0.01;
const LARGE_TURNOVER_PAISE = 1e12;

/** An index: a level each second, and nothing to trade. */
export function indexLiquidity(hours: Hours): Liquidity {
  return { block: 1, lots: (hours.close - hours.open) * 60, spreadShare: 0, depthLots: 0, gap: 1 };
}

/** What a day brings around the typical: a day's volume is lognormal about it. */
export function dayLots(typicalLots: number, seed: number, day: IstDay): number {
  return Math.floor(typicalLots * exp(VOLUME_SPREAD * normalOf(hashAt(seed, day))) + 0.5);
}

/** The share of the price between bid and ask of a share of that turnover in paise a day. */
export function cashSpreadShare(turnover: number): number {
  const share = TIGHTEST_SHARE * exp(log(LARGE_TURNOVER_PAISE / Math.max(turnover, 1)) / 3);
  return Math.min(Math.max(share, TIGHTEST_SHARE), WIDEST_SHARE);
}

/** The liquidity of a tradable instrument whose typical day has `typicalLots`, and this one `lots`. */
export function liquidity(
  typicalLots: number,
  lots: number,
  hours: Hours,
  spreadShare: number,
  price: number,
  instrument: { readonly tick: Price; readonly lot: Quantity },
): Liquidity {
  const seconds = (hours.close - hours.open) * 60;
  const rate = typicalLots / seconds;
  const block = BLOCKS.find((length) => rate * length >= LOTS_A_PRINT) ?? 3_600;
  const depthLots = instrument.lot === 1 ? 2 * rate : 2 * Math.sqrt(rate);
  return {
    block,
    lots: Math.max(lots, Math.ceil(seconds / block)),
    spreadShare,
    depthLots: Math.max(depthLots, 3),
    gap: gapOf(price, instrument.tick),
  };
}

/** The largest power of two of ticks that is within a hundredth of a per cent of the price. */
function gapOf(price: number, tick: Price): number {
  let gap = 1;
  while (2 * gap * tick <= GAP_SHARE * price) gap *= 2;
  return gap;
}

/** How busy the derivatives of an index are; those of NIFTY are 1. */
const INDEX_BUSINESS: ReadonlyMap<string, number> = new Map([
  ['NIFTY', 1],
  ['BANKNIFTY', 0.4],
  ['SENSEX', 0.35],
  ['MIDCPNIFTY', 0.08],
  ['FINNIFTY', 0.03],
  ['NIFTYNXT50', 0.004],
  ['BANKEX', 0.002],
]);
const OTHER_INDEX_BUSINESS = 0.001;
/** Lots of NIFTY a day: its near future, and an option at the money on its last days. */
const INDEX_FUTURE_LOTS = 150_000;
const INDEX_OPTION_LOTS = 6_000_000;
/** The same of a stock, as shares of what its cash listing trades in units. */
const STOCK_FUTURE_SHARE = 0.5;
const STOCK_OPTION_SHARE = 0.4;
/** Derivatives on BSE shares hardly trade. */
const BSE_STOCK_BUSINESS = 0.002;
/** Even a contract that nobody looks for trades a lot an hour of a session. */
const QUIET_DAY_LOTS = 7;
/** Open interest at its height, as days of the typical volume. */
const FUTURE_OPEN_DAYS = 2.5;
const OPTION_OPEN_DAYS = 0.4;
const FULL_LIFE = 0.75;
const OPEN_AT_EXPIRY = 0.45;

const INDEX_FUTURE_SPREAD = 0.000_03;
const FUTURE_TO_CASH_SPREAD = 1.5;
/** Source: market-rules R8.6. */
export const OPTION_SPREAD = 0.002;
const FAR_SPREAD = 3;
const NEAR_THE_MONEY = 0.05;

/** What the liquidity of a contract follows from. */
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
}

/** Lots that a contract trades on a typical day: most at the money and near expiry. */
export function contractLots(view: ContractView): number {
  const { contract } = view;
  const days = contract.expiryDay - view.day;
  return contract.kind === 'future' ? nearFutureLots(view) / (1 + power4(days / 30)) : optionLots(view, days);
}

function nearFutureLots({ contract, cashVolume }: ContractView): number {
  if (contract.underlyingKind === 'index') return INDEX_FUTURE_LOTS * indexBusiness(contract.symbol);
  return (STOCK_FUTURE_SHARE * cashVolume * stockBusiness(contract)) / contract.lot;
}

function optionLots(view: ContractView, days: number): number {
  const { contract, cashVolume } = view;
  const index = contract.underlyingKind === 'index';
  const patience = index ? 3 : 20;
  const near = index
    ? INDEX_OPTION_LOTS * indexBusiness(contract.symbol)
    : (STOCK_OPTION_SHARE * cashVolume * stockBusiness(contract)) / contract.lot;
  const nearness = 1 / (1 + (days / patience) * (days / patience));
  return (near * nearness) / (1 + power4(deviationsAway(view, days) / 0.9));
}

/** How far the strike is from the spot in deviations of the time that is left. */
function deviationsAway({ contract, spot, annualVolatility }: ContractView, days: number): number {
  if (contract.kind !== 'option') return 0;
  const deviation = annualVolatility * Math.sqrt(Math.max(days, 1) / 365);
  return log(contract.strike / spot) / deviation;
}

/** The width of a future's touch as a share of its price, from that of the share under it; 0 for an index. */
export function futureSpreadShare(cashShare: number): number {
  return Math.max(INDEX_FUTURE_SPREAD, FUTURE_TO_CASH_SPREAD * cashShare);
}

/** The width of the touch on a day: three times as wide for options beyond 5 % from the money. Source: market-rules R8.6. */
export function contractSpreadShare({ contract, spot }: ContractView, share: number): number {
  const far = contract.kind === 'option' && Math.abs(contract.strike - spot) > NEAR_THE_MONEY * spot;
  return far ? FAR_SPREAD * share : share;
}

/** Open lots when a trading day ends: they rise from 0 at listing, and fall towards expiry. Where something traded something is open. */
export function openLots(view: ContractView): number {
  const { contract, bornOn, day } = view;
  const life = Math.min((day + 1 - bornOn) / (contract.expiryDay + 1 - bornOn), 1);
  const noise = 0.9 + 0.2 * unitOf(hashAt(view.seed, day));
  const height = contract.kind === 'future' ? FUTURE_OPEN_DAYS * tradedLots(nearFutureLots(view)) : optionHeight(view);
  return Math.max(Math.floor(height * ageing(life) * noise), 1);
}

function optionHeight(view: ContractView): number {
  const liking = 0.4 + 1.2 * unitOf(hashAt(view.seed, 0));
  const daysLeft = view.contract.expiryDay - view.day;
  const [near, now] = [tradedLots(optionLots(view, 1)), tradedLots(optionLots(view, daysLeft))];
  return OPTION_OPEN_DAYS * liking * Math.sqrt(near * now);
}

/** What a day trades of a contract for which the model has `lots`. */
function tradedLots(lots: number): number {
  return lots > QUIET_DAY_LOTS ? lots : QUIET_DAY_LOTS;
}

function ageing(life: number): number {
  if (life < FULL_LIFE) return smooth(life / FULL_LIFE);
  return 1 - (1 - OPEN_AT_EXPIRY) * smooth((life - FULL_LIFE) / (1 - FULL_LIFE));
}

function smooth(x: number): number {
  return x * x * (3 - 2 * x);
}

function power4(x: number): number {
  return x * x * x * x;
}

function indexBusiness(symbol: string): number {
  return INDEX_BUSINESS.get(symbol) ?? OTHER_INDEX_BUSINESS;
}

function stockBusiness(contract: Derivative): number {
  return contract.exchange === 'BFO' ? BSE_STOCK_BUSINESS : 1;
}
