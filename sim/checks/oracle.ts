import { assert } from '../../src/base/assert.ts';
import type { Event } from '../../src/core/event.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import type { Ports } from '../../src/core/ports.ts';
import { LIVE, type Live } from '../../src/engine/live.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { PlainLedger } from '../../test/kit/money/plain-ledger.ts';
import { Shadow } from '../../test/kit/money/shadow.ts';

/**
 * All that is known outside of the service about its work: every record as it was applied, the state that it began
 * with, and plain ledgers of durable records. It knows the state to which a start must come. Source: reliability I22,
 * I23, I29 to I32.
 */
export class Oracle {
  private readonly shadow = new Shadow();
  private readonly plain = new PlainLedger();
  /** Under which keys placements were made today. */
  private keys = new Set<string>();
  /** The fold of what is durable, made from the records as they were applied. */
  private readonly follower = LIVE.empty();
  /** The records on their way. */
  private pending: JournalRecord[] = [];

  /** A command was applied. */
  applied(record: JournalRecord): void {
    this.pending.push(record);
  }

  /** Everything up to `seq` is durable. */
  durableTo(seq: number): void {
    let count = 0;
    for (const record of this.pending) {
      if (record.seq > seq) break;
      this.read(record.events);
      this.follower.fold(record);
      count += 1;
    }
    this.pending.splice(0, count);
  }

  get recordsPending(): number {
    return this.pending.length;
  }

  /** True while the end of a day is on its way to the disk. */
  get dayEndPending(): boolean {
    return this.pending.some(({ command }) => command.type === 'EndDay');
  }

  /**
   * The service has started again and came to `recovered`: every record up to its sequence number must be in it as it
   * was applied, and the others are as if they had never been. Returns how many of the records that were on their way
   * are there.
   */
  restarted(recovered: Live): number {
    const { seq } = recovered;
    const onTheirWay = this.pending.length;
    this.durableTo(seq);
    assert(
      this.follower.seq === seq,
      `the start came to ${seq}, what was applied and durable ends at ${this.follower.seq}`,
    );
    this.compare(recovered);
    const kept = onTheirWay - this.pending.length;
    this.pending = [];
    return kept;
  }

  /** By all bytes that are stored of them: of the state's a hash is made, too. */
  private compare(live: Live): void {
    const [is, expected] = [textOf(live), textOf(this.follower)];
    assert(
      is === expected,
      `the state and the views at ${live.seq} are the fold of what was applied: ${parting(is, expected)}`,
    );
  }

  /** The whole state against everything that is known of it. Only when nothing is on its way. */
  check(live: Live, ports: Ports): void {
    const { state } = live;
    assert(this.pending.length === 0, 'nothing is on its way');
    checkInvariants(state, ports);
    this.shadow.compare(state);
    this.plain.compare(state);
    this.compare(live);
  }

  private read(events: readonly Event[]): void {
    this.shadow.read(events);
    this.plain.read(events);
    for (const event of events) {
      if (event.type === 'DayRolled') this.keys = new Set();
      if (event.type !== 'OrderReceived' || event.idempotency === undefined) continue;
      const key = `${event.account} ${event.idempotency.key}`;
      assert(!this.keys.has(key), `the key ${key} places once`);
      this.keys.add(key);
    }
  }
}

/** Where two texts part, with what stands around it. */
/** All that is stored of a live state and its views. */
export function textOf(live: Live): string {
  return [...live.lines()].join('\n');
}

function parting(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
  return `at ${at}: ${around(one)} and not ${around(other)}`;
}
