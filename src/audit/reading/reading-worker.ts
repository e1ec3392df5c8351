/**
 * The thread that reads the audit trail for operators, one question after the other. It goes behind all threads of the
 * service and changes nothing. `trail-reader.ts` asks it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../base/assert.ts';
import { messageOf } from '../../base/system-fault.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { standBack } from '../../os/thread-priority.ts';
import type { FoundLines, TrailQuestion } from '../port.ts';
import { kindNamed, newestLines } from './search-trail.ts';

/** The folder of the trail. */
export type ReadingWorkerData = string;

/** The lines that were found, or the failure of the storage. */
export type ReadingReply = FoundLines | { readonly failure: string };

/** The last `nice` value of all. */
const PRIORITY = 19;
/** One reading takes about this long at most, in milliseconds. */
const LONGEST_MS = 2_000;

function answerTo({ most, before, kind: name, ...query }: TrailQuestion): ReadingReply {
  const kind = name === undefined ? undefined : kindNamed(name);
  const end = performance.now() + LONGEST_MS;
  const bounds = { most, isOver: () => performance.now() >= end, ...(before !== undefined && { before }) };
  try {
    return newestLines(REAL_DISK, workerData as ReadingWorkerData, { ...query, ...(kind && { kind }) }, bounds);
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

standBack(PRIORITY);
const port = must(parentPort, 'a worker has a parent');
port.on('message', (question: TrailQuestion) => port.postMessage(answerTo(question)));
