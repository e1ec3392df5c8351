import type { InstrumentId, Tick } from '../src/base/ids.ts';
import { type Price, price, type Quantity, quantity } from '../src/base/money.ts';
import type { Random } from '../src/base/random.ts';
import type { Account, Position } from '../src/core/account.ts';
import { availableMargin } from '../src/core/broker/account/funds.ts';
import { isLive } from '../src/core/broker/orders/life-cycle.ts';
import type { Command, PlaceOrder } from '../src/core/command.ts';
import { type Instrument, isDerivative } from '../src/core/instrument.ts';
import type { Market } from '../src/core/market.ts';
import { type Order, type OrderTerms, opposite, type PriceType, type Product, type Side } from '../src/core/order.ts';
import { netQuantity } from '../src/core/position.ts';
import type { State } from '../src/core/state.ts';
import { onDemand } from './outcome-wishes.ts';

/** The state that clients look at when they wish for something. */
export interface Scene {
  readonly random: Random;
  readonly market: Market;
  readonly tick: Tick;
  readonly state: State;
  /** Instruments that trade today; those that are hot at the moment stand several times. */
  readonly traded: readonly Instrument[];
  readonly instrumentOf: (id: InstrumentId) => Instrument | undefined;
}

/** The commands that one client sends at once: more than one arrives in the same instant. */
export type Wish = (scene: Scene, account: Account) => Command[];

const REMARKS = ['', '', 'tag', 'सौदा "x"\n'];

export function lastPrice({ market, tick, state }: Scene, id: InstrumentId): number {
  const print = market.lastPrint(id, tick);
  const own = state.books.get(id)?.lastTrade;
  return own !== undefined && own.tick >= print.tick ? own.price : print.price;
}

function productOf({ random }: Scene, instrument: Instrument): Product {
  if (isDerivative(instrument)) return random.chance(1) ? 'C' : random.pick(['M', 'M', 'I']);
  return random.pick(['C', 'C', 'I', 'M']);
}

function unitsOf({ random }: Scene, instrument: Instrument): Quantity {
  return quantity(instrument.lot * (isDerivative(instrument) ? random.between(1, 4) : random.between(1, 60)));
}

function limit(at: number, paise: number): OrderTerms {
  return { priceType: 'LMT', retention: 'DAY', quantity: quantity(at), price: price(paise), trigger: price(0) };
}

function placement(scene: Scene, account: Account, instrument: Instrument, side: Side, terms: OrderTerms): PlaceOrder {
  const { random } = scene;
  return {
    type: 'PlaceOrder',
    account: account.id,
    instrument: instrument.id,
    side,
    product: productOf(scene, instrument),
    terms,
    remarks: random.pick(REMARKS),
    ...(random.chance(6) ? { protection: random.between(1, 60_000) } : {}),
  };
}

/** A price some ticks behind the last one on the order's own side, or in front of it. */
function near(scene: Scene, instrument: Instrument, side: Side, from: number, to: number): Price {
  const away = scene.random.between(from, to) * instrument.tick * (side === 'B' ? -1 : 1);
  return price(Math.max(instrument.tick, lastPrice(scene, instrument.id) + away));
}

/** Rests near the market. */
const rest: Wish = (scene, account) => {
  const instrument = scene.random.pick(scene.traded);
  const side = scene.random.pick(['B', 'S'] as const);
  const units = unitsOf(scene, instrument);
  return [placement(scene, account, instrument, side, limit(units, near(scene, instrument, side, -2, 5)))];
};

/** Takes what is there, at once or not at all. */
const take: Wish = (scene, account) => {
  const { random } = scene;
  const instrument = random.pick(scene.traded);
  const side = random.pick(['B', 'S'] as const);
  const plain = limit(unitsOf(scene, instrument), near(scene, instrument, side, -8, 1));
  const retention = random.chance(60) ? 'IOC' : 'DAY';
  const terms: OrderTerms = random.chance(50)
    ? { ...plain, retention }
    : { ...plain, retention, priceType: 'MKT', price: price(0) };
  return [placement(scene, account, instrument, side, terms)];
};

function stopTerms(scene: Scene, instrument: Instrument, side: Side, priceType: PriceType): OrderTerms {
  const { random } = scene;
  const sign = side === 'B' ? 1 : -1;
  const trigger = Math.max(
    instrument.tick,
    lastPrice(scene, instrument.id) + sign * random.between(0, 4) * instrument.tick,
  );
  const bound = Math.max(instrument.tick, trigger + sign * random.between(0, 6) * instrument.tick);
  const shape = { priceType, retention: 'DAY', quantity: unitsOf(scene, instrument), trigger: price(trigger) } as const;
  return { ...shape, price: price(priceType === 'SL-MKT' ? 0 : bound) };
}

/** Waits with a stop just behind the market. */
const stop: Wish = (scene, account) => {
  const instrument = scene.random.pick(scene.traded);
  const side = scene.random.pick(['B', 'S'] as const);
  const type = scene.random.pick(['SL-LMT', 'SL-LMT', 'SL-MKT'] as const);
  return [placement(scene, account, instrument, side, stopTerms(scene, instrument, side, type))];
};

/** One of the newest orders of the account, most often one that lives. */
function orderOf({ random, state }: Scene, account: Account): Order | undefined {
  const recent = account.orders.slice(-12).flatMap((number) => state.orders.get(number) ?? []);
  const live = recent.filter(({ status }) => isLive(status) || status === 'AfterMarket');
  if (live.length > 0 && random.chance(92)) return random.pick(live);
  return recent.length > 0 ? random.pick(recent) : undefined;
}

function changedTerms(scene: Scene, order: Order, instrument: Instrument): OrderTerms {
  const { random } = scene;
  const { terms, side, filled } = order;
  const units = Math.max(instrument.lot, terms.quantity + instrument.lot * random.between(-3, 3));
  switch (random.below(6)) {
    case 0:
      return { ...terms, quantity: quantity(Math.max(instrument.lot, filled + instrument.lot * random.between(0, 2))) };
    case 1:
      return { ...terms, quantity: quantity(units) };
    case 2:
      return limit(units, near(scene, instrument, side, -6, 4));
    case 3:
      return { ...limit(units, near(scene, instrument, side, -6, 4)), retention: 'IOC' };
    case 4:
      return stopTerms(scene, instrument, side, 'SL-LMT');
    default:
      return { ...limit(units, 0), priceType: 'MKT' };
  }
}

const modify: Wish = (scene, account) => {
  const order = orderOf(scene, account);
  const instrument = order && scene.instrumentOf(order.instrument);
  if (order === undefined || instrument === undefined) return rest(scene, account);
  const terms = changedTerms(scene, order, instrument);
  const protection = terms.price === 0 ? { protection: scene.random.between(100, 50_000) } : {};
  return [{ type: 'ModifyOrder', account: account.id, order: order.number, terms, ...protection }];
};

const cancel: Wish = (scene, account) => {
  const order = orderOf(scene, account);
  const number = order?.number ?? (1 as Order['number']);
  return [{ type: 'CancelOrder', account: account.id, order: number }];
};

/** One order is modified, cancelled and traded against in the same instant, in any order. */
const race: Wish = (scene, account) => {
  const { random, state } = scene;
  const order = orderOf(scene, account);
  const instrument = order && scene.instrumentOf(order.instrument);
  const rival = random.pick([...state.accounts]);
  if (order === undefined || instrument === undefined || order.terms.price === 0) return rest(scene, account);
  const against = limit(order.terms.quantity, order.terms.price);
  const commands: Command[] = [
    { type: 'ModifyOrder', account: account.id, order: order.number, terms: changedTerms(scene, order, instrument) },
    { type: 'CancelOrder', account: account.id, order: order.number },
    placement(scene, rival, instrument, opposite(order.side), { ...against, retention: random.pick(['DAY', 'IOC']) }),
  ];
  const [first] = commands.splice(random.below(3), 1);
  return random.chance(50) ? [...commands, first as Command] : [first as Command, ...commands];
};

/** All at one price, so that the queue decides. */
const crowd: Wish = (scene, account) => {
  const instrument = scene.traded[0] as Instrument;
  const side = scene.random.pick(['B', 'S'] as const);
  const at = Math.round(lastPrice(scene, instrument.id) / (instrument.tick * 4)) * instrument.tick * 4;
  return [placement(scene, account, instrument, side, limit(unitsOf(scene, instrument), Math.max(5, at)))];
};

function rowOf({ random }: Scene, account: Account): Position | undefined {
  const rows = [...account.positions.values()].filter((row) => netQuantity(row) !== 0);
  return rows.length > 0 ? random.pick(rows) : undefined;
}

/** Closes a position, whole or in part, or turns it through zero. Of a hedge the other leg stays. */
const turn: Wish = (scene, account) => {
  const { random } = scene;
  const row = rowOf(scene, account);
  const instrument = row && scene.instrumentOf(row.instrument);
  if (row === undefined || instrument === undefined) return take(scene, account);
  const net = netQuantity(row);
  const times = random.pick([0.5, 1, 1, 2]);
  const units = Math.max(1, Math.round((Math.abs(net) * times) / instrument.lot)) * instrument.lot;
  const side = net > 0 ? 'S' : 'B';
  const terms: OrderTerms = { ...limit(units, near(scene, instrument, side, -6, 0)) };
  const market = random.chance(40) ? { ...terms, priceType: 'MKT' as const, price: price(0) } : terms;
  return [{ ...placement(scene, account, instrument, side, market), product: row.product }];
};

/** Buys a future and writes an option on it, in one instant. */
const hedge: Wish = (scene, account) => {
  const contracts = scene.traded.filter(isDerivative);
  const future = contracts.find(({ kind }) => kind === 'future');
  const option = contracts.filter(({ kind, underlying }) => kind === 'option' && underlying === future?.underlying);
  if (future === undefined || option.length === 0) return rest(scene, account);
  const other = scene.random.pick(option);
  const lots = scene.random.between(1, 2);
  const terms = (of: Instrument, side: Side) => limit(of.lot * lots, near(scene, of, side, -8, -4));
  return [
    { ...placement(scene, account, future, 'B', terms(future, 'B')), product: 'M' },
    { ...placement(scene, account, other, 'S', terms(other, 'S')), product: 'M' },
  ];
};

/** Puts all that there is on one future or short option for the day: a wild day ruins it. */
const plunge: Wish = (scene, account) => {
  const { random } = scene;
  const contracts = scene.traded.filter(isDerivative);
  if (contracts.length === 0) return rest(scene, account);
  const instrument = random.pick(contracts);
  const side = instrument.kind === 'option' ? 'S' : random.pick(['B', 'S'] as const);
  const spot = instrument.kind === 'option' ? instrument.strike : lastPrice(scene, instrument.id);
  const lots = Math.floor(
    Math.max(0, availableMargin(account)) / (spot * instrument.lot * random.pick([0.1, 0.13, 0.2])),
  );
  const most = Math.floor(instrument.freeze / instrument.lot);
  const units = instrument.lot * Math.max(1, Math.min(lots, most));
  const terms = limit(units, near(scene, instrument, side, -12, -4));
  return [{ ...placement(scene, account, instrument, side, terms), product: 'I' }];
};

const convert: Wish = (scene, account) => {
  const { random } = scene;
  const row = rowOf(scene, account);
  if (row === undefined) return rest(scene, account);
  const net = netQuantity(row);
  const lot = scene.instrumentOf(row.instrument)?.lot ?? 1;
  const to: Product = random.chance(20)
    ? random.pick(['C', 'M', 'I'])
    : row.product === 'I'
      ? row.isin === ''
        ? 'M'
        : 'C'
      : 'I';
  const units = random.chance(70) ? Math.abs(net) : lot * random.between(1, 3);
  return [
    {
      type: 'ConvertPosition',
      account: account.id,
      instrument: row.instrument,
      from: random.chance(4) ? random.pick(['C', 'M', 'I'] as const) : row.product,
      to,
      quantity: quantity(units),
      side: random.chance(95) ? (net > 0 ? 'B' : 'S') : random.pick(['B', 'S'] as const),
      age: row.carriedBuyQuantity + row.carriedSellQuantity > 0 && random.chance(60) ? 'carried' : 'day',
    },
  ];
};

/** At the bounds of prices and quantities, and one step beyond. */
const bounds: Wish = (scene, account) => {
  const { random, market, tick } = scene;
  const instrument = random.pick(scene.traded);
  const side = random.pick(['B', 'S'] as const);
  const { lower, upper } = market.band(instrument.id, tick);
  const at = random.pick([lower, upper, lower - 5, upper + 5, lower + 1, 5]);
  const { lot, freeze } = instrument;
  const units = random.pick([lot, lot + 1, freeze, freeze + lot, 1, lot * random.between(1, 3), 2_000_000]);
  return [placement(scene, account, instrument, side, limit(Math.max(1, units), Math.max(1, at)))];
};

/** Actions of clients on orders and positions, as often as they stand here. */
export const ORDER_WISHES: readonly Wish[] = [
  ...[rest, rest, rest, rest, crowd, crowd, take, take, take, stop, stop, modify, modify, modify, cancel, cancel],
  ...[race, turn, turn, hedge, convert, bounds, plunge, plunge],
  ...[onDemand([rest, rest, crowd, take, stop, turn]), onDemand([rest, take, stop])],
];
