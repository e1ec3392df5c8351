/**
 * The text of records in the journal: one line of JSON for each record, and the strict check of the lines that are read
 * back. It knows nothing of files and chains.
 */

import { isJsonObject } from '../base/json.ts';
import { messageOf } from '../base/system-fault.ts';
import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Group } from './journal.ts';
import { type StoredEvents, withoutRepeats, withRepeats } from './received-order-codec.ts';
import { type JournalRecord, RECORD_VERSION } from './record.ts';

/**
 * Text that is not a group of records of a version that this program knows. `seq` is the record that could not be read.
 */
export class UnreadableRecord extends Error {
  override readonly name = 'UnreadableRecord';
  readonly seq: number;

  constructor(seq: number, what: string) {
    super(what);
    this.seq = seq;
  }
}

/** The separator after each record of a group: a line feed, which JSON text never contains. */
export const RECORD_END = '\n';

/** A record as one line of JSON. The receipt of an order does not repeat its placement. */
export function encodeRecord(seq: number, at: EpochMs, command: Command, events: readonly Event[]): string {
  return JSON.stringify({ seq, at, command, events: withoutRepeats(command, events) });
}

/** The group of `count` records that are `body`, each with its end. */
export function encodeGroup(firstSeq: number, count: number, body: string | Uint8Array): Group {
  return { version: RECORD_VERSION, firstSeq, count, body };
}

/**
 * The records of a group, in order. Strict: the version must be known, the lines as many as `count`, and every
 * record whole and in its place. Throws `UnreadableRecord` that names the first that is not.
 */
export function decodeGroup(group: Group): JournalRecord[] {
  const reader = new GroupReader(group);
  const records: JournalRecord[] = [];
  while (reader.hasMore()) records.push(reader.next());
  return records;
}

/** As `decodeGroup`, one record after the other, each decoded when it is asked for. */
export function* recordsOf(group: Group): Iterable<JournalRecord> {
  const reader = new GroupReader(group);
  while (reader.hasMore()) yield reader.next();
}

/** Reads the lines of a group one after the other. */
class GroupReader {
  private readonly group: Group;
  private readonly body: string;
  private seq: number;
  /** Where the next line begins. */
  private start = 0;

  constructor(group: Group) {
    this.group = group;
    this.body = textOf(group.version, group.firstSeq, group.body);
    this.seq = group.firstSeq;
  }

  /** False after the last record. Throws `UnreadableRecord` when text follows it. */
  hasMore(): boolean {
    const { firstSeq, count } = this.group;
    if (this.seq < firstSeq + count) return true;
    if (this.start === this.body.length) return false;
    throw new UnreadableRecord(this.seq, `text follows the last of ${count} records`);
  }

  next(): JournalRecord {
    const { seq, start, body } = this;
    const end = body.indexOf(RECORD_END, start);
    if (end < 0) throw this.endsEarly();
    this.seq = seq + 1;
    this.start = end + 1;
    return decodeRecord(seq, body.slice(start, end));
  }

  private endsEarly(): UnreadableRecord {
    const { firstSeq, count } = this.group;
    return new UnreadableRecord(this.seq, `the group ends after ${this.seq - firstSeq} of ${count} records`);
  }
}

function textOf(version: number, firstSeq: number, body: string | Uint8Array): string {
  if (version === RECORD_VERSION) return typeof body === 'string' ? body : utf8(body);
  throw new UnreadableRecord(firstSeq, unknownVersion(version));
}

/** The words about records of a version that this program does not read. */
export function unknownVersion(version: number): string {
  return `record version ${version} is unknown: this program reads version ${RECORD_VERSION}`;
}

function utf8({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

function decodeRecord(seq: number, line: string): JournalRecord {
  const value = parseLine(seq, line);
  if (!isRecordShape(value)) throw new UnreadableRecord(seq, 'not a record of {seq, at, command, events}');
  if (value.seq !== seq) throw new UnreadableRecord(seq, `record numbered ${value.seq} stands in place ${seq}`);
  const { at, command, events: said } = value;
  const typed: readonly Typed[] = said;
  for (const event of typed) event.type = knownName(event.type);
  const events = withRepeats(command, said);
  if (events === undefined) throw new UnreadableRecord(seq, 'the receipt of an order stands without its placement');
  return { seq, at, command, events };
}

/** The names of types that were read so far. */
const NAMES = new Map<string, string>();
/** The name that was read last at each place of `placeOf`: a map would hash each parsed name from its letters. */
const LAST_NAMES: string[] = new Array(512).fill('');

/**
 * The name as the string of the program's own text. Types are then compared by address and not letter by letter, which
 * a fold does many times for each record; a parsed name is another string in memory.
 */
function knownName(type: string): string {
  const place = placeOf(type);
  const last = LAST_NAMES[place];
  if (last === type) return last;
  const name = NAMES.get(type) ?? keepName(type);
  LAST_NAMES[place] = name;
  return name;
}

/** A place for a name, which few others have. A text of three letters or less has the first one. */
function placeOf(type: string): number {
  return (31 * type.length + 7 * type.charCodeAt(type.length - 4) + type.charCodeAt(2)) & (LAST_NAMES.length - 1);
}

function keepName(type: string): string {
  const [name = type] = Object.keys({ [type]: type });
  NAMES.set(name, name);
  return name;
}

function parseLine(seq: number, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new UnreadableRecord(seq, `not JSON: ${messageOf(error)}`);
  }
}

/** A record as it was just parsed, before its events are put in order. */
interface ParsedRecord {
  readonly seq: number;
  readonly at: EpochMs;
  readonly command: Command;
  readonly events: StoredEvents;
}

interface Typed {
  type: string;
}

function isRecordShape(value: unknown): value is ParsedRecord {
  if (!isJsonObject(value)) return false;
  let fields = 0;
  for (const _ in value) fields += 1;
  const { seq, at, command, events } = value;
  return (
    fields === 4 &&
    Number.isSafeInteger(seq) &&
    Number.isSafeInteger(at) &&
    isTyped(command) &&
    Array.isArray(events) &&
    events.length > 0 &&
    events.every(isTyped)
  );
}

function isTyped(value: unknown): value is Typed {
  return isJsonObject(value) && typeof value.type === 'string';
}
