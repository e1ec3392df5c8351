/**
 * Memory that the main thread and the commit thread share: one frame at a time goes over, and a reply comes back. They
 * share memory because a message between threads costs more than the hash of a group.
 */

import { must } from '../base/assert.ts';

/** Memory that two threads see. */
export interface SharedMemory {
  /**
   * The number of requests that were made, the number that are done, the length of the last frame in bytes (0 for
   * none), and the place where it was put.
   */
  readonly words: Int32Array<SharedArrayBuffer>;
  /** The frame, from its first byte on. It begins at a page, as writing past the page cache needs. */
  readonly room: SharedArrayBuffer;
}

const MADE = 0;
const DONE = 1;
const FRAME_BYTES = 2;
const OFFSET = 3;
const WORDS = 4;
/** Room that the first frames find. More is made when a frame needs it, and stays. In bytes. */
const FIRST_ROOM = 64 * 1024;

/** Memory for frames of up to `mostBytes`. The unused part is address space only. */
export function newSharedMemory(mostBytes: number): SharedMemory {
  return {
    words: new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT)),
    room: new SharedArrayBuffer(FIRST_ROOM, { maxByteLength: mostBytes }),
  };
}

/** The side that asks. One request at a time. */
export class CommitCaller {
  private readonly memory: SharedMemory;

  constructor(memory: SharedMemory) {
    this.memory = memory;
  }

  /**
   * The place for the frame of the next request. The bytes of the one before are still there. Not while a request is
   * under way.
   */
  roomFor(bytes: number): Uint8Array {
    const { room } = this.memory;
    if (room.byteLength < bytes) room.grow(Math.min(Math.max(bytes, room.byteLength * 2), room.maxByteLength));
    return new Uint8Array(room, 0, bytes);
  }

  /**
   * Asks for the frame that was put into the room to be made durable, or, without one, for the end. Resolves when the
   * thread has done it, with the place of the frame in its segment, in bytes.
   */
  async ask(frameBytes = 0): Promise<number> {
    const { words } = this.memory;
    const before = Atomics.load(words, DONE);
    words[FRAME_BYTES] = frameBytes;
    Atomics.add(words, MADE, 1);
    Atomics.notify(words, MADE);
    // The thread counts first and wakes then. A caller that has seen the count may have asked again by the time that
    // it is woken, and nothing of the new request is done then.
    while (Atomics.load(words, DONE) === before) await Atomics.waitAsync(words, DONE, before).value;
    return must(words[OFFSET], 'a frame was put somewhere');
  }
}

/** The request to the thread. */
export type CommitRequest = { readonly type: 'append'; readonly frame: Uint8Array } | { readonly type: 'close' };

/** The side that answers, in a thread that does nothing else. */
export class CommitServer {
  private readonly memory: SharedMemory;
  private taken = 0;

  constructor(memory: SharedMemory) {
    this.memory = memory;
  }

  /**
   * Blocks the thread until there is a request; `undefined` when none comes in this time. The frame stays as it is
   * until it is done.
   */
  next(milliseconds: number): CommitRequest | undefined {
    const { words, room } = this.memory;
    Atomics.wait(words, MADE, this.taken, Math.max(0, milliseconds));
    const made = Atomics.load(words, MADE);
    if (made === this.taken) return undefined;
    this.taken = made;
    const bytes = must(words[FRAME_BYTES], 'a request says how long its frame is');
    return bytes === 0 ? { type: 'close' } : { type: 'append', frame: new Uint8Array(room, 0, bytes) };
  }

  /** Reports that the last request is done. `offset`: where its frame lies in its segment. */
  done(offset = 0): void {
    const { words } = this.memory;
    words[OFFSET] = offset;
    Atomics.store(words, DONE, this.taken);
    Atomics.notify(words, DONE);
  }
}
