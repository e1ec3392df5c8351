import type { AccountId, OrderNumber, Tick } from '../../src/base/ids.ts';
import { visibleDepth } from '../../src/core/exchange/book/depth.ts';
import type { OrderTerms, Side } from '../../src/core/order.ts';
import { type BookCommand, changedTerms, termsOf } from './book-commands.ts';
import { left, NaiveBook, type NaiveOrder } from './naive-book.ts';
import { RealExchange } from './real-exchange.ts';
import { FIRST_TICK, SHARE, type WanderingMarket } from './wandering-market.ts';

/** The effect of one command on the naive book. */
export interface Round {
  readonly command: BookCommand;
  /** The order that the command names as it was before; absent for a new order and a move. */
  readonly before: Readonly<NaiveOrder> | undefined;
  /** The events, a line for each. */
  readonly lines: readonly string[];
  /** The naive book after it. */
  readonly naive: NaiveBook;
}

/** Where the two parted. */
export interface Difference {
  /** The place of the command that did it. */
  readonly index: number;
  readonly what: string;
  readonly naive: unknown;
  readonly real: unknown;
}

/** The operations that both of them have. */
interface Exchange {
  submit(number: OrderNumber, account: AccountId, side: Side, terms: OrderTerms): string[];
  replace(number: OrderNumber, terms: OrderTerms): string[];
  cancel(number: OrderNumber): string[];
  move(): string[];
  fire(): string[];
}

const SHOWN = 5;
const ALL = 10_000;

export interface DuelOptions {
  /** Whether both refuse a stop whose trigger is reached as it comes; they do when absent. */
  readonly strictTrigger?: boolean;
  /** Sees every command that could be carried out. */
  readonly watch?: (round: Round) => void;
  /** The judge: the naive book, or one with a fault that must be found. */
  readonly judge?: new (
    ...args: ConstructorParameters<typeof NaiveBook>
  ) => NaiveBook;
}

/** Gives both books the same commands and compares them after each. */
export function duel(
  market: WanderingMarket,
  commands: readonly BookCommand[],
  { watch, judge = NaiveBook, strictTrigger = true }: DuelOptions = {},
): Difference | undefined {
  const naive = new judge(market, SHARE.id, strictTrigger);
  const real = new RealExchange(market, strictTrigger);
  let tick: number = FIRST_TICK;
  for (const [index, command] of commands.entries()) {
    if (command.type === 'move') tick += 1;
    naive.tick = tick as Tick;
    real.tick = tick as Tick;
    const action = actionOf(naive, command);
    if (action === undefined) continue;
    const before = beforeOf(naive, command);
    const lines = action(naive);
    try {
      const others = action(real);
      if (lines.join('; ') !== others.join('; ')) return { index, what: 'what happened', naive: lines, real: others };
      const parted = partingOf(imageOf(naive, market), imageOfReal(real, market));
      if (parted !== undefined) return { index, ...parted };
      real.check();
    } catch (error) {
      return { index, what: 'the real book failed', naive: lines, real: error };
    }
    watch?.({ command, before, lines, naive });
  }
  return undefined;
}

/** The first part of two images that differs, both as text. */
function partingOf(mine: Image, theirs: Image): Omit<Difference, 'index'> | undefined {
  if (JSON.stringify(mine) === JSON.stringify(theirs)) return undefined;
  for (const part of Object.keys(mine) as (keyof Image)[]) {
    const [a, b] = [JSON.stringify(mine[part]), JSON.stringify(theirs[part])];
    if (a !== b) return { what: part, naive: a, real: b };
  }
  throw new Error('two images differ in no part: they name their parts in another order');
}

/** The fewest of the commands that still part the two: the rest is left out, by ever smaller stretches. */
export function shrink(
  market: WanderingMarket,
  commands: readonly BookCommand[],
  options: DuelOptions = {},
): readonly BookCommand[] {
  const cut = (list: readonly BookCommand[]) => {
    const found = duel(market, list, options);
    return found === undefined ? undefined : list.slice(0, found.index + 1);
  };
  let kept = cut(commands) ?? commands;
  for (let stretch = Math.ceil(kept.length / 2); stretch >= 1; stretch = stretch === 1 ? 0 : Math.ceil(stretch / 2)) {
    for (let from = 0; from < kept.length; ) {
      const fewer = cut([...kept.slice(0, from), ...kept.slice(from + stretch)]);
      if (fewer === undefined) from += stretch;
      else kept = fewer;
    }
  }
  return kept;
}

/** The meaning of a command for the book as it is; nothing when a broker would not let it pass. */
function actionOf(naive: NaiveBook, command: BookCommand): ((exchange: Exchange) => string[]) | undefined {
  const { type } = command;
  if (type === 'move') return (exchange) => [...exchange.move(), ...fireAll(exchange)];
  const last = naive.lastPrice();
  if (type === 'submit') {
    const { number, account, side } = command;
    const terms = termsOf(command, last);
    return (exchange) => [...exchange.submit(number, account, side, terms), ...fireAll(exchange)];
  }
  const order = naive.known(command.number);
  if (order === undefined || order.where === 'nowhere') return undefined;
  if (type === 'cancel') return (exchange) => exchange.cancel(order.number);
  const terms = changedTerms(order, command.change, last);
  return terms && ((exchange) => [...exchange.replace(order.number, terms), ...fireAll(exchange)]);
}

function beforeOf(naive: NaiveBook, command: BookCommand): NaiveOrder | undefined {
  return command.type === 'replace' || command.type === 'cancel' ? { ...naive.find(command.number) } : undefined;
}

/** Releases stops, one after the other, until none fires. */
function fireAll(exchange: Exchange): string[] {
  const lines: string[] = [];
  for (let fired = exchange.fire(); fired.length > 0; fired = exchange.fire()) lines.push(...fired);
  return lines;
}

/** A whole book: orders as [number, account, price, left, ahead], stops as [number, account, side, trigger]. */
interface Image {
  readonly buys: unknown;
  readonly sells: unknown;
  readonly stops: unknown;
  readonly levels: unknown;
  /** The units that are taken of the levels that the market shows now. */
  readonly taken: unknown;
  readonly shown: unknown;
  readonly lastTrade: unknown;
}

function imageOf(naive: NaiveBook, market: WanderingMarket): Image {
  const queues = { B: naive.queue('B'), S: naive.queue('S') };
  const rows = (side: Side) =>
    queues[side].map((order) => [order.number, order.account, order.terms.price, left(order), order.ahead]);
  const users = (side: Side) => queues[side].map((order) => [order.terms.price, left(order), 1] as const);
  const free = (side: Side) => naive.displayed(side).map((level) => [level.price, naive.free(side, level), 1] as const);
  const { lastTrade } = naive;
  return {
    buys: rows('B'),
    sells: rows('S'),
    stops: naive.stops().map(({ number, account, side, terms }) => [number, account, side, terms.trigger]),
    levels: [summed(users('B')), summed(users('S'))],
    taken: takenBy((side, level) => naive.takenOf(side, level), naive.tick, market),
    shown: (['B', 'S'] as const).map((side) => {
      const both = summed([...users(side), ...free(side)], side).map(([price, units]) => [price, units]);
      const levels = both.filter(([, units]) => units !== 0);
      return [levels.slice(0, SHOWN), levels.reduce((total, [, units = 0]) => total + units, 0)];
    }),
    lastTrade: lastTrade === undefined ? null : [lastTrade.tick, lastTrade.price],
  };
}

function imageOfReal({ book, tick }: RealExchange, market: WanderingMarket): Image {
  const { buys, sells, stops, lastTrade } = book.dump();
  const levels = (side: Side) => book.levels(side, ALL).map(({ price, quantity, orders }) => [price, quantity, orders]);
  const depth = visibleDepth(book, market.depth(SHARE.id, tick), SHOWN);
  return {
    buys,
    sells,
    stops,
    levels: [levels('B'), levels('S')],
    taken: takenBy((side, { price, generation }) => book.takenAt(side, price, generation), tick, market),
    shown: [depth.buys, depth.sells].map((side) => [
      side.levels.map(({ price, quantity }) => [price, quantity]),
      side.total,
    ]),
    lastTrade,
  };
}

type TakenOf = (side: Side, level: ReturnType<WanderingMarket['depth']>['bids'][number]) => number;

function takenBy(takenOf: TakenOf, tick: Tick, market: WanderingMarket): unknown {
  const { bids, asks } = market.depth(SHARE.id, tick);
  return [bids.map((level) => takenOf('B', level)), asks.map((level) => takenOf('S', level))];
}

/** Units and orders by price, in the order given or, with a side, best first. */
function summed(rows: readonly (readonly [price: number, units: number, orders: number])[], side?: Side): number[][] {
  const sums = new Map<number, number[]>();
  for (const [price, units, orders] of rows) {
    const sum = sums.get(price) ?? [price, 0, 0];
    sum[1] = (sum[1] ?? 0) + units;
    sum[2] = (sum[2] ?? 0) + orders;
    sums.set(price, sum);
  }
  const all = [...sums.values()];
  if (side === undefined) return all;
  return all.sort(([a = 0], [b = 0]) => (side === 'B' ? b - a : a - b));
}
