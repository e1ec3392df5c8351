import { assert } from '../../base/assert.ts';
import type { Brand } from '../../base/brand.ts';
import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Quantity } from '../../base/money.ts';

/** Where an order stands in the store. Good until the order leaves; then another may get it. */
export type Handle = Brand<'Handle'>;
/** The handle of no order. */
export const NO_ORDER = -1 as Handle;

/** One order is eight doubles: one line of the processor's cache. All of them are integers. */
const WIDTH = 8;
const NUMBER = 0;
const ACCOUNT = 1;
const REMAINING = 2;
const MARK = 3;
const PLACE = 4;
const LEVEL = 5;
const PREVIOUS = 6;
const NEXT = 7;

/** Up to so many orders are found by looking at each: an index would be larger than they are. */
const UNINDEXED = 8;
const NO_FIELDS = new Float64Array(0);
const NO_SLOTS = new Int32Array(0);
/** 2^32 divided by the golden ratio: spreads numbers that follow each other evenly over the slots. */
const SPREAD = 0x9e3779b1;

/**
 * The orders of one book as flat records, linked to queues by handles, and found by order number through open addressing.
 * It grows by doubling, gives the records of orders that left to orders that come, and makes no garbage.
 */
export class OrderStore {
  /** How many orders it holds. */
  size = 0;
  private fields = NO_FIELDS;
  /** Records that were ever in use. */
  private used = 0;
  /** The last record that became free; the others are chained behind it. */
  private free = NO_ORDER;
  /**
   * Pairs by the hash of the order number, at most half of them in use: the handle plus one (0 in an empty slot) and the low
   * bits of the number, so that a slot tells its hash without a look at the record.
   */
  private slots = NO_SLOTS;
  /** How far a hash is shifted to be a slot. */
  private shift = 0;

  /** Files an order that is in no queue yet. `place` is its running number in the book. An order is filed once. */
  add(number: OrderNumber, account: AccountId, remaining: number, mark: number, place: number, level: number): Handle {
    const handle = this.vacant();
    if (this.slots.length > 0) this.enter(number, handle);
    else assert(this.scan(number) === NO_ORDER, 'an order is in the book once');
    const { fields } = this;
    const at = handle * WIDTH;
    fields[at + NUMBER] = number;
    fields[at + ACCOUNT] = account;
    fields[at + REMAINING] = remaining;
    fields[at + MARK] = mark;
    fields[at + PLACE] = place;
    fields[at + LEVEL] = level;
    fields[at + PREVIOUS] = NO_ORDER;
    fields[at + NEXT] = NO_ORDER;
    this.size += 1;
    return handle;
  }

  /** Forgets an order that has left its queue. */
  delete(handle: Handle): void {
    const at = handle * WIDTH;
    if (this.slots.length > 0) this.leave(this.fields[at + NUMBER] as number, handle);
    this.fields[at + NUMBER] = 0;
    this.fields[at + NEXT] = this.free;
    this.free = handle;
    this.size -= 1;
  }

  /** The handle of an order, or `NO_ORDER`. */
  find(number: OrderNumber): Handle {
    const { slots, fields } = this;
    if (slots.length === 0) return this.scan(number);
    const last = slots.length - 1;
    const low = number | 0;
    for (let slot = this.home(low); ; slot = (slot + 2) & last) {
      const handle = (slots[slot] as number) - 1;
      if (handle < 0) return NO_ORDER;
      if (slots[slot + 1] === low && fields[handle * WIDTH + NUMBER] === number) return handle as Handle;
    }
  }

  number(handle: Handle): OrderNumber {
    return this.fields[handle * WIDTH + NUMBER] as OrderNumber;
  }

  account(handle: Handle): AccountId {
    return this.fields[handle * WIDTH + ACCOUNT] as AccountId;
  }

  /** Units that a resting order has still to fill. */
  remaining(handle: Handle): Quantity {
    return this.fields[handle * WIDTH + REMAINING] as Quantity;
  }

  setRemaining(handle: Handle, remaining: number): void {
    this.fields[handle * WIDTH + REMAINING] = remaining;
  }

  /** What stood in front of a resting order when it came, plus what had advanced at its level until then. */
  mark(handle: Handle): number {
    return this.fields[handle * WIDTH + MARK] as number;
  }

  /** The running number that the order got when it came to its queue. */
  place(handle: Handle): number {
    return this.fields[handle * WIDTH + PLACE] as number;
  }

  /** The number of the level in whose queue the order stands. */
  level(handle: Handle): number {
    return this.fields[handle * WIDTH + LEVEL] as number;
  }

  previous(handle: Handle): Handle {
    return this.fields[handle * WIDTH + PREVIOUS] as Handle;
  }

  next(handle: Handle): Handle {
    return this.fields[handle * WIDTH + NEXT] as Handle;
  }

  /** Links two neighbours of a queue; either may be `NO_ORDER`. */
  link(previous: Handle, next: Handle): void {
    if (previous !== NO_ORDER) this.fields[previous * WIDTH + NEXT] = next;
    if (next !== NO_ORDER) this.fields[next * WIDTH + PREVIOUS] = previous;
  }

  private vacant(): Handle {
    const handle = this.free;
    if (handle !== NO_ORDER) {
      this.free = this.next(handle);
      return handle;
    }
    if ((this.used + 1) * WIDTH > this.fields.length) this.grow();
    this.used += 1;
    return (this.used - 1) as Handle;
  }

  private grow(): void {
    const capacity = Math.max(1, this.used * 2);
    const fields = new Float64Array(capacity * WIDTH);
    fields.set(this.fields);
    this.fields = fields;
    if (capacity <= UNINDEXED) return;
    this.slots = new Int32Array(capacity * 4);
    this.shift = Math.clz32(capacity * 2 - 1);
    for (let handle = 0; handle < this.used; handle += 1) {
      const number = this.number(handle as Handle);
      if (number !== 0) this.enter(number, handle as Handle);
    }
  }

  private scan(number: OrderNumber): Handle {
    for (let handle = 0; handle < this.used; handle += 1) {
      if (this.fields[handle * WIDTH + NUMBER] === number) return handle as Handle;
    }
    return NO_ORDER;
  }

  /** The slot that an order with these low bits should have. */
  private home(low: number): number {
    return (Math.imul(low, SPREAD) >>> this.shift) * 2;
  }

  private enter(number: number, handle: Handle): void {
    const { slots, fields } = this;
    const last = slots.length - 1;
    const low = number | 0;
    let slot = this.home(low);
    while (slots[slot] !== 0) {
      const isSame = slots[slot + 1] === low && fields[((slots[slot] as number) - 1) * WIDTH + NUMBER] === number;
      assert(!isSame, 'an order is in the book once');
      slot = (slot + 2) & last;
    }
    slots[slot] = handle + 1;
    slots[slot + 1] = low;
  }

  /** Empties the slot of an order and moves those up that had to stand behind it, so that no search ends too early. */
  private leave(number: number, handle: Handle): void {
    const { slots } = this;
    const last = slots.length - 1;
    let hole = this.home(number | 0);
    while (slots[hole] !== handle + 1) {
      assert(slots[hole] !== 0, 'an order that leaves is in the index');
      hole = (hole + 2) & last;
    }
    for (let slot = (hole + 2) & last; slots[slot] !== 0; slot = (slot + 2) & last) {
      const home = this.home(slots[slot + 1] as number);
      if (((slot - home) & last) < ((slot - hole) & last)) continue;
      slots[hole] = slots[slot] as number;
      slots[hole + 1] = slots[slot + 1] as number;
      hole = slot;
    }
    slots[hole] = 0;
  }
}
