/**
 * An account as a plain value and back: its own fields, then the rows of its tables. The file of a snapshot is written
 * in `journal`.
 */

import {
  type Fields,
  flag,
  type Json,
  list,
  objectOf,
  oneOf,
  optional,
  pair,
  real,
  record,
  text,
  whole,
} from '../../base/codec.ts';
import { EXCHANGES, type InstrumentId, type OrderNumber } from '../../base/ids.ts';
import { type Paise, type Quantity, ZERO_PAISE } from '../../base/money.ts';
import type { Access, OrderRate } from '../access/access-terms.ts';
import type { CardFile, UserCard } from '../access/card-file.ts';
import {
  type Account,
  type ConvertedCharges,
  type Holding,
  NO_ENTRIES,
  ownTable,
  type Portfolio,
  type Position,
} from '../account.ts';
import type { RiskGroup } from '../broker/account/risk-group-terms.ts';
import { fileRow, portfolioOf } from '../broker/account/rows.ts';
import { convertedCharges, convertedUnits } from '../broker/settlement/converted-charges.ts';
import { LOSS_STAGES } from '../broker/settlement/settlement-events.ts';
import type { ConversionCosts } from '../charges/charge-events.ts';
import type { ExercisedOption, PhysicalDelivery } from '../charges/contract-note.ts';
import type { MarginParts } from '../event.ts';
import { type ClientBooks, copyOfBooks, packedBooks } from '../ledger/books.ts';
import { NOTHING_YET } from '../state.ts';
import { kindOf, productOf, sideOf } from './order-codec.ts';

const exchangeOf = oneOf(...EXCHANGES);

const positionOf = record<Position>({
  instrument: whole,
  kind: kindOf,
  group: whole,
  isin: text,
  product: productOf,
  carriedBuyQuantity: whole,
  carriedBuyAmount: whole,
  carriedSellQuantity: whole,
  carriedSellAmount: whole,
  carriedCost: whole,
  dayBuyQuantity: whole,
  dayBuyAmount: whole,
  daySellQuantity: whole,
  daySellAmount: whole,
  mark: whole,
  openBuyQuantity: whole,
  openBuyAmount: whole,
  openSellQuantity: whole,
  openSellAmount: whole,
});

const holdingOf = record<Holding>({
  isin: text,
  instrument: whole,
  settled: whole,
  unsettled: whole,
  cost: whole,
  pledged: whole,
  collateral: whole,
});

/** The stored fields of a portfolio. The rest follows from the positions: the sums are computed again. */
const PORTFOLIO: Fields<Omit<Portfolio, 'shares' | 'legs' | 'sums' | 'touched'>> = {
  group: whole,
  parts: record<MarginParts>({
    span: whole,
    exposure: whole,
    premium: whole,
    cash: whole,
    floor: optional(whole<Paise>),
  }),
};
const portfolioRowOf = pair(PORTFOLIO.group, PORTFOLIO.parts);

/** The books as they are stored: without a floor of 0, as before there was one. */
type StoredBooks = Omit<ClientBooks, 'premiumFloor'> & Partial<Pick<ClientBooks, 'premiumFloor'>>;

/** Conversions as they are stored: a pair for each order. */
type StoredConversions = ConversionCosts & {
  readonly units: readonly (readonly [order: OrderNumber, units: Quantity])[];
};

/** The tables of an account, which are stored as rows. Deliveries are positions that are filed a second time. */
type Tables = 'positions' | 'portfolios' | 'holdings' | 'deliveries';

/** The fields of an account as they are stored, with the texts of its card among them. */
type StoredFields = Omit<Account, Tables | 'card' | 'books' | 'converted'> &
  UserCard & { readonly books: StoredBooks; readonly converted?: StoredConversions };

const FIELDS: Fields<StoredFields> = {
  id: whole,
  userId: text,
  name: text,
  email: text,
  sealedCredentials: text,
  usesTotp: flag,
  demo: flag,
  apiKeyIssuedOn: whole,
  lastTotpStep: whole,
  books: record<StoredBooks>({
    cash: whole,
    payin: whole,
    premium: whole,
    delivery: whole,
    realised: whole,
    charges: whole,
    settlement: whole,
    collateral: whole,
    span: whole,
    exposure: whole,
    restingPremium: whole,
    cashSegment: whole,
    writtenPremium: whole,
    heldProceeds: whole,
    premiumFloor: optional(whole<Paise>),
  }),
  paidIn: whole,
  peakMargin: whole,
  lossStage: oneOf(...LOSS_STAGES),
  unfunded: list(whole<InstrumentId>),
  exercises: list(record<ExercisedOption>({ exchange: exchangeOf, intrinsic: whole })),
  physicalDeliveries: list(record<PhysicalDelivery>({ exchange: exchangeOf, isin: text, side: sideOf, value: whole })),
  converted: optional(
    record<StoredConversions>({
      brokerage: whole,
      levies: whole,
      units: list(pair(whole<OrderNumber>, whole<Quantity>)),
    }),
  ),
  orders: list(whole<OrderNumber>),
  access: optional(
    record<Access>({
      registered: optional(record<NonNullable<Access['registered']>>({ addresses: list(text), since: whole })),
      fixed: flag,
      orderRate: optional(record<OrderRate>({ perSecond: real, algoId: optional(text) })),
    }),
  ),
  riskGroup: optional(
    record<RiskGroup>({
      name: text,
      orderValueCap: whole,
      products: list(productOf),
      exchanges: list(exchangeOf),
    }),
  ),
  sessions: list(text),
};

const ownFieldsOf = record<StoredFields>(FIELDS);
const rowsOf = list(positionOf);
const partsOf = list(portfolioRowOf);
const sharesOf = list(holdingOf);

/** An account as a row of a snapshot, the texts of its card included. */
export function encodeAccount(account: Account, cards: CardFile): object {
  const { id, userId, name, card, positions, portfolios, holdings, deliveries: _, ...own } = account;
  return {
    id,
    userId,
    name,
    ...cards.read(card),
    ...own,
    books: storedBooks(account.books),
    ...(account.converted && { converted: storedConversions(account.converted) }),
    orders: [...account.orders],
    sessions: [...account.sessions],
    rows: Array.from(positions.values(), (row) => ({ ...row })),
    parts: Array.from(portfolios.values(), ({ group, parts }) => [group, storedParts(parts)]),
    shares: Array.from(holdings.values(), (holding) => ({ ...holding })),
  };
}

function storedBooks(books: Readonly<ClientBooks>): StoredBooks {
  const { premiumFloor, ...others } = copyOfBooks(books);
  return premiumFloor === 0 ? others : { ...others, premiumFloor };
}

function storedConversions(converted: ConvertedCharges): StoredConversions {
  const { brokerage, levies } = converted;
  return { units: [...convertedUnits({ converted })], brokerage, levies };
}

function storedParts({ span, exposure, premium, cash, floor }: MarginParts): MarginParts {
  const parts = { span, exposure, premium, cash };
  return floor === undefined ? parts : { ...parts, floor };
}

/** The account of a stored value. Its card is added to the file. Throws `Undecodable`. */
export function decodeAccount(stored: Json, cards: CardFile): Account {
  const { rows, parts, shares, ...own } = objectOf(stored, 'an account');
  const account = accountOfFields(ownFieldsOf(own, 'an account'), cards);
  // First, since an order may have made a portfolio before a row of another one: they keep their order.
  for (const [group, blocked] of partsOf(parts, 'parts')) portfolioOf(account, group).parts = blocked;
  for (const row of rowsOf(rows, 'rows')) fileRow(account, row);
  for (const holding of sharesOf(shares, 'shares')) ownTable(account, 'holdings').set(holding.isin, holding);
  return account;
}

/**
 * An account without rows, field by field as `registerUser` makes it, so that one that was restored takes no more
 * memory. The fields that few accounts have keep their order.
 */
function accountOfFields(fields: StoredFields, cards: CardFile): Account {
  const { id, userId, name, email, sealedCredentials, usesTotp, demo, apiKeyIssuedOn, lastTotpStep, ...more } = fields;
  const { books, paidIn, peakMargin, lossStage, unfunded, exercises, physicalDeliveries, ...others } = more;
  const { orders, sessions, ...rare } = others;
  const account: Account = {
    id,
    userId,
    name,
    card: cards.add({ email, sealedCredentials }),
    usesTotp,
    demo,
    apiKeyIssuedOn,
    lastTotpStep,
    books: packedBooks({ ...books, premiumFloor: books.premiumFloor ?? ZERO_PAISE }),
    paidIn,
    positions: NO_ENTRIES,
    portfolios: NO_ENTRIES,
    holdings: NO_ENTRIES,
    deliveries: NO_ENTRIES,
    peakMargin,
    lossStage,
    unfunded: sharedIfEmpty(unfunded),
    exercises: sharedIfEmpty(exercises),
    physicalDeliveries: sharedIfEmpty(physicalDeliveries),
    orders: sharedIfEmpty(orders),
    sessions: sharedIfEmpty(sessions),
  };
  const { converted } = rare;
  return Object.assign(
    account,
    rare,
    converted && { converted: convertedCharges(new Map(converted.units), converted) },
  );
}

function sharedIfEmpty<T>(items: readonly T[]): readonly T[] {
  return items.length === 0 ? NOTHING_YET : items;
}
