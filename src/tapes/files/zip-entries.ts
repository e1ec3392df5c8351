/**
 * The entries of a zip archive one after another, also of archives inside it. Names, sizes and ratios are checked while
 * the bytes come, since the headers of a hostile archive say anything; checksums are checked at the end of each entry.
 */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { faultOf, TapeFault } from '../tape-fault.ts';

/** A file inside an archive. */
export interface ZipEntry {
  /** Its name below the archives that hold it. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The bytes of the archive on the disk that were unpacked up to now. */
  readonly done: () => number;
}

/** Tables of ticks shrink by 5 to 30; what grows by more than this is a bomb. */
const MOST_GROWTH = 200;
/** Small archives may grow by more: a file of zeros and a header say nothing. */
const FREE_BYTES = 16 * 1024 * 1024;
const MOST_ENTRIES = 100_000;
/** Archives in archives: `all.zip, month.zip, symbol.csv`. */
const MOST_DEPTH = 2;
/** An archive in an archive is held in memory. */
const MOST_INNER_BYTES = 256 * 1024 * 1024;
const ZIP_OPTIONS = { lazyEntries: true, strictFileNames: false, autoClose: false };

/** The growth that is left to an archive of the disk, with all archives that lie in it. */
interface Allowance {
  bytes: number;
  entries: number;
  /** The packed bytes of the entries of the archive on the disk that were opened. */
  packed: number;
}

/** The entries of an archive on the disk. Throws `TapeFault`. */
export async function* zipEntries(path: string, size: number, document: string): AsyncGenerator<ZipEntry> {
  const zip = await opened(document, () => yauzl.openPromise(path, ZIP_OPTIONS));
  const allowance = { bytes: size * MOST_GROWTH + FREE_BYTES, entries: MOST_ENTRIES, packed: 0 };
  try {
    yield* entriesOf(zip, document, 1, allowance);
  } finally {
    zip.close();
  }
}

async function* entriesOf(
  zip: ZipFile,
  document: string,
  depth: number,
  allowance: Allowance,
): AsyncGenerator<ZipEntry> {
  const entries = zip.eachEntry();
  for (;;) {
    const next = await opened(document, () => entries.next());
    if (next.done) return;
    const entry = next.value;
    allowance.entries -= 1;
    if (allowance.entries < 0) throw faultOf(document, `it has more than ${MOST_ENTRIES} entries`);
    if (entry.fileName.endsWith('/') || isNoise(entry.fileName)) continue;
    const name = `${document}, ${entry.fileName}`;
    if (entry.isEncrypted()) throw faultOf(name, 'it is encrypted');
    if (depth === 1) allowance.packed += entry.compressedSize;
    const bytes = inflated(zip, entry, name, allowance);
    if (!entry.fileName.toLowerCase().endsWith('.zip')) yield { name, bytes, done: () => allowance.packed };
    else if (depth === MOST_DEPTH) throw faultOf(name, `it is an archive at depth ${depth + 1}; unpack the outer one`);
    else yield* innerEntries(bytes, name, depth + 1, allowance);
  }
}

async function* innerEntries(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  depth: number,
  allowance: Allowance,
): AsyncGenerator<ZipEntry> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MOST_INNER_BYTES) throw faultOf(name, 'it is larger than 256 MB; unpack the outer archive');
    pieces.push(piece);
  }
  const zip = await opened(name, () => yauzl.fromBufferPromise(Buffer.concat(pieces, size), ZIP_OPTIONS));
  yield* entriesOf(zip, name, depth, allowance);
}

/** The bytes of an entry, within what the archive may grow to. */
async function* inflated(zip: ZipFile, entry: Entry, name: string, allowance: Allowance): AsyncGenerator<Uint8Array> {
  const stream: Readable = await opened(name, () => zip.openReadStreamPromise(entry));
  const own = entry.compressedSize * MOST_GROWTH + FREE_BYTES;
  let checksum = 0;
  let size = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length;
      allowance.bytes -= piece.length;
      if (size > own || allowance.bytes < 0) {
        throw faultOf(name, `it grows to more than ${MOST_GROWTH} times its size when it is unpacked`);
      }
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw asFault(name, error);
  } finally {
    stream.destroy();
  }
  if (checksum !== entry.crc32) throw faultOf(name, 'its bytes do not fit its checksum: the archive is damaged');
}

async function opened<T>(document: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFault(document, error);
  }
}

/** Faults of the archive itself come as errors of the reader; those of the disk have a code and pass. */
function asFault(document: string, error: unknown): unknown {
  if (error instanceof TapeFault || !(error instanceof Error)) return error;
  const isOfDisk = 'syscall' in error;
  return isOfDisk ? error : faultOf(document, `it cannot be unpacked: ${error.message}`);
}

/** Files that archivers add of their own accord. */
function isNoise(name: string): boolean {
  return name.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(name);
}
