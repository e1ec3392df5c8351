import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../base/assert.ts';
import { Committer } from './committer.ts';
import type { JournalPaths } from './examine.ts';
import type { Head } from './journal.ts';
import { REAL_DISK } from './real-disk.ts';
import type { LogStart } from './segment-log.ts';

/** What the thread is started with. */
export interface CommitWorkerData {
  readonly paths: JournalPaths;
  /** The examined and mended end of the journal: the chain goes on from here. */
  readonly start: LogStart;
}

/** A frame to be made durable, or the end. */
export type CommitRequest = { readonly type: 'append'; readonly frame: Uint8Array } | { readonly type: 'close' };

export type CommitReply =
  | { readonly type: 'ready'; readonly full: boolean }
  | { readonly type: 'durable'; readonly head: Head }
  /** Whether the disk has room for what is to come. */
  | { readonly type: 'room'; readonly full: boolean }
  /** The storage failed. The thread does nothing more: what the disk holds is unknown. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'closed' };

const SECOND_MS = 1_000;

function serve(): void {
  const port = must(parentPort, 'the commit thread has no parent');
  const { paths, start } = workerData as CommitWorkerData;
  const committer = new Committer(REAL_DISK, paths, start);
  const reply = (message: CommitReply): void => port.postMessage(message);
  let failed = false;
  let full = committer.isFull();
  const guarded = (work: () => void): void => {
    if (failed) return;
    try {
      work();
      if (full !== committer.isFull()) {
        full = !full;
        reply({ type: 'room', full });
      }
    } catch (error) {
      failed = true;
      reply({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  const tell = (head: Head | undefined): void => {
    if (head === undefined) return;
    reply({ type: 'durable', head });
    committer.prepare();
  };
  const seconds = setInterval(() => guarded(() => tell(committer.passSecond())), SECOND_MS);
  port.on('message', (request: CommitRequest) => {
    guarded(() => {
      if (request.type === 'append') {
        tell(committer.commit(request.frame));
        return;
      }
      clearInterval(seconds);
      committer.close();
      reply({ type: 'closed' });
      port.close();
    });
  });
  reply({ type: 'ready', full });
}

serve();
