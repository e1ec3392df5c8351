/**
 * The basket: the legs of a strategy before they are placed, kept while the page is open. The chain, the templates and
 * the strategy panel change it; the service judges it.
 */
import { batch, signal } from '@preact/signals';
import type { Product, Side } from '../../../../client/src/generated/operations.ts';
import type { PreviewedOrder } from '../../../../client/src/margin.ts';
import type { StrategyLeg } from '../../../../client/src/market.ts';
import type { NewOrder } from '../../../../client/src/orders.ts';
import type { GreeksRow, InstrumentRow } from '../../../../client/src/wire.ts';
import { desk } from '../../store/session.ts';
import { isPrice } from '../ticket/draft.ts';

export interface Leg {
  /** Its number in the page: a leg keeps it while it is edited and moved. */
  readonly number: number;
  readonly exchange: GreeksRow['exchange'];
  readonly tradingSymbol: string;
  /** As people read it: `24000 CE`; the symbol of other instruments. */
  readonly title: string;
  /** `DDMONYYYY`; blank for a share. */
  readonly expiry: string;
  readonly side: Side;
  readonly lots: string;
  readonly lotSize: string;
  readonly tickSize: string;
  readonly product: Product;
  readonly isMarket: boolean;
  /** The limit as the user typed it; passed over at the market. */
  readonly price: string;
}

export type NewLeg = Omit<Leg, 'number'>;

/** The most orders of one basket. */
export const MOST_LEGS = 50;
const WHOLE = /^[1-9]\d{0,5}$/;

export const legs = signal<readonly Leg[]>([]);
let made = 0;
let owner: string | undefined;

// A basket belongs to its user: another one who logs in begins with none.
desk.subscribe((open) => {
  if (open === undefined || open.userId === owner) return;
  if (owner !== undefined) clearLegs();
  owner = open.userId;
});

/** Adds legs after those that are there, as far as there is room. */
export function addLegs(added: readonly NewLeg[]): void {
  legs.value = [...legs.value, ...added.map(numbered)].slice(0, MOST_LEGS);
}

/** Puts other legs in the place of all. */
export function replaceLegs(next: readonly NewLeg[]): void {
  batch(() => {
    legs.value = [];
    addLegs(next);
  });
}

/** Changes a leg. A change to what it is already leaves the basket as it is. */
export function changeLeg(number: number, change: Partial<NewLeg>): void {
  const leg = legs.peek().find((one) => one.number === number);
  const fields = Object.keys(change) as (keyof NewLeg)[];
  if (leg === undefined || fields.every((field) => change[field] === leg[field])) return;
  legs.value = legs.peek().map((one) => (one === leg ? { ...leg, ...change } : one));
}

export function removeLeg(number: number): void {
  legs.value = legs.value.filter((leg) => leg.number !== number);
}

export function clearLegs(): void {
  legs.value = [];
}

/** Puts the legs into another sequence: the places of the present ones. */
export function sortLegs(places: readonly number[]): void {
  const sorted = places.map((place) => legs.value[place]).filter((leg) => leg !== undefined);
  if (sorted.length === legs.value.length) legs.value = sorted;
}

/** Puts an option of a chain into the basket: one lot at its last price. */
export function addOption(row: GreeksRow, side: Side, expiry: string): void {
  addLegs([optionLeg(row, side, expiry, '1')]);
}

/** A leg of an option at its last price. */
export function optionLeg(row: GreeksRow, side: Side, expiry: string, lots: string): NewLeg {
  return newLeg({ ...row, expiry }, side, lots, row.lastTradedPrice);
}

/** A leg of one lot of any instrument that may be traded. */
export function instrumentLeg(info: InstrumentRow, side: Side, price: string): NewLeg {
  return newLeg(info, side, '1', price);
}

/** True when the service can be asked about a leg. */
export function isComplete({ lots, isMarket, price }: Leg): boolean {
  return WHOLE.test(lots) && (isMarket || isPrice(price));
}

/** The order of a leg as it is previewed. */
export function previewed(leg: Leg): PreviewedOrder {
  return { ...orderOf(leg), price: leg.isMarket ? '0' : leg.price, retention: 'DAY' };
}

/** The order of a leg as it is placed. */
export function orderOf({ exchange, tradingSymbol, side, product, isMarket, price, ...leg }: Leg): NewOrder {
  const named = { exchange, tradingSymbol, transactionType: side, quantity: unitsOf(leg), product };
  return isMarket ? { ...named, priceType: 'MKT' } : { ...named, priceType: 'LMT', price };
}

/** A leg as its payoff is asked for: at the market it is entered at the last price. */
export function payoffLeg({ exchange, tradingSymbol, side, isMarket, price, ...leg }: Leg): StrategyLeg {
  const named = { exchange, tradingSymbol, transactionType: side, quantity: unitsOf(leg) };
  return isMarket ? named : { ...named, price };
}

type Traded = Pick<
  InstrumentRow,
  'exchange' | 'tradingSymbol' | 'lotSize' | 'tickSize' | 'expiry' | 'strikePrice' | 'optionType'
>;

function newLeg(of: Traded, side: Side, lots: string, price: string): NewLeg {
  const { exchange, tradingSymbol, lotSize, tickSize, expiry, strikePrice, optionType } = of;
  const title = optionType === '' ? tradingSymbol : `${strikePrice.replace(/\.00$/, '')} ${optionType}`;
  const product = expiry === '' ? 'C' : 'M';
  return { exchange, tradingSymbol, title, expiry, side, lots, lotSize, tickSize, product, isMarket: false, price };
}

/** Units of whole lots. */
function unitsOf({ lots, lotSize }: Pick<Leg, 'lots' | 'lotSize'>): string {
  return String(Number(lots) * Number(lotSize));
}

function numbered(leg: NewLeg): Leg {
  made += 1;
  return { ...leg, number: made };
}
