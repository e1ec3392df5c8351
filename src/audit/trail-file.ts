/**
 * The files of the audit trail, one for each IST day: their names, and reading their lines forward and backward. It
 * does not check lines and writes nothing.
 */

import { join } from 'node:path';
import { formatIsoDay, type IstDay, parseIsoDay } from '../base/time.ts';
import type { Disk, DiskFile } from '../journal/disk/disk.ts';

const READ_BYTES = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
const LINE_FEED = 10;
const SUFFIX = '.log';

/** The folder of the trail below a data folder. */
export function trailFolder(data: string): string {
  return join(data, 'audit');
}

export function dayFile(day: IstDay): string {
  return `${formatIsoDay(day)}${SUFFIX}`;
}

/** The day in a file's name; `undefined` when the name is not that of a trail file. */
export function dayOfFile(name: string): IstDay | undefined {
  return name.endsWith(SUFFIX) ? parseIsoDay(name.slice(0, -SUFFIX.length)) : undefined;
}

/** The days that have a file, in order. */
export function trailDays(disk: Disk, folder: string): IstDay[] {
  const days = disk.names(folder).flatMap((name) => dayOfFile(name) ?? []);
  return days.sort((a, b) => a - b);
}

/** One line of a file, without its line feed. `whole` is false for text after the last line feed. */
export interface FileLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  readonly whole: boolean;
}

/**
 * The lines of a file in order, from a place where a line begins, numbered from there. Each byte is read as one
 * character.
 */
export function* linesOf(file: DiskFile, from = 0): Iterable<FileLine> {
  let rest = '';
  let number = 0;
  for (let at = from; ; at += READ_BYTES) {
    const bytes = file.read(at, READ_BYTES);
    const text = rest + latin1(bytes);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      number += 1;
      yield { text: text.slice(start, end), number, whole: true };
      start = end + 1;
    }
    rest = text.slice(start);
    if (bytes.length < READ_BYTES) break;
  }
  if (rest !== '') yield { text: rest, number: number + 1, whole: false };
}

/** The lines of the file at a path, read as they are asked for. */
export function* linesAt(disk: Disk, path: string): Iterable<FileLine> {
  const file = disk.open(path, 'read');
  try {
    yield* linesOf(file);
  } finally {
    file.close();
  }
}

/** Where the last whole line of a file ends, in bytes; 0 when there is none. */
export function endOfLines(file: DiskFile): number {
  for (let end = file.size(); end > 0; end -= TAIL_BYTES) {
    const start = Math.max(0, end - TAIL_BYTES);
    const found = file.read(start, end - start).lastIndexOf(LINE_FEED);
    if (found >= 0) return start + found + 1;
  }
  return 0;
}

/** Where an ASCII text ends at its first place in a file; `undefined` when the file does not contain it. */
export function endOfText(file: DiskFile, text: string): number | undefined {
  const length = READ_BYTES + text.length - 1;
  for (let start = 0; ; start += READ_BYTES) {
    const { buffer, byteOffset, byteLength } = file.read(start, length);
    const found = Buffer.from(buffer, byteOffset, byteLength).indexOf(text);
    if (found >= 0) return start + found + text.length;
    if (byteLength < length) return undefined;
  }
}

/** The whole lines of the first `end` bytes of a file, last line first. */
export function* linesBackward(file: DiskFile, end: number): Iterable<string> {
  let rest = '';
  for (let at = end; at > 0; at -= TAIL_BYTES) {
    const start = Math.max(0, at - TAIL_BYTES);
    const lines = (latin1(file.read(start, at - start)) + rest).split('\n');
    rest = start === 0 ? '' : (lines.shift() ?? '');
    for (const line of lines.reverse()) if (line !== '') yield line;
  }
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
