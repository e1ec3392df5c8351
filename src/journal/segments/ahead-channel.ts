/**
 * The way on which a thread hands over the groups that it reads ahead. The memory in which they lie goes over as a
 * whole, so that nothing is copied; counts that both threads see hold the thread back and wake the reader.
 */

import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { StoredGroup } from '../journal.ts';

/** Both ends of the way have this. */
export interface AheadWay {
  readonly port: MessagePort;
  /** How much was given and how much of it was taken, in KiB. Both go round at the same number. */
  readonly counts: Int32Array<SharedArrayBuffer>;
}

const GIVEN = 0;
const TAKEN = 1;
const KIB = 1024;
/** This much is given before the first of it is taken, and a batch more. In KiB. */
const MOST_AHEAD = 8 * 1024;
/** A thread that gives nothing for this long is left. In milliseconds. */
const PATIENCE_MS = 5_000;

export function newCounts(): AheadWay['counts'] {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** Groups of one file whose bodies lie in the same memory. */
interface Batch {
  readonly bytes: ArrayBufferLike;
  readonly file: string;
  /** For each group the numbers of `ROW`. */
  readonly rows: number[];
  /** For each group its chain hash. */
  readonly hashes: string[];
}

/** The numbers of a group, by their place in its row. */
const ROW = { version: 0, firstSeq: 1, count: 2, offset: 3, bodyAt: 4, bodyBytes: 5 } as const;
const ROW_WIDTH = Object.keys(ROW).length;

/** The side of the thread. */
export class AheadGiver {
  private readonly way: AheadWay;
  private batch: Batch | undefined;

  constructor(way: AheadWay) {
    this.way = way;
  }

  /**
   * Gives a group whose hash was found right after that of the group given before. Its memory goes over when a group
   * that lies elsewhere follows it, or with `end`. Blocks while enough is ahead of the reader.
   */
  give({ version, firstSeq, count, body, hash, place }: StoredGroup): void {
    if (this.batch?.bytes !== body.buffer) {
      this.send();
      this.batch = { bytes: body.buffer, file: place?.file ?? '', rows: [], hashes: [] };
    }
    this.batch.rows.push(version, firstSeq, count, place?.offset ?? 0, body.byteOffset, body.length);
    this.batch.hashes.push(hash);
  }

  /** Says that nothing follows. */
  end(): void {
    this.send();
    this.post(undefined, 1);
  }

  private send(): void {
    const { batch } = this;
    this.batch = undefined;
    if (batch !== undefined) this.waitForReader(this.post(batch, sizeOf(batch)));
  }

  /** Hands a batch over and gives how much was given with it. */
  private post(batch: Batch | undefined, size: number): number {
    const { port, counts } = this.way;
    port.postMessage(batch, batch === undefined ? [] : [batch.bytes as ArrayBuffer]);
    const given = Atomics.add(counts, GIVEN, size) + size;
    Atomics.notify(counts, GIVEN);
    return given;
  }

  private waitForReader(given: number): void {
    const { counts } = this.way;
    for (;;) {
      const taken = Atomics.load(counts, TAKEN);
      if (((given - taken) | 0) <= MOST_AHEAD) return;
      Atomics.wait(counts, TAKEN, taken);
    }
  }
}

/**
 * The side of the reader: the groups after a hash, in order, as far as the thread gives them. Blocks while the next one
 * is not there.
 */
export function* takeGroups(way: AheadWay, after: string): Iterable<StoredGroup> {
  let follows = after;
  for (let batch = takeBatch(way); batch !== undefined; batch = takeBatch(way)) {
    for (const [place, hash] of batch.hashes.entries()) {
      yield groupOf(batch, place, hash, follows);
      follows = hash;
    }
  }
}

/** The next batch; `undefined` when nothing follows, or the thread is silent. */
function takeBatch({ port, counts }: AheadWay): Batch | undefined {
  for (;;) {
    const given = Atomics.load(counts, GIVEN);
    const received: { readonly message: Batch | undefined } | undefined = receiveMessageOnPort(port);
    if (received !== undefined) {
      const { message } = received;
      if (message === undefined) return undefined;
      Atomics.add(counts, TAKEN, sizeOf(message));
      Atomics.notify(counts, TAKEN);
      return message;
    }
    if (Atomics.wait(counts, GIVEN, given, PATIENCE_MS) === 'timed-out') return undefined;
  }
}

function groupOf({ bytes, file, rows }: Batch, place: number, hash: string, follows: string): StoredGroup {
  const number = (name: keyof typeof ROW): number => rows[place * ROW_WIDTH + ROW[name]] as number;
  return {
    version: number('version'),
    firstSeq: number('firstSeq'),
    count: number('count'),
    body: new Uint8Array(bytes, number('bodyAt'), number('bodyBytes')),
    hash,
    follows,
    place: { file, offset: number('offset') },
  };
}

/** The memory of a batch in KiB; nothing once it went over. */
function sizeOf({ bytes }: Batch): number {
  return Math.ceil(bytes.byteLength / KIB);
}
