import { assert } from '../../base/assert.ts';
import type { Price } from '../../base/money.ts';
import { type Level, type LevelTable, NO_LEVEL } from './level-table.ts';

/** A run of neighbouring levels, worst first, so that what comes and goes near the touch moves few of them. */
interface Run {
  /** `price * sign` of each level, ascending. */
  readonly keys: number[];
  readonly levels: Level[];
}

/** A run that grows beyond this is halved. */
const LONGEST_RUN = 128;
const NO_RUNS: Run[] = [];
/** A ladder with fewer levels is searched as it is. */
const FEW_LEVELS = 8;
/** The window over the prices near the touch grows with the ladder, up to this. Powers of two. */
const LARGEST_WINDOW = 4_096;
/** One slot that nothing is put in: a slot is a price and its level. */
const NO_WINDOW = new Int32Array(2);
/** Prices beyond this have no slot. */
const LARGEST_SHOWN = 2 ** 31 - 1;

/**
 * The levels of one side in the order of their prices, linked from the best to the worst. Near the touch a price finds its level
 * in an array, at the low bits of the price: ticks are 1 or an odd number of paise as a rule, so neighbouring prices have
 * slots of their own. Of two levels that want one slot the better has it. The others are found by halving sorted runs, so
 * that a price costs about the same in a book of any size.
 */
export class Ladder {
  best = NO_LEVEL;
  /** The price of the best level, here too: every order that comes asks for it. Means nothing while there is no level. */
  bestPrice = 0 as Price;
  /** Its number in the table of levels; 0 before its first level. */
  number = 0;
  /** How many levels there are. */
  size = 0;
  /** How many orders stand in them. */
  orders = 0;
  /** Units that these orders have still to fill. */
  quantity = 0;
  private readonly sign: 1 | -1;
  private readonly table: LevelTable;
  private runs = NO_RUNS;
  private window = NO_WINDOW;
  /** How many levels the window does not show. */
  private hidden = 0;

  constructor(highestFirst: boolean, table: LevelTable) {
    this.sign = highestFirst ? 1 : -1;
    this.table = table;
  }

  /** The level of a price, or `NO_LEVEL`. */
  find(price: Price): Level {
    const { window } = this;
    const slot = slotIn(window, price);
    const near = window[slot + 1] as Level;
    if (near !== NO_LEVEL && window[slot] === price) return near;
    if (this.hidden === 0) return NO_LEVEL;
    const key = price * this.sign;
    const { keys, levels } = this.runs[this.runOf(key)] as Run;
    const index = indexIn(keys, key);
    return keys[index] === key ? (levels[index] as Level) : NO_LEVEL;
  }

  /** The level of a price, made when there is none. */
  open(price: Price): Level {
    const found = this.find(price);
    if (found !== NO_LEVEL) return found;
    if (this.number === 0) this.number = this.table.nextLadder();
    const level = this.table.add(price, this.number);
    const key = price * this.sign;
    if (this.best === NO_LEVEL) {
      this.runs = [{ keys: [key], levels: [level] }];
      this.best = level;
      this.bestPrice = price;
    } else {
      this.place(level, key);
    }
    this.size += 1;
    this.show(level, key);
    return level;
  }

  /** Removes a level that has no orders left. */
  close(level: Level): void {
    const { table, window } = this;
    assert(table.orders(level) === 0 && table.quantity(level) === 0, 'a level that is closed is empty');
    const price = table.price(level);
    this.displace(level, price * this.sign);
    const worse = table.worse(level);
    table.link(worse, table.better(level));
    if (this.best === level) {
      this.best = worse;
      if (worse !== NO_LEVEL) this.bestPrice = table.price(worse);
    }
    const slot = slotIn(window, price);
    if (window[slot + 1] === level) window[slot + 1] = NO_LEVEL;
    else this.hidden -= 1;
    table.delete(level);
    this.size -= 1;
  }

  /** The level that is `depth` levels behind the best, or `NO_LEVEL`: 0 is the best. */
  at(depth: number): Level {
    let behind = depth;
    for (let place = this.runs.length - 1; place >= 0; place -= 1) {
      const { levels } = this.runs[place] as Run;
      if (behind < levels.length) return levels[levels.length - 1 - behind] as Level;
      behind -= levels.length;
    }
    return NO_LEVEL;
  }

  /** Puts a new level among the others. */
  private place(level: Level, key: number): void {
    const { table, best } = this;
    const isBest = key > this.bestPrice * this.sign;
    const at = isBest ? this.runs.length - 1 : this.runOf(key);
    const run = this.runs[at] as Run;
    const index = isBest ? run.keys.length : indexIn(run.keys, key);
    const better = isBest ? NO_LEVEL : (run.levels[index] ?? this.runs[at + 1]?.levels[0] ?? NO_LEVEL);
    table.link(isBest ? best : table.worse(better), level);
    table.link(level, better);
    if (isBest) {
      this.best = level;
      this.bestPrice = table.price(level);
    }
    insert(run.keys, index, key);
    insert(run.levels, index, level);
    if (run.keys.length > LONGEST_RUN) this.halve(at);
  }

  /** Takes a level from its run. */
  private displace(level: Level, key: number): void {
    const isBest = level === this.best;
    const at = isBest ? this.runs.length - 1 : this.runOf(key);
    const run = this.runs[at] as Run;
    const index = isBest ? run.keys.length - 1 : indexIn(run.keys, key);
    assert(run.levels[index] === level, 'a level that is closed is in its ladder');
    remove(run.keys, index);
    remove(run.levels, index);
    if (run.keys.length === 0) remove(this.runs, at);
  }

  /** Lets the window show a new level, unless a better one has its slot. */
  private show(level: Level, key: number): void {
    this.hidden += 1;
    const length = this.window.length / 2;
    if (this.size > FEW_LEVELS && this.size > length && length < LARGEST_WINDOW) this.widen();
    else if (length > 1) this.fit(level, key);
  }

  /** Makes the window at least twice as large as there are levels: prices that follow each other then have slots of their own. */
  private widen(): void {
    let length = FEW_LEVELS * 4;
    while (length < this.size * 2 && length < LARGEST_WINDOW) length *= 2;
    this.window = new Int32Array(length * 2);
    this.hidden = this.size;
    const { table, sign } = this;
    for (let level = this.best; level !== NO_LEVEL; level = table.worse(level))
      this.fit(level, table.price(level) * sign);
  }

  private fit(level: Level, key: number): void {
    const { window, sign } = this;
    const price = key * sign;
    if (price > LARGEST_SHOWN) return;
    const slot = slotIn(window, price);
    if (window[slot + 1] === NO_LEVEL) this.hidden -= 1;
    else if ((window[slot] as number) * sign > key) return;
    window[slot] = price;
    window[slot + 1] = level;
  }

  /** The run that a key stands in, or would stand in: the last that does not begin behind it. */
  private runOf(key: number): number {
    const { runs } = this;
    let low = 1;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((runs[middle] as Run).keys[0] as number) <= key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private halve(place: number): void {
    const run = this.runs[place] as Run;
    const middle = run.keys.length >>> 1;
    insert(this.runs, place + 1, { keys: run.keys.splice(middle), levels: run.levels.splice(middle) });
  }
}

/** Where a price has its slot, in integers. */
function slotIn(window: Int32Array, price: number): number {
  return (price * 2) & (window.length - 1) & ~1;
}

/** Where a key stands in ascending keys, or would stand. */
function indexIn(keys: readonly number[], key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Like `splice`, without the array that `splice` makes. */
function insert<Item>(items: Item[], index: number, item: Item): void {
  items.push(item);
  for (let at = items.length - 1; at > index; at -= 1) items[at] = items[at - 1] as Item;
  items[index] = item;
}

function remove<Item>(items: Item[], index: number): void {
  for (let at = index + 1; at < items.length; at += 1) items[at - 1] = items[at] as Item;
  items.pop();
}
