import { assert } from '../src/base/assert.ts';
import type { Event } from '../src/core/event.ts';
import { checkInvariants } from '../src/core/invariants.ts';
import type { Ports } from '../src/core/ports.ts';
import type { State } from '../src/core/state.ts';
import { LIVE, type Live } from '../src/engine/live.ts';
import type { JournalRecord } from '../src/journal/record.ts';
import { PlainLedger } from '../test/money/plain-ledger.ts';
import { Shadow } from '../test/money/shadow.ts';

/**
 * What is known outside of the service of what it did: every record as it was applied, the state that it began with, and plain ledgers of what
 * is durable. It says what a start must come to. Source: reliability I22, I23, I29 to I32.
 */
export class Oracle {
  private readonly shadow = new Shadow();
  private readonly plain = new PlainLedger();
  /** Under which keys placements were made today. */
  private keys = new Set<string>();
  private base = LIVE.empty().dump();
  /** The durable records since the base, and those on their way. */
  private durable: JournalRecord[] = [];
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
      this.durable.push(record);
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
   * The service has started anew and came to `recovered`: every record up to its sequence number must be in it as it was applied, and the others are
   * as if they had never been. Returns how many of the records that were on their way are there.
   */
  restarted(recovered: Live): number {
    const { seq } = recovered;
    const onTheirWay = this.pending.length;
    this.durableTo(seq);
    const last = this.durable.at(-1)?.seq ?? LIVE.load(this.base).seq;
    assert(last === seq, `the start came to ${seq}, what was applied and durable ends at ${last}`);
    const expected = LIVE.load(this.base);
    for (const record of this.durable) expected.fold(record);
    assert(recovered.hash() === expected.hash(), `the state at ${seq} is the fold of what was applied`);
    const dump = recovered.dump();
    assert(dump === expected.dump(), `the views at ${seq} are the fold of what was applied`);
    const kept = onTheirWay - this.pending.length;
    this.pending = [];
    this.durable = [];
    this.base = dump;
    return kept;
  }

  /** The whole state against everything that is known of it. Only when nothing is on its way. */
  check(state: State, ports: Ports): void {
    assert(this.pending.length === 0, 'nothing is on its way');
    checkInvariants(state, ports);
    this.shadow.compare(state);
    this.plain.compare(state);
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
