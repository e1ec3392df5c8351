/**
 * The rows of a Parquet file, one group of rows after another, so that the memory is that of one group. Sizes and
 * places that the file states are checked against the file before anything is made of them.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { type AsyncBuffer, type Compressors, type FileMetaData, parquetMetadataAsync, parquetScan } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { faultOf, TapeFault } from '../tape-fault.ts';

const MAGIC = 'PAR1';
const MOST_METADATA = 64 * 1024 * 1024;
/** Writers make groups of 100,000 to 1,000,000 rows. */
const MOST_GROUP_ROWS = 4_000_000;
const MOST_CHUNK_BYTES = 512 * 1024 * 1024;
const MOST_PAGE_BYTES = 256 * 1024 * 1024;
const MOST_COLUMNS = 100;
/** Pages shrink by less; a dictionary of one value shrinks by more, and its pages are small. */
const MOST_GROWTH = 2_000;

/** A Parquet file whose metadata is sound. */
export interface ParquetFile {
  readonly names: readonly string[];
  readonly rows: number;
  /** The columns of times that state no zone: they are in IST. */
  readonly naive: readonly number[];
  /** The columns of each group, in order. */
  readonly groups: () => AsyncGenerator<readonly ArrayLike<unknown>[]>;
}

/**
 * Opens a Parquet file of flat columns and gives all that `use` makes of it; the file is closed when that ends, is left
 * early, or fails. Throws `TapeFault`.
 */
export async function* withGroups<T>(
  path: string,
  document: string,
  use: (file: ParquetFile) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const handle = await open(path, 'r');
  try {
    yield* use(await parquetFile(handle, document));
  } finally {
    await handle.close();
  }
}

async function parquetFile(handle: FileHandle, document: string): Promise<ParquetFile> {
  const { size } = await handle.stat();
  const file = fileOf(handle, size);
  await expectFooter(handle, size, document);
  const metadata = await guarded(document, () => parquetMetadataAsync(file, { geoparquet: false }));
  const names = expectSound(metadata, size, document);
  return {
    names,
    rows: Number(metadata.num_rows),
    naive: naiveColumns(metadata, names),
    groups: () => eachGroup({ file, metadata, names, document }),
  };
}

interface Source {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly names: readonly string[];
  readonly document: string;
}

async function* eachGroup({ file, metadata, names, document }: Source): AsyncGenerator<readonly ArrayLike<unknown>[]> {
  const parsers = {
    timestampFromMilliseconds: (millis: bigint) => Number(millis),
    timestampFromMicroseconds: (micros: bigint) => Number(micros / 1_000n),
    timestampFromNanoseconds: (nanos: bigint) => Number(nanos / 1_000_000n),
    dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
  };
  const scan = await guarded(document, () =>
    parquetScan({
      file,
      metadata,
      parsers,
      compressors: boundedCompressors(),
      geoparquet: false,
      useOffsetIndex: false,
    }),
  );
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const columns: ArrayLike<unknown>[] = [];
    for (const column of names) {
      const values = await guarded(document, () => scan.readColumn({ column, rowStart, rowEnd }));
      if (values.length !== rowEnd - rowStart) {
        throw faultOf(document, `column ${column} has ${values.length} of ${rowEnd - rowStart} rows: the file is cut`);
      }
      columns.push(values);
    }
    yield columns;
    rowStart = rowEnd;
  }
}

function fileOf(handle: FileHandle, size: number): AsyncBuffer {
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      if (bytesRead !== bytes.length) throw new Error('the file ends before the bytes that it names');
      return bytes.buffer;
    },
  };
}

async function expectFooter(handle: FileHandle, size: number, document: string): Promise<void> {
  const footer = Buffer.alloc(8);
  if (size >= 12) await handle.read(footer, 0, 8, size - 8);
  if (footer.toString('latin1', 4) !== MAGIC) throw faultOf(document, 'its end is missing: the file is cut');
  const length = footer.readUInt32LE(0);
  if (length > Math.min(MOST_METADATA, size - 12)) throw faultOf(document, `it states ${length} bytes of metadata`);
}

/** Checks all that the metadata states; the names of the columns. */
function expectSound({ schema, row_groups, num_rows }: FileMetaData, size: number, document: string): string[] {
  const [root, ...elements] = schema;
  const isFlat = root?.num_children === elements.length && elements.every(({ num_children }) => !num_children);
  if (!isFlat) throw faultOf(document, 'its columns are nested');
  if (elements.length > MOST_COLUMNS) throw faultOf(document, `it has more than ${MOST_COLUMNS} columns`);
  let rows = 0n;
  for (const [number, group] of row_groups.entries()) {
    rows += group.num_rows;
    const where = `${document}, group ${number + 1}`;
    if (group.num_rows < 0n || group.num_rows > MOST_GROUP_ROWS) {
      throw faultOf(where, `it states ${group.num_rows} rows, and a group may have ${MOST_GROUP_ROWS}`);
    }
    if (group.columns.length !== elements.length) throw faultOf(where, 'it lacks columns');
    for (const { meta_data: chunk, file_path } of group.columns) {
      const begin = chunk && Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
      const length = chunk && Number(chunk.total_compressed_size);
      const isInside =
        begin !== undefined && length !== undefined && begin >= 4 && length >= 0 && begin + length <= size - 8;
      if (!isInside || file_path) throw faultOf(where, 'a column lies outside of the file');
      if (length > MOST_CHUNK_BYTES || Number(chunk?.total_uncompressed_size) > MOST_CHUNK_BYTES) {
        throw faultOf(where, `a column has more than ${MOST_CHUNK_BYTES} bytes`);
      }
      if (chunk?.num_values !== group.num_rows) throw faultOf(where, 'its columns have different lengths');
    }
  }
  if (rows !== num_rows) throw faultOf(document, `it states ${num_rows} rows, and its groups have ${rows}`);
  return elements.map(({ name }) => name);
}

function naiveColumns({ schema }: FileMetaData, names: readonly string[]): readonly number[] {
  const naive = schema.slice(1).filter(({ logical_type }) => {
    return logical_type?.type === 'TIMESTAMP' && !logical_type.isAdjustedToUTC;
  });
  return naive.map(({ name }) => names.indexOf(name));
}

/** The ways to unpack pages, which refuse to make more than a page may have. */
function boundedCompressors(): Compressors {
  return Object.fromEntries(
    Object.entries(compressors).map(([name, unpack]) => [
      name,
      (input: Uint8Array, length: number) => {
        if (length > MOST_PAGE_BYTES || length > input.length * MOST_GROWTH + 1_048_576) {
          throw new Error(`a page states that it grows from ${input.length} to ${length} bytes`);
        }
        const page = unpack?.(input, length) as Uint8Array;
        if (page.length > length) throw new Error(`a page of ${length} bytes grew to ${page.length}`);
        return page;
      },
    ]),
  );
}

/** Faults that the reader of Parquet finds are faults of the file; those of the disk pass. */
async function guarded<T>(document: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof TapeFault || 'syscall' in error) throw error;
    throw faultOf(document, `it cannot be read: ${error.message}`);
  }
}
