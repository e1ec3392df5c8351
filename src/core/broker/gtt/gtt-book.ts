/**
 * All GTTs of the state by number and by account, those whose orders are still to be placed, and the numbers that were
 * given out. Only `apply-gtt.ts` and the loading of a snapshot write it.
 */

import { must } from '../../../base/assert.ts';
import type { AccountId, GttNumber, InstrumentId } from '../../../base/ids.ts';
import type { Gtt } from './gtt.ts';
import { isGttLive } from './gtt-life-cycle.ts';

/** This number of ended GTTs of an account is kept, to be shown with their reasons: those that ended last. */
const ENDED_KEPT = 100;

const NONE: ReadonlySet<GttNumber> = new Set();

export class GttBook {
  /** The last number that was given out; 0 before the first. */
  last = 0 as GttNumber;
  private readonly byNumber = new Map<GttNumber, Gtt>();
  private readonly byAccount = new Map<AccountId, Set<GttNumber>>();
  /** Those whose trigger has fired and whose order is not placed yet, in the order of firing. */
  private readonly firing = new Set<GttNumber>();
  private live = 0;
  private readonly liveOn = new Map<InstrumentId, number>();

  get(number: GttNumber): Gtt | undefined {
    return this.byNumber.get(number);
  }

  /** In the order of their numbers. */
  values(): Iterable<Gtt> {
    return this.byNumber.values();
  }

  /** The GTTs of an account that are kept, oldest first. */
  of(account: AccountId): Gtt[] {
    const numbers = this.byAccount.get(account) ?? NONE;
    return Array.from(numbers, (number) => must(this.byNumber.get(number), 'a listed GTT is kept'));
  }

  /** How many have not ended. */
  get liveCount(): number {
    return this.live;
  }

  /** How many of all accounts have not ended that are for an instrument. */
  liveCountOn(instrument: InstrumentId): number {
    return this.liveOn.get(instrument) ?? 0;
  }

  /** How many of an account have not ended. */
  liveCountOf(account: AccountId): number {
    return this.of(account).filter(({ status }) => isGttLive(status)).length;
  }

  /** Those whose trigger has fired and whose order is not placed yet, in the order of firing. */
  get triggered(): ReadonlySet<GttNumber> {
    return this.firing;
  }

  /** Files a GTT that is new, or that a snapshot holds. */
  add(gtt: Gtt): void {
    this.byNumber.set(gtt.number, gtt);
    const own = this.byAccount.get(gtt.account) ?? new Set();
    this.byAccount.set(gtt.account, own.add(gtt.number));
    if (isGttLive(gtt.status)) this.count(gtt, 1);
    if (gtt.status === 'Triggered') this.firing.add(gtt.number);
  }

  /** Puts those that have fired into this order, after their rows were loaded. False when it names others. */
  orderTriggered(numbers: readonly GttNumber[]): boolean {
    const isSame = numbers.length === this.firing.size && numbers.every((number) => this.firing.has(number));
    this.firing.clear();
    for (const number of numbers) this.firing.add(number);
    return isSame && this.firing.size === numbers.length;
  }

  /** Notes that a trigger has fired. */
  noteTriggered({ number }: Gtt): void {
    this.firing.add(number);
  }

  /**
   * Notes that a GTT has ended, and drops the one of its account that ended first when there are too many: of those
   * that ended together the lowest number, and never the one that ends now, which its user is still to see.
   */
  noteEnded(gtt: Gtt): void {
    const { number, account } = gtt;
    this.count(gtt, -1);
    this.firing.delete(number);
    const before = this.of(account).filter((other) => other !== gtt && !isGttLive(other.status));
    if (before.length < ENDED_KEPT) return;
    this.drop(before.reduce((first, other) => (other.updatedAt < first.updatedAt ? other : first)));
  }

  private count({ instrument }: Gtt, by: 1 | -1): void {
    this.live += by;
    const left = this.liveCountOn(instrument) + by;
    if (left > 0) this.liveOn.set(instrument, left);
    else this.liveOn.delete(instrument);
  }

  private drop({ number, account }: Gtt): void {
    this.byNumber.delete(number);
    this.byAccount.get(account)?.delete(number);
  }
}
