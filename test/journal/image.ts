import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteJournal } from '../../src/journal/sqlite-journal.ts';
import { sampleGroup } from './sample.ts';

const FILES = ['journal.db', 'journal.db-wal', 'high-water-mark'];
/** Damage is tried on a memory file system where there is one: millions of cases would wear out a disk. */
const ROOM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new folder of its own. */
export function scratchFolder(): string {
  return mkdtempSync(join(ROOM, 'sauda-damage-'));
}

/** True when every case is wanted, not a sample. */
export const EXHAUSTIVE = process.env.SAUDA_EXHAUSTIVE === '1';

/** Every case when SAUDA_EXHAUSTIVE=1, else about `wanted` of them, spread evenly by a stride that shares no factor with 8. */
export function casesOf(total: number, wanted: number): number[] {
  const stride = EXHAUSTIVE ? 1 : Math.max(1, Math.floor(total / wanted)) | 1;
  return Array.from({ length: Math.ceil(total / stride) }, (_, index) => index * stride);
}

/** Copies a journal's files as a crash at this moment would leave them. */
export function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of FILES) if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
}

export interface Images {
  /** After an orderly close: everything is in the journal's file. */
  readonly closed: string;
  /** As a kill leaves it: everything is in the write-ahead log. */
  readonly killed: string;
  /** As a kill between the last commit and its mark leaves it. */
  readonly unmarked: string;
  /** The bytes of the log before the last group. */
  readonly logBeforeLast: number;
}

/** A journal of `records` records in groups of up to `largest`, as files in three conditions. */
export async function makeImages(records: number, largest: number): Promise<Images> {
  const folder = scratchFolder();
  const live = join(folder, 'live');
  const unmarked = join(folder, 'unmarked');
  const killed = join(folder, 'killed');
  const journal = await openSqliteJournal({ folder: live });
  let logBeforeLast = 0;
  for (let size = 1; journal.head().seq < records; size = Math.min(size * 2, largest)) {
    const firstSeq = journal.head().seq + 1;
    const count = Math.min(size, records - firstSeq + 1);
    copyFiles(live, unmarked);
    logBeforeLast = readFileSync(join(live, 'journal.db-wal')).length;
    await journal.append(sampleGroup(firstSeq, count));
  }
  copyFiles(live, killed);
  copyFileSync(join(live, 'journal.db-wal'), join(unmarked, 'journal.db-wal'));
  await journal.close();
  return { closed: live, killed, unmarked, logBeforeLast };
}

/** A file whose bytes are changed in place and put back. */
export class Patient {
  readonly bytes: Buffer;
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
    this.bytes = readFileSync(path);
  }

  get bits(): number {
    return this.bytes.length * 8;
  }

  /** Runs `look` while one bit is the other way round. */
  flipped<T>(bit: number, look: () => T): T {
    const at = bit >> 3;
    const byte = this.bytes[at] ?? 0;
    this.put(at, byte ^ (1 << (bit & 7)));
    try {
      return look();
    } finally {
      this.put(at, byte);
    }
  }

  /** Runs `look` while the file has only its first `length` bytes. */
  cut<T>(length: number, look: () => T): T {
    writeFileSync(this.path, this.bytes.subarray(0, length));
    try {
      return look();
    } finally {
      writeFileSync(this.path, this.bytes);
    }
  }

  private put(at: number, byte: number): void {
    const file = openSync(this.path, 'r+');
    writeSync(file, Uint8Array.of(byte), 0, 1, at);
    closeSync(file);
  }
}

/** Where the bytes of the groups' bodies lie in a file: for each byte of it the group (an index) and the place in its body. */
export class BodyPlaces {
  private readonly group: Int32Array;
  private readonly place: Int32Array;

  constructor(file: Buffer, bodies: readonly Uint8Array[]) {
    this.group = new Int32Array(file.length).fill(-1);
    this.place = new Int32Array(file.length);
    for (const [group, body] of bodies.entries()) this.find(file, group, Buffer.from(body));
  }

  /** The group and the place in its body that a byte of the file holds; `undefined` for a byte of no body. */
  at(offset: number): { readonly group: number; readonly place: number } | undefined {
    const group = this.group[offset] ?? -1;
    return group < 0 ? undefined : { group, place: this.place[offset] ?? 0 };
  }

  /** SQLite keeps a body in runs: what fits into the row's page, then a page each. A run too short to be told is left out. */
  private find(file: Buffer, group: number, body: Buffer): void {
    const enough = 32;
    for (let place = 0; place + enough <= body.length; ) {
      let offset = file.indexOf(body.subarray(place, place + enough));
      if (offset < 0) return;
      for (; place < body.length && file[offset] === body[place]; place += 1, offset += 1) {
        this.group[offset] = group;
        this.place[offset] = place;
      }
    }
  }
}
