/**
 * The format of one line of the audit trail: its kinds and fields, the hash that ties it to the line before, and the
 * check of a line that was read back. It knows nothing of files: see `trail-file.ts`.
 */

import { hash } from 'node:crypto';
import { withoutControls } from '../base/printable.ts';

/** The version of the line format; the first line of every file states it. */
export const TRAIL_VERSION = 1;
/** Stands in the place of the hash before the first line. */
export const GENESIS_HASH = '0'.repeat(64);

/**
 * The kinds of lines. `Command`, `Login`, `Logout`: a client, through the interface. `Act`: an operator. `Own`: the
 * service itself. `Refusal`: a request that was refused before it became a command. `Repeated`: a count of refusals of
 * one kind that have no lines of their own. `Recovered`: a command of the journal whose own line was lost when the
 * process died. The others belong to the trail itself: `Day` opens a file, `Close` ends it with its index, `Start` and
 * `End` mark a process, `Seal` states the head of the journal, `Removed` names files that were removed because they
 * were too old.
 */
export const KINDS = [
  'Command',
  'Login',
  'Logout',
  'Act',
  'Own',
  'Refusal',
  'Repeated',
  'Recovered',
  'Day',
  'Close',
  'Start',
  'End',
  'Seal',
  'Removed',
] as const;
export type Kind = (typeof KINDS)[number];

/** The end of a trail: the number of its last line and that line's hash. */
export interface TrailHead {
  readonly n: number;
  readonly hash: string;
}

/** A line as it is read back. Its fields depend on the kind; `docs/audit.md` names them. */
export interface TrailLine {
  readonly n: number;
  /** Wall time, and the engine's time where a command was decided. In milliseconds since 1970. */
  readonly utc: number;
  readonly at?: number;
  readonly kind: Kind;
  readonly op?: string;
  readonly user?: string;
  readonly address?: string;
  readonly session?: string;
  readonly order?: number;
  /** The record of the journal. */
  readonly seq?: number;
  readonly code?: number;
  readonly hash: string;
  readonly [name: string]: unknown;
}

const HASH_HEAD = ',"hash":"';
const LINE_END = '"}';
const HASH_LENGTH = 64;
const TAIL_LENGTH = HASH_HEAD.length + HASH_LENGTH + LINE_END.length;
export const END_OF_LINE = 10;
/** The most bytes that a line has beside its body: a number of sixteen digits, and the hash. */
const MOST_AROUND = '{"n":,'.length + 16 + TAIL_LENGTH;

/** The last characters of a line with that hash, its line feed included. */
export function lineEnd(hash: string): string {
  return `${HASH_HEAD}${hash}${LINE_END}\n`;
}

/** Bodies as they are handed on: ASCII, with a line feed after each. */
export function bodiesOf(bodies: readonly string[]): Buffer {
  return Buffer.from(bodies.map((body) => `${body}\n`).join(''), 'latin1');
}

/**
 * Makes whole lines of bodies: each gets its number and the hash over the line before and itself. Gives the lines and
 * the new head.
 */
export function sealLines(head: TrailHead, bodies: Buffer): { readonly lines: Buffer; readonly head: TrailHead } {
  let { n, hash: before } = head;
  const lines = Buffer.allocUnsafeSlow(bodies.length + countOf(bodies) * MOST_AROUND);
  // The hashed bytes: the hash of the line before, then this line without its own hash.
  const hashed = Buffer.allocUnsafeSlow(HASH_LENGTH + MOST_AROUND + bodies.length);
  let length = 0;
  let start = 0;
  for (let end = bodies.indexOf(END_OF_LINE); end >= 0; end = bodies.indexOf(END_OF_LINE, start)) {
    n += 1;
    const headLength = hashed.write(`${before}{"n":${n},`, 0, 'latin1');
    const hashedLength = headLength + bodies.copy(hashed, headLength, start, end);
    before = hash('sha256', hashed.subarray(0, hashedLength));
    length += hashed.copy(lines, length, HASH_LENGTH, hashedLength);
    length += lines.write(lineEnd(before), length, 'latin1');
    start = end + 1;
  }
  return { lines: lines.subarray(0, length), head: { n, hash: before } };
}

function countOf(bodies: Buffer): number {
  let count = 0;
  for (let at = bodies.indexOf(END_OF_LINE); at >= 0; at = bodies.indexOf(END_OF_LINE, at + 1)) count += 1;
  return count;
}

/**
 * Parses `text`, a line without its line feed. Gives the line as it states itself, or the fault of its form. Checks no
 * hash.
 */
export function readLine(text: string): TrailLine | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `not a line of the trail: ${withoutControls(String(error))}`;
  }
  if (typeof value !== 'object' || value === null) return 'not a line of the trail';
  const { n, utc, kind, hash: stated } = value as Partial<TrailLine>;
  const whole = Number.isSafeInteger(n) && Number.isSafeInteger(utc) && typeof stated === 'string';
  return whole && KINDS.some((known) => known === kind)
    ? (value as TrailLine)
    : 'not a line of the trail: fields are missing';
}

/** The line that follows `before`, or the reason why `text` is not that line. Every byte counts. */
export function nextLine(before: TrailHead, text: string): TrailLine | string {
  const at = text.length - TAIL_LENGTH;
  const stated = text.slice(at + HASH_HEAD.length, -LINE_END.length);
  const content = text.slice(0, Math.max(0, at));
  if (text.slice(at) !== `${HASH_HEAD}${hash('sha256', before.hash + content)}${LINE_END}`) {
    const line = readLine(text);
    if (typeof line === 'string') return line;
    const other = line.n === before.n + 1 ? '' : `; it is numbered ${line.n}, and ${before.n + 1} is next`;
    return `the hash ${stated.slice(0, 8)}... does not match the line and the one before it${other}`;
  }
  const line = readLine(text);
  if (typeof line === 'string') return line;
  return line.n === before.n + 1 ? line : `it is numbered ${line.n}, and ${before.n + 1} is next`;
}

/** A value as JSON in ASCII alone, so that every character of the trail is one byte. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
