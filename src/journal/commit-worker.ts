import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../base/assert.ts';
import { chainHash, lastSeq } from './chain.ts';
import { HighWaterMark } from './high-water-mark.ts';
import type { Group, Head } from './journal.ts';

/** What the thread is started with. */
export interface CommitWorkerData {
  readonly journal: string;
  readonly mark: string;
  /** The examined end of the journal: the chain goes on from here. */
  readonly head: Head;
}

export type CommitRequest = { readonly type: 'append'; readonly group: Group } | { readonly type: 'close' };

export type CommitReply =
  | { readonly type: 'ready' }
  | { readonly type: 'durable'; readonly head: Head }
  /** The storage failed. The thread does nothing more: what the disk holds is unknown. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'closed' };

/** The write-ahead log is folded into the file when it has grown by about this much, after a reply. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 4096;
const MARK_FLUSH_MS = 1_000;

/** The only writer of a journal file: commits a group, then the mark, then says so. */
class CommitThread {
  private readonly database: DatabaseSync;
  private readonly insert: (group: Group, body: Uint8Array, hash: string) => void;
  private readonly mark: HighWaterMark;
  private head: Head;
  private unfolded = 0;

  constructor(data: CommitWorkerData) {
    this.head = data.head;
    this.database = new DatabaseSync(data.journal, { timeout: 1_000 });
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
    // What a killed process left in the log may not be on the disk yet: folding it writes and syncs it anew.
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    // A file that cannot be written is told at the start and not at the first order.
    this.database.exec('BEGIN IMMEDIATE; ROLLBACK');
    const statement = this.database.prepare(
      'INSERT INTO record_group (first_seq, count, version, body, hash) VALUES (?, ?, ?, ?, ?)',
    );
    this.insert = (group, body, hash) => {
      statement.run(group.firstSeq, group.count, group.version, body, Buffer.from(hash, 'hex'));
    };
    this.mark = new HighWaterMark(data.mark);
  }

  commit(group: Group): Head {
    const body = Buffer.from(group.body);
    const hash = chainHash(this.head.hash, { ...group, body });
    this.insert(group, body, hash);
    this.head = { seq: lastSeq(group), hash };
    this.mark.advance(this.head);
    this.unfolded += body.length + 2 * PAGE_BYTES;
    return this.head;
  }

  /** Folds the log into the file when it is long. Readers that are in the way make it fold less, not fail. */
  fold(): void {
    if (this.unfolded < CHECKPOINT_BYTES) return;
    this.unfolded = 0;
    this.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  flushMark(): void {
    this.mark.flush();
  }

  close(): void {
    this.mark.close();
    this.database.close();
  }
}

function serve(): void {
  const port = must(parentPort, 'the commit thread has no parent');
  const thread = new CommitThread(workerData as CommitWorkerData);
  const reply = (message: CommitReply): void => port.postMessage(message);
  let failed = false;
  const guarded = (work: () => void): void => {
    if (failed) return;
    try {
      work();
    } catch (error) {
      failed = true;
      reply({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  const flushing = setInterval(() => guarded(() => thread.flushMark()), MARK_FLUSH_MS);
  port.on('message', (request: CommitRequest) => {
    guarded(() => {
      if (request.type === 'append') {
        reply({ type: 'durable', head: thread.commit(request.group) });
        thread.fold();
        return;
      }
      clearInterval(flushing);
      thread.close();
      reply({ type: 'closed' });
      port.close();
    });
  });
  reply({ type: 'ready' });
}

serve();
