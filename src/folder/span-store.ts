/**
 * The SPAN parameter files that an operator imported: each whole and compressed under the digest of its bytes, and for
 * each day and segment a small file that names the one to use. A file stays when its day is over: the journal names
 * it. The content of a file is read by `reference/span`.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGzip, gunzipSync } from 'node:zlib';
import { ok, type Result } from '../base/result.ts';
import { formatIsoDay, type IstDay, parseIsoDay } from '../base/time.ts';
import type { SpanFile, SpanFiles } from '../core/margin/rates/span-file.ts';
import { sha256Hex } from '../os/digest.ts';
import { makeFolder, readIfPresent, removeDurably, writeDurably } from '../os/durable-file.ts';

/** Reads one file piece by piece; one character stands for each byte. */
export interface SpanReading {
  write(text: string): void;
  /** True when a fault was found: the rest of the file is then ignored. */
  readonly damaged: boolean;
  /** The content of the file, or its first fault with the place. */
  finish(): Result<Omit<SpanFile, 'digest'>, string>;
}

/** A file that is used on a day. */
export interface SpanEntry {
  readonly day: IstDay;
  readonly exchange: SpanFile['exchange'];
  readonly digest: string;
}

/** A file of the store that is needed is missing, or is not what it was. */
export class SpanStoreError extends Error {
  override readonly name = 'SpanStoreError';
}

const EXCHANGES: readonly SpanFile['exchange'][] = ['NFO', 'BFO'];
const ENTRY_NAME = /^(\d{4}-\d{2}-\d{2})\.(NFO|BFO)$/;
const DIGEST = /^[0-9a-f]{64}$/;
/** Read files that are kept in memory: both segments of two days. */
const KEPT = 4;
const PIECE_BYTES = 1024 * 1024;

export class SpanStore implements SpanFiles {
  readonly folder: string;
  private readonly reading: () => SpanReading;
  private readonly read = new Map<string, SpanFile>();
  private readonly entries = new Map<string, SpanEntry>();

  /** Opens the store of a folder, which is made by the first import. Throws `SpanStoreError`. */
  constructor(folder: string, reading: () => SpanReading) {
    this.folder = folder;
    this.reading = reading;
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names.sort()) this.readEntry(name);
  }

  /**
   * The file of a digest; read when it is first asked for. Throws `SpanStoreError` for one that is missing or damaged.
   */
  get(digest: string): SpanFile {
    const known = this.read.get(digest) ?? this.readFile(digest);
    this.keep(known);
    return known;
  }

  /** The digests of the files for a day, in the order of the segments. */
  on(day: IstDay): readonly string[] {
    return EXCHANGES.flatMap((exchange) => this.entries.get(nameOf(day, exchange))?.digest ?? []);
  }

  /** The files to use, by day and segment. */
  list(): readonly SpanEntry[] {
    return [...this.entries.values()].sort((a, b) => a.day - b.day || a.exchange.localeCompare(b.exchange));
  }

  /**
   * Takes a file over, whole or not at all, without a day to use it on. A refusal says where the file is wrong; the
   * rest of the bytes is let pass then, so that whoever sends them hears it.
   */
  async take(bytes: AsyncIterable<Uint8Array>): Promise<Result<SpanFile, string>> {
    const reading = this.reading();
    const hash = createHash('sha256');
    const gzip = createGzip();
    const packed: Buffer[] = [];
    gzip.on('data', (piece: Buffer) => packed.push(piece));
    const ended = once(gzip, 'end');
    for await (const piece of bytes) {
      if (reading.damaged) continue;
      reading.write(latin1(piece));
      hash.update(piece);
      if (!gzip.write(piece)) await once(gzip, 'drain');
    }
    gzip.end();
    await ended;
    const done = reading.finish();
    if (!done.ok) return done;
    const file: SpanFile = { ...done.value, digest: hash.digest('hex') };
    makeFolder(this.folder);
    writeDurably(this.pathOf(file.digest), Buffer.concat(packed));
    this.keep(file);
    return ok(file);
  }

  /** Names the file to use on a day for its segment, in the place of another. */
  use(day: IstDay, { exchange, digest }: SpanFile): void {
    const name = nameOf(day, exchange);
    writeDurably(join(this.folder, name), `${digest}\n`);
    this.entries.set(name, { day, exchange, digest });
  }

  /** Uses no file on a day any more. The answer lists the files that were used until now. */
  remove(day: IstDay): readonly SpanEntry[] {
    const removed = EXCHANGES.flatMap((exchange) => this.entries.get(nameOf(day, exchange)) ?? []);
    for (const { exchange } of removed) {
      const name = nameOf(day, exchange);
      removeDurably(join(this.folder, name));
      this.entries.delete(name);
    }
    return removed;
  }

  /** Uses exactly these files on their days, as another member does. The files themselves are here. */
  follow(entries: readonly SpanEntry[]): void {
    const wanted = new Map(entries.map((entry) => [nameOf(entry.day, entry.exchange), entry]));
    for (const [name, { day, exchange, digest }] of wanted) {
      if (this.entries.get(name)?.digest === digest) continue;
      makeFolder(this.folder);
      writeDurably(join(this.folder, name), `${digest}\n`);
      this.entries.set(name, { day, exchange, digest });
    }
    for (const name of [...this.entries.keys()]) {
      if (wanted.has(name)) continue;
      removeDurably(join(this.folder, name));
      this.entries.delete(name);
    }
  }

  private readEntry(name: string): void {
    const [, dayText = '', exchange = ''] = ENTRY_NAME.exec(name) ?? [];
    const day = parseIsoDay(dayText);
    const segment = EXCHANGES.find((known) => known === exchange);
    if (day === undefined || segment === undefined) return;
    const digest = readIfPresent(join(this.folder, name))?.trim() ?? '';
    if (!DIGEST.test(digest)) throw new SpanStoreError(`${join(this.folder, name)} names no file`);
    this.entries.set(name, { day, exchange: segment, digest });
  }

  private readFile(digest: string): SpanFile {
    const path = this.pathOf(digest);
    const bytes = existsSync(path) ? unpacked(readFileSync(path)) : undefined;
    if (bytes === undefined || sha256Hex(bytes) !== digest) {
      throw new SpanStoreError(
        this.wayOut(digest, bytes === undefined ? 'missing or damaged' : 'another file than it was'),
      );
    }
    const reading = this.reading();
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      reading.write(latin1(bytes.subarray(from, from + PIECE_BYTES)));
    }
    const done = reading.finish();
    if (!done.ok) throw new SpanStoreError(`${path} cannot be read by this build: ${done.error}`);
    return { ...done.value, digest };
  }

  /** The message of a missing or damaged file, with the ways out that an operator has. */
  private wayOut(digest: string, what: string): string {
    const named = this.list().filter((entry) => entry.digest === digest);
    const names = named.map(({ day, exchange }) => join(this.folder, nameOf(day, exchange)));
    const instead = names.length === 0 ? '' : `, or remove ${names.join(' and ')} to go on with margins of our own`;
    return `the SPAN file ${this.pathOf(digest)} is ${what}. Restore it${instead}.`;
  }

  private keep(file: SpanFile): void {
    this.read.delete(file.digest);
    this.read.set(file.digest, file);
    for (const digest of this.read.keys()) if (this.read.size > KEPT) this.read.delete(digest);
  }

  private pathOf(digest: string): string {
    return join(this.folder, `${digest}.spn.gz`);
  }
}

function nameOf(day: IstDay, exchange: SpanFile['exchange']): string {
  return `${formatIsoDay(day)}.${exchange}`;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The bytes that were packed; `undefined` when they cannot be had. */
function unpacked(packed: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(packed);
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) return undefined;
    throw error;
  }
}
