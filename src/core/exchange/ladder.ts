import { assert } from '../../base/assert.ts';
import type { Price } from '../../base/money.ts';
import type { Side } from '../order.ts';
import { Level } from './level.ts';

/** A run of neighbouring levels, worst first, so that what comes and goes near the touch moves few of them. */
interface Run {
  /** `price * sign` of each level, ascending. */
  readonly keys: number[];
  readonly levels: Level[];
}

/** A run that grows beyond this is halved. */
const LONGEST_RUN = 128;
const NO_RUNS: Run[] = [];

/**
 * The levels of one side in the order of their prices, linked from the best to the worst. Near the touch a level is found in one
 * short array; beyond it the arrays themselves are sorted, so that a price costs the same in a book of any size.
 */
export class Ladder {
  /** The side of its orders: buys have the highest price in front, sells the lowest. */
  readonly side: Side;
  /** True for the queue of prices at which stops wait. */
  readonly armed: boolean;
  best: Level | undefined;
  /** How many levels there are. */
  size = 0;
  /** How many orders stand in them. */
  orders = 0;
  /** Units that these orders have still to fill. */
  quantity = 0;
  private readonly sign: 1 | -1;
  private readonly numbered: Level[];
  /** Levels that were closed, chained by `worse`. */
  private spare: Level | undefined;
  private runs = NO_RUNS;

  /** `numbered` is shared by the ladders of a book: every level is filed there under its number. */
  constructor(side: Side, highestFirst: boolean, armed: boolean, numbered: Level[]) {
    this.side = side;
    this.armed = armed;
    this.sign = highestFirst ? 1 : -1;
    this.numbered = numbered;
  }

  find(price: Price): Level | undefined {
    if (this.best === undefined || this.best.price === price) return this.best;
    const key = price * this.sign;
    const { keys, levels } = this.runs[this.runOf(key)] as Run;
    const index = indexIn(keys, key);
    return keys[index] === key ? levels[index] : undefined;
  }

  /** The level of a price, made when there is none. */
  open(price: Price): Level {
    const { best } = this;
    if (best === undefined) return this.openFirst(price);
    if (best.price === price) return best;
    const key = price * this.sign;
    const place = this.runOf(key);
    const run = this.runs[place] as Run;
    const index = indexIn(run.keys, key);
    if (run.keys[index] === key) return run.levels[index] as Level;
    const level = this.vacant(price);
    const better = run.levels[index] ?? this.runs[place + 1]?.levels[0];
    link(better === undefined ? best : better.worse, level);
    link(level, better);
    if (better === undefined) this.best = level;
    insert(run.keys, index, key);
    insert(run.levels, index, level);
    if (run.keys.length > LONGEST_RUN) this.halve(place);
    this.size += 1;
    return level;
  }

  /** Removes a level that has no orders left. */
  close(level: Level): void {
    assert(level.orders === 0 && level.quantity === 0, 'a level that is closed is empty');
    const key = level.price * this.sign;
    const place = this.runOf(key);
    const run = this.runs[place] as Run;
    const index = indexIn(run.keys, key);
    assert(run.levels[index] === level, 'a level that is closed is in its ladder');
    remove(run.keys, index);
    remove(run.levels, index);
    if (run.keys.length === 0) remove(this.runs, place);
    link(level.worse, level.better);
    if (this.best === level) this.best = level.worse;
    level.advanced = 0;
    level.better = undefined;
    level.worse = this.spare;
    this.spare = level;
    this.size -= 1;
  }

  /** The level that is `depth` levels behind the best: 0 is the best. */
  at(depth: number): Level | undefined {
    let behind = depth;
    for (let place = this.runs.length - 1; place >= 0; place -= 1) {
      const { levels } = this.runs[place] as Run;
      if (behind < levels.length) return levels[levels.length - 1 - behind];
      behind -= levels.length;
    }
    return undefined;
  }

  private openFirst(price: Price): Level {
    const level = this.vacant(price);
    this.runs = [{ keys: [price * this.sign], levels: [level] }];
    this.best = level;
    this.size = 1;
    return level;
  }

  private vacant(price: Price): Level {
    const level = this.spare;
    if (level === undefined) {
      const made = new Level(this, this.numbered.length, price);
      this.numbered.push(made);
      return made;
    }
    this.spare = level.worse;
    level.worse = undefined;
    level.price = price;
    return level;
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

function link(worse: Level | undefined, better: Level | undefined): void {
  if (worse !== undefined) worse.better = better;
  if (better !== undefined) better.worse = worse;
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
