// An account and what is its own: positions, the portfolios that are margined together, shares. Part of the state.

import type { AccountId, InstrumentId, OrderNumber } from '../base/ids.ts';
import { type Paise, type Price, type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../base/money.ts';
import type { IstDay } from '../base/time.ts';
import type { Access } from './access/access-terms.ts';
import type { RiskGroup } from './broker/account/risk-group-terms.ts';
import type { LossStage } from './broker/settlement/settlement-events.ts';
import type { ConversionCosts } from './charges/charge-events.ts';
import type { ExercisedOption, PhysicalDelivery } from './charges/contract-note.ts';
import type { MarginParts } from './event.ts';
import type { InstrumentKind } from './instrument.ts';
import type { ClientBooks } from './ledger/books.ts';
import type { PortfolioSums } from './margin/portfolio-sums.ts';
import type { Product } from './order.ts';

/**
 * One account's position in one instrument under one product: quantities and amounts, never averages.
 * The row also carries the sums of its open orders, so that margins need not walk them. Source: market-rules R5.1,
 * R5.2.
 */
export interface Position {
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  /** The margin portfolio that it belongs to. */
  readonly group: InstrumentId;
  /** The ISIN of an equity; empty for contracts. */
  readonly isin: string;
  readonly product: Product;
  carriedBuyQuantity: Quantity;
  carriedBuyAmount: Paise;
  carriedSellQuantity: Quantity;
  carriedSellAmount: Paise;
  /**
   * What carried purchases cost less what carried sales brought when they were opened; the amounts above are the day's
   * basis.
   */
  carriedCost: Paise;
  dayBuyQuantity: Quantity;
  dayBuyAmount: Paise;
  daySellQuantity: Quantity;
  daySellAmount: Paise;
  /**
   * The price that the open quantity is carried at into the next day; 0 until the day's end sets it. Source: market-
   * rules R5.8, R5.9.
   */
  mark: Price;
  /** Units of open buy orders that are still to be filled, and their value at the limits. */
  openBuyQuantity: Quantity;
  openBuyAmount: Paise;
  openSellQuantity: Quantity;
  openSellAmount: Paise;
}

/** Everything of one account that is margined together. Source: market-rules R4.28. */
export interface Portfolio {
  readonly group: InstrumentId;
  /** The margin that is blocked for it. */
  parts: MarginParts;
  /**
   * The position rows by instrument: one for each product that was ever used since they were last empty at a day's
   * start.
   */
  readonly legs: Map<InstrumentId, Position[]>;
  /**
   * What margins have added the contracts up to. It only saves time: it is in no dump, and is made anew when it is
   * absent.
   */
  sums: PortfolioSums | undefined;
  /** Instruments whose rows may have changed since they were added up. */
  readonly touched: InstrumentId[];
}

/**
 * Shares that an account owns, by ISIN: the same shares whichever exchange they are sold on. Source: market-rules
 * R5.18, R5.24.
 */
export interface Holding {
  readonly isin: string;
  /** The listing that they are shown under: the one that they first came by. */
  readonly instrument: InstrumentId;
  /** In the depository account. */
  settled: Quantity;
  /** Bought on the trading day before: sellable, and settled at this day's end. */
  unsettled: Quantity;
  /** What all of them cost. */
  cost: Paise;
  /** Of the settled shares, those given as collateral: they are not sold. Source: market-rules R5.23. */
  pledged: Quantity;
  /** What the pledged shares count as collateral, after haircut, in paise. */
  collateral: Paise;
}

export function emptyHolding(isin: string, instrument: InstrumentId): Holding {
  return {
    isin,
    instrument,
    settled: ZERO_QUANTITY,
    unsettled: ZERO_QUANTITY,
    cost: ZERO_PAISE,
    pledged: ZERO_QUANTITY,
    collateral: ZERO_PAISE,
  };
}

/** All units of a holding, those on their way among them. */
export function heldUnits({ settled, unsettled }: Pick<Holding, 'settled' | 'unsettled'>): Quantity {
  return (settled + unsettled) as Quantity;
}

/** Today's delivery rows of one ISIN by listing: what decides how many shares a delivery sale may still use. */
export type DeliveryRows = Position[];

/**
 * What conversions of shares between intraday and delivery changed in a day's charges. Source: market-rules 6.1,
 * R5.16.
 */
export interface ConvertedCharges extends ConversionCosts {
  /** Units of orders of today that are charged as the class that the order was not placed for, above 0. */
  readonly units: readonly (readonly [order: OrderNumber, units: Quantity])[];
}

export interface Account {
  readonly id: AccountId;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  sealedCredentials: string;
  readonly usesTotp: boolean;
  readonly demo: boolean;
  /**
   * The day from which the API key counts: that of the registration, or of the last renewal. Source: market-rules
   * R9.8.
   */
  apiKeyIssuedOn: IstDay;
  /** The last TOTP step that was used up; 0 before the first. */
  lastTotpStep: number;
  /** The balances of the ledger. Only postings move them. */
  readonly books: ClientBooks;
  /** All money that ever came in from outside, by pay-ins and from companies, less all that was paid out. */
  paidIn: Paise;
  /** By `positionKey`. */
  readonly positions: Map<number, Position>;
  /** By margin group. */
  readonly portfolios: Map<InstrumentId, Portfolio>;
  /** By ISIN. */
  readonly holdings: Map<string, Holding>;
  /** Delivery rows of today by ISIN. */
  readonly deliveries: Map<string, DeliveryRows>;
  /** The largest margin in use since the day began. Source: market-rules R4.30. */
  peakMargin: Paise;
  /** How far today's losses on intraday positions have gone. Source: market-rules R4.35. */
  lossStage: LossStage;
  /**
   * Underlyings whose contracts are squared off today, because what they deliver is not paid for. Source: market-rules
   * R7.4.
   */
  unfunded: readonly InstrumentId[];
  /** What expired today, for the contract note. */
  exercises: readonly ExercisedOption[];
  physicalDeliveries: readonly PhysicalDelivery[];
  /** What conversions of today changed in the charges; absent while none did. */
  converted?: ConvertedCharges;
  /** Today's orders in the order of receipt. */
  orders: OrderNumber[];
  /** Absent until an operator sets something of it. */
  access?: Access;
  /** Absent while it is the usual one. Source: market-rules R0.9. */
  riskGroup?: RiskGroup;
  /** Digests of the live sessions, oldest first. */
  sessions: readonly string[];
}

/** The key of a position row inside its account. */
export function positionKey(instrument: InstrumentId, product: Product): number {
  return instrument * 4 + PLACES[product];
}

/** The products by number. */
const PLACES: Readonly<Record<Product, number>> = { C: 0, M: 1, I: 2 };
