/**
 * Compares the audit trail with the journal, record by record, for `sauda verify`. The check of the trail by itself is
 * in `verify-trail.ts`.
 */

import { join } from 'node:path';
import { decodeGroup } from '../../journal/codec.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import type { Head } from '../../journal/journal.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { StoredJournal } from '../../journal/segments/stored-journal.ts';
import { examineBeside, journalPaths } from '../../journal/upkeep/examine.ts';
import { type BeginPart, type Progress, UNWATCHED } from '../../os/progress.ts';
import type { AnchorPlace } from '../anchor.ts';
import { hasLine, recordedOrder } from '../command-fields.ts';
import { dayFile, linesAt, trailDays, trailFolder } from '../trail-file.ts';
import { GENESIS_HASH, readLine, type TrailLine } from '../trail-line.ts';
import { readTrailMark } from '../trail-mark.ts';
import { type TrailVerification, trailText, verifyTrail } from './verify-trail.ts';

const MOST_FAULTS = 20;

/** The result of comparing a trail with a journal. */
export interface Agreement {
  readonly faults: readonly string[];
  /** The range of records that both have: the first after the trail's beginning, and the last that a line names. */
  readonly from: number;
  readonly to: number;
  /** Records after `to` that have no line yet. The next start makes those lines. */
  readonly later: number;
  /**
   * Lines of records that the journal no longer has, because the operator accepted an earlier end or put a copy back.
   */
  readonly lost: number;
}

/**
 * Compares a whole trail with a whole journal. Every record has its line, except market moves and the use of sessions.
 * The sequence, the time and the order number are the same. Every line's record exists. The seals state the chain
 * hashes of the journal. Source: reliability I46.
 */
export function compareWithJournal(
  disk: Disk,
  trail: TrailVerification,
  journal: StoredJournal,
  begin: BeginPart = UNWATCHED,
): Agreement {
  const progress = begin('comparing the audit trail with the journal', 'records');
  return new Comparison(disk, journal, trail, progress).run();
}

class Comparison {
  private readonly disk: Disk;
  private readonly trail: TrailVerification;
  private readonly stored: StoredJournal;
  private readonly progress: Progress;
  private readonly faults: string[] = [];
  private records: Iterator<JournalRecord> | undefined;
  private record: JournalRecord | undefined;
  /** The head of the last group that was passed. A seal names one such head. */
  private passed: Head = { seq: 0, hash: '' };
  private from = 0;
  private to = 0;
  private lost = 0;

  constructor(disk: Disk, stored: StoredJournal, trail: TrailVerification, progress: Progress) {
    this.disk = disk;
    this.trail = trail;
    this.progress = progress;
    this.stored = stored;
  }

  run(): Agreement {
    for (const [line, place] of this.lines()) this.take(line, place);
    const { faults, from, to, lost } = this;
    return { faults, from, to, later: this.rest(), lost };
  }

  /**
   * The lines of the trail, with their places. Ends at the trail's head: the next start cuts off anything after it.
   */
  private *lines(): Iterable<[TrailLine, string]> {
    const { folder, head } = this.trail;
    let last = GENESIS_HASH;
    for (const day of trailDays(this.disk, folder)) {
      const path = join(folder, dayFile(day));
      for (const { text, number } of linesAt(this.disk, path)) {
        if (last === head.hash) return;
        const line = readLine(text);
        if (typeof line === 'string') continue;
        last = line.hash;
        yield [line, `${path}, line ${number}`];
      }
    }
  }

  private take(line: TrailLine, place: string): void {
    const { kind, seq } = line;
    if (seq === undefined) return;
    if (kind === 'Start') {
      this.beginAfter(seq);
      this.to = Math.min(this.to, seq);
    } else if (this.isLost(line)) this.lost += 1;
    else if (kind === 'Seal' || kind === 'End') this.checkSeal(line, place);
    else this.checkRecord(line, seq, place);
  }

  /**
   * A trail that is younger than the journal, or whose beginning was removed, is compared from its first start or its
   * first line of a record. A seal cannot begin the comparison: the lines around the record that it names may be among
   * the removed ones.
   */
  private beginAfter(seq: number): void {
    if (this.records !== undefined) return;
    this.from = seq;
    this.to = seq;
    this.goOnAfter(seq);
  }

  /** A later process started from an earlier record, so the journal had lost this record by then. */
  private isLost({ n, seq = 0 }: TrailLine): boolean {
    return this.trail.starts.some((start) => start.n > n && start.seq < seq);
  }

  private checkSeal({ seq = 0, journal }: TrailLine, place: string): void {
    const hash = this.passed.seq === seq ? this.passed.hash : this.stored.hashAt(seq);
    if (hash !== journal)
      this.fault(`${place}: the journal has another history at record ${seq} than the trail states`);
  }

  private checkRecord(line: TrailLine, seq: number, place: string): void {
    this.beginAfter(seq - 1);
    // A start may make lines again, of records that stand before a seal of an earlier head. They are compared like all
    // others.
    if (line.kind === 'Recovered' && seq <= this.to) this.goOnAfter(seq - 1);
    while (this.record !== undefined && this.record.seq < seq) {
      this.fault(
        `${place}: record ${this.record.seq} (${this.record.command.type}) of the journal has no line before this one`,
      );
      this.advance();
    }
    const { record } = this;
    if (record?.seq !== seq) {
      this.fault(`${place}: the journal has no record ${seq}`);
      return;
    }
    const order = recordedOrder(record.command, record.events);
    if (line.at !== record.at || line.order !== order) {
      this.fault(`${place}: record ${seq} (${record.command.type}) of the journal differs from the line`);
    }
    this.to = seq;
    this.advance();
  }

  private goOnAfter(seq: number): void {
    this.records?.return?.();
    this.records = this.recordsAfter(seq)[Symbol.iterator]();
    this.advance();
  }

  private advance(): void {
    const next = this.records?.next();
    this.record = next === undefined || next.done === true ? undefined : next.value;
  }

  private *recordsAfter(after: number): Iterable<JournalRecord> {
    for (const group of this.stored.groups(after)) {
      for (const record of decodeGroup(group)) if (record.seq > after && hasLine(record.command)) yield record;
      this.passed = { seq: group.firstSeq + group.count - 1, hash: group.hash };
      this.progress(this.passed.seq, this.stored.head().seq);
    }
  }

  private rest(): number {
    let count = 0;
    for (; this.record !== undefined; this.advance()) count += 1;
    return count;
  }

  private fault(what: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(what);
  }
}

/**
 * Checks the audit trail of a data folder by itself and against the journal, and reports the result. `withMark`: the
 * journal is read with its mark. A folder without a trail was never started by a service that keeps one.
 */
export function verifyWithJournal(
  disk: Disk,
  data: string,
  anchor: AnchorPlace | undefined,
  withMark = true,
  begin: BeginPart = UNWATCHED,
): { readonly damaged: boolean; readonly text: string } {
  const folder = trailFolder(data);
  if (disk.names(folder).length === 0 && anchor === undefined && (readTrailMark(disk, folder)?.n ?? 0) === 0) {
    return { damaged: false, text: `${folder}: there is no audit trail` };
  }
  const trail = verifyTrail(disk, folder, anchor, begin);
  if (trail.faults.length > 0) return { damaged: true, text: trailText(trail, '') };
  // The journal is read after the trail, so that it has every record that the trail names.
  const { stored } = examineBeside(disk, journalPaths(data), withMark);
  const agreement = compareWithJournal(disk, trail, stored, begin);
  const whole = trailText({ ...trail, faults: agreement.faults }, agreementText(agreement));
  return { damaged: agreement.faults.length > 0, text: whole };
}

/** The part of the report of `sauda verify` that is about the journal. */
function agreementText({ from, to, later, lost }: Agreement): string {
  const parts = [`it agrees with the journal from record ${from + 1} to ${to}`];
  if (later > 0) parts.push(`${later} later records have no line yet; the next start makes them`);
  if (lost > 0) parts.push(`${lost} lines are of records that were lost with an end of the journal that was accepted`);
  return parts.join('; ');
}
