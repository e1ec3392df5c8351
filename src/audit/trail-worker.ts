/**
 * The thread that writes the audit trail. It takes bodies of lines from `trail.ts`, writes and flushes them with a
 * `TrailLog`, and writes the anchor. It ends with the first failure of the storage.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../base/assert.ts';
import { messageOf } from '../base/system-fault.ts';
import { REAL_DISK } from '../journal/disk/real-disk.ts';
import { standBack } from '../os/thread-priority.ts';
import { wallClock } from '../os/wall-clock.ts';
import { type AnchorPlace, writeAnchor } from './anchor.ts';
import { storedTrail } from './reading/stored-trail.ts';
import { TrailLog } from './trail-log.ts';

/** The data with which the thread is started. */
export interface TrailWorkerData {
  readonly folder: string;
  readonly years: number;
  readonly anchor: AnchorPlace | undefined;
}

/** Bodies of lines, see `bodiesOf`, or the end. `anchor`: the head after these lines is also written to the anchor. */
export type TrailRequest =
  | { readonly type: 'lines'; readonly bodies: Uint8Array<ArrayBuffer>; readonly anchor: boolean }
  | { readonly type: 'close' };

export type TrailReply =
  /**
   * The bytes of bodies that came, and the bytes that still wait, see `TrailLog`. `room`: the memory of the message,
   * given back when nothing waits.
   */
  | { readonly type: 'written'; readonly bytes: number; readonly waiting: number; readonly room?: ArrayBuffer }
  | { readonly type: 'note'; readonly message: string }
  /** The storage failed. The thread does nothing more. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'closed'; readonly waiting: number };

/**
 * A tenth of a processor that others want too. This is twice the need of a service that is full of orders, because
 * lines are written while orders wait for the disk.
 */
const PRIORITY = 10;
/** Written lines are flushed this often, so that a power cut loses at most this much of the trail. */
const FLUSH_MS = 1_000;

function serve(): void {
  const port = must(parentPort, 'the thread of the trail has no parent');
  const { folder, years, anchor } = workerData as TrailWorkerData;
  const reply = (message: TrailReply, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);
  const log = new TrailLog(REAL_DISK, folder, storedTrail(REAL_DISK, folder), years);
  let ended = false;
  const guarded = (work: () => void): void => {
    if (ended) return;
    try {
      work();
    } catch (error) {
      ended = true;
      reply({ type: 'failed', message: messageOf(error) });
    }
  };
  const remember = (): void => {
    if (anchor === undefined) return;
    log.flush();
    try {
      writeAnchor(REAL_DISK, anchor, log.head, wallClock());
    } catch (error) {
      reply({ type: 'note', message: `the anchor ${anchor.path} was not written: ${String(error)}` });
    }
  };
  const goOn = (): void => {
    log.write();
    log.flush();
    reply({ type: 'written', bytes: 0, waiting: log.waitingBytes });
  };
  const flushes = setInterval(() => guarded(goOn), FLUSH_MS);
  // Between the messages, so that the thread answers meanwhile and no later day waits long.
  const count = (): void => {
    guarded(() => {
      if (log.count()) goOn();
      else setImmediate(count);
    });
  };
  count();
  port.on('message', (request: TrailRequest) => {
    guarded(() => {
      if (request.type === 'lines') {
        const { buffer, byteOffset, byteLength } = request.bodies;
        log.append(Buffer.from(buffer, byteOffset, byteLength));
        const written = { type: 'written', bytes: byteLength, waiting: log.waitingBytes } as const;
        if (written.waiting > 0) reply(written);
        else reply({ ...written, room: buffer }, [buffer]);
        if (request.anchor) remember();
        return;
      }
      clearInterval(flushes);
      if (!log.write()) log.count(Number.POSITIVE_INFINITY);
      log.write();
      log.close();
      ended = true;
      reply({ type: 'closed', waiting: log.waitingBytes });
      port.close();
    });
  });
}

standBack(PRIORITY);
serve();
