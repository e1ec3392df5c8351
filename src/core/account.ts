/**
 * An account with its positions, the portfolios that are margined together, and its shares: a part of the state. The
 * file holds shapes and keys. The rules of money are in `broker/account`, those of margin in `margin`.
 */

import type { AccountId, InstrumentId, OrderNumber } from '../base/ids.ts';
import { type Paise, type Price, type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../base/money.ts';
import type { IstDay } from '../base/time.ts';
import type { Access } from './access/access-terms.ts';
import type { CardPlace } from './access/card-file.ts';
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
 * One account's position in one instrument under one product: quantities and amounts, never averages. The row also
 * carries the sums of its open orders, so that margins need not go through the orders. Source: market-rules R5.1, R5.2.
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
   * The original cost of the carried purchases less the original proceeds of the carried sales. The carried amounts
   * above are the day's basis, not the original ones.
   */
  carriedCost: Paise;
  dayBuyQuantity: Quantity;
  dayBuyAmount: Paise;
  daySellQuantity: Quantity;
  daySellAmount: Paise;
  /**
   * The price that the open quantity is carried at into the next day; 0 until the day's end sets it. Source:
   * market-rules R5.8, R5.9.
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
   * The rows of the share that the portfolio is named after, one for each product. A row stays until a day begins with
   * it empty. The list is replaced when a row comes or goes, and shared while it is empty.
   */
  shares: readonly Position[];
  /** The rows of contracts by instrument, as those of the share. The table is shared while it is empty. */
  legs: ReadonlyMap<InstrumentId, readonly Position[]>;
  /**
   * The contracts added up for margins. It only saves time: it is not in a dump, and is computed again when it is
   * absent.
   */
  sums: PortfolioSums | undefined;
  /** Instruments whose rows may have changed since they were added up. */
  readonly touched: InstrumentId[];
}

/**
 * Shares that an account owns, by ISIN: they are the same shares on every exchange. Source: market-rules R5.18, R5.24.
 */
export interface Holding {
  readonly isin: string;
  /** The listing that the shares are shown under: the one under which the first of them came. */
  readonly instrument: InstrumentId;
  /** In the depository account. */
  settled: Quantity;
  /** Bought on the trading day before: they can be sold, and are settled at this day's end. */
  unsettled: Quantity;
  /** The cost of all of them. */
  cost: Paise;
  /** The settled shares that are pledged as collateral and cannot be sold. Source: market-rules R5.23. */
  pledged: Quantity;
  /** The value of the pledged shares as collateral, after the haircut, in paise. */
  collateral: Paise;
}

/** A holding of a share without units and without cost. */
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

/** All units of a holding, settled and unsettled. */
export function heldUnits({ settled, unsettled }: Pick<Holding, 'settled' | 'unsettled'>): Quantity {
  return (settled + unsettled) as Quantity;
}

/** Today's delivery rows of one ISIN by listing: they decide how many shares a delivery sale may still use. */
export type DeliveryRows = Position[];

/**
 * The change of a day's charges by conversions of shares between intraday and delivery. Source: market-rules 6.1,
 * R5.16.
 */
export interface ConvertedCharges extends ConversionCosts {
  /** Today's orders with units that are charged in another trade class than the one they were placed in. */
  readonly orders: readonly OrderNumber[];
  /** The number of these units, above 0, at the place of its order. A pair for each would take thrice the memory. */
  readonly units: readonly Quantity[];
}

export interface Account {
  readonly id: AccountId;
  readonly userId: string;
  readonly name: string;
  /** Where the texts of the user stand in the card file of the state. */
  card: CardPlace;
  readonly usesTotp: boolean;
  readonly demo: boolean;
  /** The first day of the API key: the day of the registration or of the last renewal. Source: market-rules R9.8. */
  apiKeyIssuedOn: IstDay;
  /** The last TOTP step that was used up; 0 before the first. */
  lastTotpStep: number;
  /** The balances of the ledger. Only postings move them, and they ask `booksToMove`. */
  books: Readonly<ClientBooks>;
  /** All money that ever came from outside, by pay-ins and from companies, less all that was paid out. */
  paidIn: Paise;
  /** By `positionKey`. This table and the next three are shared while they are empty: `ownTable` gives one to write. */
  positions: ReadonlyMap<number, Position>;
  /** By margin group. */
  portfolios: ReadonlyMap<InstrumentId, Portfolio>;
  /** By ISIN. */
  holdings: ReadonlyMap<string, Holding>;
  /** Delivery rows of today by ISIN. */
  deliveries: ReadonlyMap<string, DeliveryRows>;
  /** The largest margin in use since the day began. Source: market-rules R4.30. */
  peakMargin: Paise;
  /** The stage that today's losses on intraday positions have reached. Source: market-rules R4.35. */
  lossStage: LossStage;
  /**
   * Underlyings whose contracts are squared off today because their delivery is not paid for. Source: market-rules
   * R7.4.
   */
  unfunded: readonly InstrumentId[];
  /** The exercises and physical deliveries of today, for the contract note. */
  exercises: readonly ExercisedOption[];
  physicalDeliveries: readonly PhysicalDelivery[];
  /** The change of the charges by today's conversions; absent while there is none. */
  converted?: ConvertedCharges;
  /** Today's orders in the order of receipt. The list is shared while it is empty. */
  orders: readonly OrderNumber[];
  /** Absent until an operator sets a part of it. */
  access?: Access;
  /** Absent while the account has the usual one. Source: market-rules R0.9. */
  riskGroup?: RiskGroup;
  /** Digests of the live sessions, oldest first. */
  sessions: readonly string[];
}

/** The tables of an account, as they are written. */
interface Tables {
  positions: Map<number, Position>;
  portfolios: Map<InstrumentId, Portfolio>;
  holdings: Map<string, Holding>;
  deliveries: Map<string, DeliveryRows>;
}

/** The one table of all accounts that have no entry: most accounts are idle, and an empty table costs 200 bytes. */
export const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>();

/** A table of an account to write into: its own from here on. */
export function ownTable<Name extends keyof Tables>(account: Pick<Tables | Account, Name>, name: Name): Tables[Name] {
  const tables = account as Pick<Tables, Name>;
  const table: ReadonlyMap<unknown, unknown> = tables[name];
  if (table === NO_ENTRIES) tables[name] = new Map() as Tables[Name];
  return tables[name];
}

/** Adds an order to those of an account. Its first one gives it a list of its own, with room for no more. */
export function addOrder(account: Pick<Account, 'orders'>, order: OrderNumber): void {
  if (account.orders.length === 0) account.orders = [order];
  else (account.orders as OrderNumber[]).push(order);
}

/** The key of a position row inside its account. */
export function positionKey(instrument: InstrumentId, product: Product): number {
  return instrument * 4 + PLACES[product];
}

/** The products by number. */
const PLACES: Readonly<Record<Product, number>> = { C: 0, M: 1, I: 2 };
