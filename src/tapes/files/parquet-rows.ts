/**
 * The rows of a Parquet file. A thread of its own unpacks one group of rows after another: a file made to take all the
 * memory or all the time takes that thread alone, which is then ended.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { IST_OFFSET_MS } from '../../base/time.ts';
import { paiseOfDouble, paiseOfText, unitsOfNumber, unitsOfText } from '../numbers.ts';
import { Row } from '../row.ts';
import { faultOf, TapeFault } from '../tape-fault.ts';
import type { ParquetAnswer } from './parquet-worker.ts';

const MAGIC = 'PAR1';
/** A group of a million rows takes a second or two. */
const GROUP_MS = 60_000;
/** The heap of the thread: a group of 4,000,000 rows with two columns of texts. */
const MOST_HEAP_MB = 2_048;

export interface ParquetTable {
  readonly names: readonly string[];
  readonly rows: number;
  /** Hands over each row; one object stands for all of them. */
  readonly each: (take: (row: Row) => void, progress: (rows: number) => void) => Promise<void>;
  readonly close: () => Promise<unknown>;
}

/** True for the first bytes of a Parquet file. */
export function isParquet(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === MAGIC;
}

/** Opens a Parquet file of flat columns, whose groups may take `groupMs` each. Throws `TapeFault`. */
export async function openParquet(path: string, document: string, groupMs = GROUP_MS): Promise<ParquetTable> {
  const worker = new Worker(new URL('./parquet-worker.ts', import.meta.url), {
    workerData: { path, document },
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  });
  const ask = (): Promise<ParquetAnswer> => answerOf(worker, document, groupMs);
  try {
    const head = await ask();
    if (head.kind !== 'head') throw faultOf(document, 'it cannot be read');
    return {
      names: head.names,
      rows: head.rows,
      each: (take, progress) => eachRow(new ParquetRow(document, head.names, new Set(head.naive)), ask, take, progress),
      close: () => worker.terminate(),
    };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

/** Asks the thread for what comes next. Throws `TapeFault` for what the file made of the thread. */
async function answerOf(worker: Worker, document: string, groupMs: number): Promise<ParquetAnswer> {
  const late = AbortSignal.timeout(groupMs);
  worker.postMessage('next');
  try {
    const [answer] = (await once(worker, 'message', { signal: late })) as [ParquetAnswer];
    if (answer.kind === 'fault') throw new TapeFault(answer.what);
    return answer;
  } catch (error) {
    if (late.aborted) throw faultOf(document, `a group of rows takes more than ${groupMs / 1_000} s to unpack`);
    const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isOutOfMemory ? faultOf(document, 'a group of rows does not fit into memory') : error;
  }
}

async function eachRow(
  row: ParquetRow,
  ask: () => Promise<ParquetAnswer>,
  take: (row: Row) => void,
  progress: (rows: number) => void,
): Promise<void> {
  let rowStart = 0;
  for (let answer = await ask(); answer.kind === 'group'; answer = await ask()) {
    const { columns, rows } = answer;
    row.begin(columns, rowStart);
    for (let index = 0; index < rows; index += 1) {
      row.index = index;
      take(row);
    }
    rowStart += rows;
    progress(rowStart);
  }
}

class ParquetRow extends Row {
  /** The row inside the group. */
  index = 0;
  private columns: readonly ArrayLike<unknown>[] = [];
  private first = 0;
  private readonly naive: ReadonlySet<number>;

  constructor(document: string, names: readonly string[], naive: ReadonlySet<number>) {
    super(document, names);
    this.naive = naive;
  }

  begin(columns: readonly ArrayLike<unknown>[], first: number): void {
    this.columns = columns;
    this.first = first;
  }

  text(column: number): string {
    const value = this.columns[column]?.[this.index];
    if (typeof value === 'string') return value.trim();
    if (value === undefined || value === null) return '';
    if (typeof value === 'number' && this.naive.has(column)) return String(value - IST_OFFSET_MS);
    return String(value);
  }

  where(): string {
    return `row ${this.first + this.index + 1}`;
  }

  copy(): ParquetRow {
    const same = new ParquetRow(this.document, this.names, this.naive);
    same.columns = this.columns.map((column) => [column[this.index]]);
    same.first = this.first + this.index;
    return same;
  }

  protected paise(column: number): number {
    const value = this.columns[column]?.[this.index];
    if (typeof value === 'number') return paiseOfDouble(value);
    return paiseOfText(typeof value === 'bigint' ? String(value) : this.text(column));
  }

  protected units(column: number): number {
    const value = this.columns[column]?.[this.index];
    if (typeof value === 'number') return unitsOfNumber(value);
    if (typeof value === 'bigint') return unitsOfNumber(Number(value));
    return unitsOfText(this.text(column));
  }
}
