/**
 * The anchor: a small file on another disk to which the head of the audit trail is appended. It shows later whether the
 * end of the trail was cut off or rewritten. It holds no lines of the trail itself.
 */

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jsonOf } from '../base/json.ts';
import { isAbsent } from '../base/system-fault.ts';
import { type Disk, type DiskFile, readIfThere } from '../journal/disk/disk.ts';
import { endOfLines, linesAt, linesBackward } from './trail-file.ts';
import type { TrailHead } from './trail-line.ts';

/** The place of an anchor, and its key. */
export interface AnchorPlace {
  readonly path: string;
  /**
   * With a key, each entry carries an HMAC over itself and the entry before. A holder of the key can check entries and
   * forge them.
   */
  readonly key?: string;
}

/**
 * The anchor that the settings name by the path of its file and the path of its key; blank means none. Throws when the
 * key cannot be read.
 */
export function anchorOf(path: string, keyPath: string): AnchorPlace | undefined {
  if (path === '') return undefined;
  return keyPath === '' ? { path } : { path, key: readFileSync(keyPath, 'utf8').trim() };
}

export interface AnchorEntry extends TrailHead {
  readonly utc: number;
  readonly mac?: string;
}

/** Appends the head of the trail. The entry is on the disk when this returns. Throws the errors of the disk. */
export function writeAnchor(disk: Disk, { path, key }: AnchorPlace, { n, hash }: TrailHead, utc: number): void {
  const file = opened(disk, path);
  try {
    const end = endOfLines(file);
    const mac = key === undefined ? '' : `,"mac":"${macOf(key, lastMac(file, end), { n, hash, utc })}"`;
    // A half-written entry that a crash left is overwritten.
    if (file.size() > end) file.truncate(end);
    file.write(end, Buffer.from(`{"n":${n},"hash":"${hash}","utc":${utc}${mac}}\n`, 'latin1'));
    file.flush();
  } finally {
    file.close();
  }
}

/**
 * The entries in order, and the faults of the file by line. A half-written last entry that a crash left is ignored.
 */
export function readAnchor(disk: Disk, { path, key }: AnchorPlace): { entries: AnchorEntry[]; faults: string[] } {
  const entries: AnchorEntry[] = [];
  const faults: string[] = [];
  let mac = '';
  for (const { text, number, whole } of linesAt(disk, path)) {
    if (!whole) break;
    const entry = entryOf(text);
    if (entry === undefined) {
      faults.push(`${path}, line ${number}: not an entry of an anchor`);
      continue;
    }
    if (key !== undefined && entry.mac !== macOf(key, mac, entry)) {
      faults.push(
        `${path}, line ${number}: the entry was not written with this key, or does not follow the entry before it`,
      );
    }
    mac = entry.mac ?? '';
    entries.push(entry);
  }
  return { entries, faults };
}

/**
 * The line number that the last entry remembers; `undefined` when there is no entry. Throws the errors of the disk.
 */
export function lastAnchored(disk: Disk, { path }: AnchorPlace): number | undefined {
  return readIfThere(disk, path, (file) => {
    for (const text of linesBackward(file, endOfLines(file))) {
      const entry = entryOf(text);
      if (entry !== undefined) return entry.n;
    }
    return undefined;
  });
}

function opened(disk: Disk, path: string): DiskFile {
  try {
    return disk.open(path, 'write');
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return disk.create(path);
  }
}

function lastMac(file: DiskFile, end: number): string {
  for (const text of linesBackward(file, end)) return entryOf(text)?.mac ?? '';
  return '';
}

function macOf(key: string, before: string, { n, hash, utc }: AnchorEntry): string {
  return createHmac('sha256', key).update(`${before}:${n}:${hash}:${utc}`).digest('hex');
}

function entryOf(text: string): AnchorEntry | undefined {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { n, hash, utc, mac } = value as Partial<AnchorEntry>;
  const whole = typeof n === 'number' && typeof hash === 'string' && typeof utc === 'number';
  return whole && (mac === undefined || typeof mac === 'string') ? (value as AnchorEntry) : undefined;
}
