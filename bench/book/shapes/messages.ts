import { Random } from '../../../src/base/random.ts';
import { TICK } from '../floor.ts';

/**
 * Messages to one book in five shapes of a day, as public workloads of matching engines have them: the middle stands,
 * wanders, swings by 25 or 40 %, or crashes and comes back. They are made without a book: a message may name an order
 * that has ended by then, as those of real clients do.
 */

export const ADD = 0;
export const CANCEL = 1;
export const MODIFY = 2;
/** A limit order whose rest is cancelled at once. */
export const IMMEDIATE = 3;

/** The messages in columns. `subject` is the serial number, without gaps, of the order that comes or is named. */
export interface Messages {
  readonly size: number;
  /** How many orders come in all. */
  readonly orders: number;
  readonly kind: Uint8Array;
  readonly buys: Uint8Array;
  /** In paise: the limit of an order that comes, or its new limit. */
  readonly price: Int32Array;
  /** Units of an order that comes, or its new units in all. */
  readonly quantity: Int32Array;
  readonly subject: Int32Array;
}

/** The middle at a part of the way, from 0 to 1, as a multiple of where it began. */
type Path = (part: number, random: Random) => number;

const WAVES = 8;
const LARGEST = 100;
/** Of a hundred messages. */
const ADDS = 45;
const CANCELS = 35;
const MODIFIES = 12;
/**
 * The most orders that clients know. With that many, none comes before one is cancelled: the book of a day keeps its
 * size. The cost of the other program grows with its book, and it came to no end without this bound.
 */
const MOST_KNOWN = 2_000;
const BEGIN = 10_000_000;
/** Prices a side over which most orders spread. */
const SPREAD = 40;
/** Of a hundred orders, those whose limit reaches beyond the middle. */
const CROSSING = 12;

export const SHAPES: readonly (readonly [name: string, path: () => Path])[] = [
  ['static', () => () => 1],
  ['normal', wandering],
  ['swings of 25 %', () => swinging(0.25)],
  ['swings of 40 %', () => swinging(0.4)],
  ['flash crash', () => crashing],
];

function wandering(): Path {
  let middle = 1;
  return (_, random) => {
    middle *= 1 + (random.below(2_001) - 1_000) / 2e7;
    return middle;
  };
}

function swinging(most: number): Path {
  return (part) => 1 + most * Math.sin(part * WAVES * 2 * Math.PI);
}

/** Falls by 60 % within a fiftieth of the way, and rises again within a tenth. */
function crashing(part: number): number {
  if (part < 0.5) return 1;
  if (part < 0.52) return 1 - 0.6 * ((part - 0.5) / 0.02);
  return part < 0.62 ? 0.4 + 0.6 * ((part - 0.52) / 0.1) : 1;
}

/** The messages of a shape: the same for the same seed. */
export function messagesOf(seed: number, size: number, path: Path): Messages {
  return new Making(seed, size).make(path);
}

/** Messages that are being made. */
class Making {
  private readonly random: Random;
  private readonly made: Messages & { orders: number };
  /** Orders that were not cancelled: some may have traded. */
  private readonly known: number[] = [];

  constructor(seed: number, size: number) {
    this.random = new Random(seed);
    this.made = {
      size,
      orders: 0,
      kind: new Uint8Array(size),
      buys: new Uint8Array(size),
      price: new Int32Array(size),
      quantity: new Int32Array(size),
      subject: new Int32Array(size),
    };
  }

  make(path: Path): Messages {
    const { made, random } = this;
    for (let at = 0; at < made.size; at += 1) {
      const middle = Math.round((BEGIN * path(at / made.size, random)) / TICK) * TICK;
      const draw = this.known.length < MOST_KNOWN ? random.below(100) : random.between(ADDS, 99);
      if (draw < ADDS || this.known.length === 0) this.comes(at, ADD, middle);
      else if (draw < ADDS + CANCELS) this.cancels(at);
      else if (draw < ADDS + CANCELS + MODIFIES) this.modifies(at, middle);
      else this.comes(at, IMMEDIATE, middle);
    }
    return made;
  }

  private comes(at: number, kind: number, middle: number): void {
    const { made, random } = this;
    const buys = random.below(2);
    made.kind[at] = kind;
    made.subject[at] = made.orders;
    this.terms(at, buys, middle, kind === IMMEDIATE ? 70 : CROSSING);
    if (kind === ADD) this.known.push(made.orders);
    made.orders += 1;
  }

  private cancels(at: number): void {
    const { made, known, random } = this;
    const place = random.below(known.length);
    made.kind[at] = CANCEL;
    made.subject[at] = known[place] as number;
    known[place] = known[known.length - 1] as number;
    known.pop();
  }

  /** New terms for one of the last orders. */
  private modifies(at: number, middle: number): void {
    const { made, known, random } = this;
    const serial = known[known.length - 1 - random.below(Math.min(known.length, 1_000))] as number;
    made.kind[at] = MODIFY;
    made.subject[at] = serial;
    this.terms(at, sideOf(serial), middle, 0);
  }

  /** The side of an order is known by its number, so that new terms need not look for it. */
  private terms(at: number, drawn: number, middle: number, crossing: number): void {
    const { made, random } = this;
    const buys = made.kind[at] === IMMEDIATE ? drawn : sideOf(made.subject[at] as number);
    const crosses = random.chance(crossing);
    const away = TICK * (1 + Math.floor(SPREAD * -Math.log(1 - random.below(1_000) / 1_000)));
    made.buys[at] = buys;
    made.price[at] = (buys === 1) === crosses ? middle + away : Math.max(TICK, middle - away);
    made.quantity[at] = random.between(1, LARGEST);
  }
}

function sideOf(serial: number): number {
  return ((serial * 2_654_435_761) >>> 16) & 1;
}
