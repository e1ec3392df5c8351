import { InvariantError } from '../base/assert.ts';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import { type Paise, type Price, type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../base/money.ts';
import type { EpochMs, IstDay, WallMs } from '../base/time.ts';
import type { Access } from './access/access.ts';
import { type CorporateActions, NO_CORPORATE_ACTIONS } from './broker/corporate-action.ts';
import type { RiskGroup } from './broker/risk-group.ts';
import type { ConversionCosts } from './charges/charge-events.ts';
import type { ExercisedOption, PhysicalDelivery } from './charges/contract-note.ts';
import type { Event, LossStage, MarginParts } from './event.ts';
import type { Book } from './exchange/book.ts';
import { BookStore } from './exchange/book-store.ts';
import { type Breaker, NO_BREAKER } from './exchange/guards/circuit-breaker.ts';
import type { InstrumentKind } from './instrument.ts';
import { type ClientBooks, emptyHouseBooks, type HouseBooks, type Line } from './ledger/books.ts';
import type { PortfolioSums } from './margin/portfolio-sums.ts';
import { type MarketWidePositions, NO_SHARE_BANDS, type PriceBand, type ShareBands } from './market.ts';
import type { Order, Product } from './order.ts';
import { OrderDay } from './order-day.ts';
import type { DayEndStep } from './settlement/day-end-steps.ts';
import type { Switch } from './switches/switch.ts';
import type { SquareOffSegment } from './trading-days.ts';

/**
 * One account's position in one instrument under one product: quantities and amounts, never averages.
 * The row also carries the sums of its open orders, so that margins need not walk them. Source: market-rules R5.1, R5.2.
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
  /** What carried purchases cost less what carried sales brought when they were opened; the amounts above are the day's basis. */
  carriedCost: Paise;
  dayBuyQuantity: Quantity;
  dayBuyAmount: Paise;
  daySellQuantity: Quantity;
  daySellAmount: Paise;
  /** The price that the open quantity is carried at into the next day; 0 until the day's end sets it. Source: market-rules R5.8, R5.9. */
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
  /** The position rows by instrument: one for each product that was ever used since they were last empty at a day's start. */
  readonly legs: Map<InstrumentId, Position[]>;
  /** What margins have added the contracts up to. It only saves time: it is in no dump, and is made anew when it is absent. */
  sums: PortfolioSums | undefined;
  /** Instruments whose rows may have changed since they were added up. */
  readonly touched: InstrumentId[];
}

/** Shares that an account owns, by ISIN: the same shares whichever exchange they are sold on. Source: market-rules R5.18, R5.24. */
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

/** What conversions of shares between intraday and delivery changed in a day's charges. Source: market-rules 6.1, R5.16. */
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
  /** The day from which the API key counts: that of the registration, or of the last renewal. Source: market-rules R9.8. */
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
  /** Underlyings whose contracts are squared off today, because what they deliver is not paid for. Source: market-rules R7.4. */
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

export interface Session {
  readonly tokenDigest: string;
  readonly account: AccountId;
  readonly openedAt: WallMs;
  lastUsedAt: WallMs;
}

/** What a first placement under an idempotency key was answered. Source: contract W25. */
export interface PlacementReply {
  readonly bodyDigest: string;
  readonly order: OrderNumber;
  readonly at: EpochMs;
}

/** What the users together bought from the market itself, the other side of every trade without an order. */
export interface Counterparty {
  /** The ISIN of an equity; empty for contracts. */
  readonly isin: string;
  /** Units bought less units sold. */
  sold: Quantity;
  /** What was paid for them, net. */
  received: Paise;
}

/** What one event posted. */
export interface Posted {
  readonly event: Event;
  readonly lines: readonly Line[];
}

/** The whole state: the fold of all events. Only `apply` and `loadState` write it. */
export interface State {
  /** The sequence number of the last record; 0 before the first. */
  seq: number;
  /** The instant of the last record. */
  at: EpochMs;
  /** The trading day that has begun; 0 before the first. */
  day: IstDay;
  /** The tick whose prices margins are measured by: the day's start, then each revision. Source: market-rules R4.11. */
  riskTick: Tick;
  /** Digests of the SPAN files that are used today. */
  riskFiles: readonly string[];
  lastOrder: OrderNumber;
  lastExchangeOrder: ExchangeOrderNumber;
  lastTrade: TradeId;
  /** By account id, which is the index. */
  readonly accounts: Account[];
  readonly accountByUser: Map<string, AccountId>;
  /** The orders of today. */
  readonly orders: OrderDay<Order>;
  /** Of these the ones that wait at the broker for a session, oldest first. */
  readonly afterMarket: Set<OrderNumber>;
  /** Books of instruments that had orders today. */
  readonly books: Map<InstrumentId, Book>;
  /** What these books are kept in; a day begins with a new one. */
  bookStore: BookStore;
  /** Live sessions by token digest. */
  readonly sessions: Map<string, Session>;
  /** By `replyKey`; emptied when a day begins. */
  readonly replies: Map<string, PlacementReply>;
  readonly counterparties: Map<InstrumentId, Counterparty>;
  /** Shares credited by operators and issued by corporate actions, by ISIN. */
  readonly credited: Map<string, Quantity>;
  /** The balances of the house: together with those of all accounts they are 0. Source: reliability I2. */
  readonly house: HouseBooks;
  /** The postings of the record that was applied last, for the views. They are no part of a dump. */
  readonly posted: Posted[];
  /** Underlyings whose contracts an operator has put into their ban period. Source: market-rules R4.36. */
  readonly banned: Set<InstrumentId>;
  /** Underlyings whose contracts are in their ban period because too much is open, with the figures of the day on which it began. */
  readonly overLimit: Map<InstrumentId, LimitBan>;
  /** What operators hold up, by `switchKey`, in the order in which it was set. It stays until it is lifted. */
  readonly switches: Map<string, Switch>;
  /** How far the indices have halted the market today. Source: market-rules R1.49. */
  breaker: Breaker;
  /** Price bands that an operator widened today. */
  readonly widenedBands: Map<InstrumentId, PriceBand>;
  /** Fixed bands of shares that operators set. Source: market-rules R1.40. */
  shareBands: ShareBands;
  /** What companies announced, whether its ex-date has come or not. A list never changes: another one takes its place. */
  corporateActions: CorporateActions;
  /** Segments that were squared off today: no intraday position is opened in them any more. Source: market-rules R2.24. */
  readonly squaredOff: Set<SquareOffSegment>;
  /** The last step of this day's end that was done; `undefined` while the day trades. Source: market-rules R7.5. */
  dayEnd: DayEndStep | undefined;
  /** Closing prices of the day that ended last, of what was held then. */
  readonly closing: Map<InstrumentId, Price>;
}

/** A ban period that the market's open interest brought about. */
export interface LimitBan extends MarketWidePositions {
  /** The first trading day of it. */
  readonly since: IstDay;
}

/** What most accounts have of the lists that few days fill: one list serves all of them. */
export const NOTHING_YET: readonly never[] = Object.freeze([]);

/** The state before the first record. */
export function emptyState(): State {
  return {
    seq: 0,
    at: 0 as EpochMs,
    day: 0 as IstDay,
    riskTick: 0 as Tick,
    riskFiles: [],
    lastOrder: 0 as OrderNumber,
    lastExchangeOrder: 1_100_000_000_000_000 as ExchangeOrderNumber,
    lastTrade: 400_000_000 as TradeId,
    accounts: [],
    accountByUser: new Map(),
    orders: new OrderDay(),
    afterMarket: new Set(),
    books: new Map(),
    bookStore: new BookStore(),
    sessions: new Map(),
    replies: new Map(),
    counterparties: new Map(),
    credited: new Map(),
    house: emptyHouseBooks(),
    posted: [],
    banned: new Set(),
    overLimit: new Map(),
    switches: new Map(),
    breaker: NO_BREAKER,
    widenedBands: new Map(),
    shareBands: NO_SHARE_BANDS,
    corporateActions: NO_CORPORATE_ACTIONS,
    squaredOff: new Set(),
    dayEnd: undefined,
    closing: new Map(),
  };
}

/** The key of a position row inside its account. */
export function positionKey(instrument: InstrumentId, product: Product): number {
  return instrument * 4 + PLACES[product];
}

/** The products by number. */
const PLACES: Readonly<Record<Product, number>> = { C: 0, M: 1, I: 2 };

/** The key of a remembered placement. */
export function replyKey(account: AccountId, key: string): string {
  return `${account}:${key}`;
}

/** The account of an id that was given out. */
export function accountOf(state: State, id: AccountId): Account {
  const account = state.accounts[id];
  if (account === undefined) throw new InvariantError(`there is no account ${id}`);
  return account;
}

/** An order of today that was given out. */
export function orderOf(state: State, number: OrderNumber): Order {
  const order = state.orders.get(number);
  if (order === undefined) throw new InvariantError(`there is no order ${number}`);
  return order;
}

/** An order of today that is the account's own; another's is as unknown as none. Source: contract W22. */
export function ownOrder(state: State, account: AccountId, number: OrderNumber): Order | undefined {
  const order = state.orders.get(number);
  return order?.account === account ? order : undefined;
}
