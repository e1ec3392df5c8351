/**
 * The thread that unpacks a Parquet file: it answers each message with the head of the file, a group of rows, the end,
 * or the fault.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../base/assert.ts';
import { TapeFault } from '../tape-fault.ts';
import { type ParquetFile, withGroups } from './parquet-groups.ts';

/** An answer of the thread. */
export type ParquetAnswer =
  | {
      readonly kind: 'head';
      readonly names: readonly string[];
      readonly rows: number;
      readonly naive: readonly number[];
    }
  | { readonly kind: 'group'; readonly columns: readonly ArrayLike<unknown>[]; readonly rows: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly what: string };

const parent = must(parentPort, 'a worker has a parent');
const { path, document } = workerData as { readonly path: string; readonly document: string };
const answers = answered();

parent.on('message', async () => {
  const { value } = await answers.next();
  parent.postMessage(value ?? { kind: 'end' });
});

async function* answered(): AsyncGenerator<ParquetAnswer> {
  try {
    yield* withGroups(path, document, answersOf);
  } catch (error) {
    if (!(error instanceof TapeFault)) throw error;
    yield { kind: 'fault', what: error.message };
  }
}

async function* answersOf({ names, rows, naive, groups }: ParquetFile): AsyncGenerator<ParquetAnswer> {
  yield { kind: 'head', names, rows, naive };
  for await (const columns of groups()) yield { kind: 'group', columns, rows: columns[0]?.length ?? 0 };
}
