/**
 * The risk of accounts in the words of the operator's port: amounts as text in rupees with two decimals, shares in
 * percent with one. The figures themselves are in `account-risk.ts`.
 */
import { formatRupees } from '../../../base/decimal.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import type { Paise, Price } from '../../../base/money.ts';
import { formatIstMoment } from '../../../base/time.ts';
import type { Position } from '../../../core/account.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { type Order, remaining } from '../../../core/order.ts';
import type { PositionFigures } from '../../../core/query.ts';
import type { AccountRisk, RiskResult, UnderlyingRisk } from './account-risk.ts';
import { concentrationOf } from './risk-ranking.ts';

/** Results as text: of closed units, of open units at the last prices, and of both. */
interface ResultTexts {
  readonly realised: string;
  readonly open: string;
  readonly result: string;
}

/** An account in a ranking. */
export interface RiskRow extends ResultTexts {
  readonly userId: string;
  readonly name: string;
  readonly marginUsed: string;
  readonly available: string;
  readonly total: string;
  /** The margin in use in percent of the funds; blank for an account without funds. */
  readonly usedPercent: string;
  /** The underlying of the largest stake, and its share of all stakes in percent; blank without a stake. */
  readonly largest: string;
  readonly concentration: string;
  readonly positions: number;
  /** Orders of today. */
  readonly orders: number;
  /** True while a kill switch of this account is on. */
  readonly killed: boolean;
}

/** An account in one underlying. */
export interface UnderlyingRow extends ResultTexts {
  readonly underlying: string;
  readonly span: string;
  readonly exposure: string;
  readonly premium: string;
  readonly cash: string;
  readonly stake: string;
  /** The stake in percent of all stakes of the account; blank when they are nothing. */
  readonly share: string;
  readonly positions: number;
}

/** A position of an account. */
export interface PositionRow extends ResultTexts {
  readonly exchange: string;
  readonly symbol: string;
  readonly product: string;
  /** Units, below 0 when sold. */
  readonly netQuantity: number;
  readonly averagePrice: string;
  readonly lastPrice: string;
}

/** An open order of an account. */
export interface OpenOrderRow {
  readonly order: number;
  readonly receivedAt: string;
  readonly exchange: string;
  readonly symbol: string;
  readonly side: string;
  readonly product: string;
  readonly priceType: string;
  readonly price: string;
  readonly trigger: string;
  /** Units that are still to be filled, and all of them. */
  readonly open: number;
  readonly quantity: number;
  readonly status: string;
}

export type NameOf = (id: InstrumentId) => Pick<Instrument, 'exchange' | 'tradingSymbol'>;

export function riskRow(risk: AccountRisk, killed: boolean, nameOf: NameOf): RiskRow {
  const { userId, name, marginUsed, available, total, largest, positions, orders } = risk;
  return {
    userId,
    name,
    marginUsed: formatRupees(marginUsed),
    available: formatRupees(available),
    total: formatRupees(total),
    usedPercent: percentOf(marginUsed, total),
    ...resultTexts(risk),
    largest: largest === undefined ? '' : nameOf(largest.group).tradingSymbol,
    concentration: largest === undefined ? '' : `${(concentrationOf(risk) * 100).toFixed(1)}`,
    positions,
    orders,
    killed,
  };
}

export function underlyingRow(risk: UnderlyingRisk, stakes: Paise, nameOf: NameOf): UnderlyingRow {
  const { group, parts, stake, positions } = risk;
  return {
    underlying: nameOf(group).tradingSymbol,
    span: formatRupees(parts.span),
    exposure: formatRupees(parts.exposure),
    premium: formatRupees(parts.premium),
    cash: formatRupees(parts.cash),
    stake: formatRupees(stake),
    share: percentOf(stake, stakes),
    positions,
    ...resultTexts(risk),
  };
}

export function positionRow(row: Position, figures: PositionFigures, last: Price, nameOf: NameOf): PositionRow {
  const { exchange, tradingSymbol: symbol } = nameOf(row.instrument);
  const { netQuantity, netAveragePrice, realised, unrealised, totalMtm } = figures;
  return {
    exchange,
    symbol,
    product: row.product,
    netQuantity,
    averagePrice: formatRupees(netAveragePrice),
    lastPrice: formatRupees(last),
    ...resultTexts({ realised, open: unrealised, result: totalMtm }),
  };
}

export function openOrderRow(order: Order, nameOf: NameOf): OpenOrderRow {
  const { exchange, tradingSymbol: symbol } = nameOf(order.instrument);
  const { priceType, price, trigger, quantity } = order.terms;
  return {
    order: order.number,
    receivedAt: formatIstMoment(order.receivedAt),
    exchange,
    symbol,
    side: order.side,
    product: order.product,
    priceType,
    price: formatRupees(price),
    trigger: formatRupees(trigger),
    open: remaining(order),
    quantity,
    status: order.status,
  };
}

function resultTexts({ realised, open, result }: RiskResult): ResultTexts {
  return { realised: formatRupees(realised), open: formatRupees(open), result: formatRupees(result) };
}

/** A part in percent of a whole, with one decimal; blank when the whole is not above nothing. */
function percentOf(part: Paise, whole: Paise): string {
  return whole > 0 ? ((part / whole) * 100).toFixed(1) : '';
}
