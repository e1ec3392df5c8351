/** Documents that many clients may read at a time, as slowly as they like: their bytes are not copied for each. */

import type { Coding } from '../../page/page-files.ts';
import { TOO_MANY_DOWNLOADS } from '../fields/envelope.ts';
import { AnswerMemory, type MemoryLimits } from './answer-memory.ts';
import type { LongReply } from './long-reply.ts';
import { failureReply, type Reply } from './respond.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * A document is kept once for all its readers. For each reader the system holds at most this number of bytes outside
 * the process.
 */
const READER_BYTES = 4 * MEBIBYTE;
/** So 32 clients at a time may have a document sent or wait for it to be written, 16 of one address. */
const DOWNLOAD_LIMITS: MemoryLimits = { most: 32 * READER_BYTES, mostOfOne: 16 * READER_BYTES };

/** A document with its type, and the headers that are its own. */
export interface Document {
  readonly type: string;
  readonly bytes: Buffer;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  /** How long stores may keep it, in the words of `Cache-Control`; nowhere when absent. */
  readonly cache?: string;
}

/**
 * Makes a page for a client that reads these codings, packed when that is worth it. Rejects when a file of it cannot be
 * read.
 */
export type Page = (accepts: (coding: Coding) => boolean) => Document | Promise<Document>;

/** A page that is made when it is first asked for, and kept. */
export function kept(make: () => Document): () => Document {
  let made: Document | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export class Downloads {
  private readonly memory = new AnswerMemory(DOWNLOAD_LIMITS);

  /**
   * Sends a document to a client at an address, once it is made; a client beyond the limit is refused. Rejects with the
   * error of its making.
   */
  async send(address: string, make: () => Document | Promise<Document>): Promise<Reply | LongReply> {
    const room = this.memory.reserve(address, READER_BYTES);
    if (room === undefined) return failureReply(TOO_MANY_DOWNLOADS);
    try {
      const { bytes, ...rest } = await make();
      return { ...rest, pieces: [bytes], length: bytes.length, room };
    } catch (error) {
      room.giveBack();
      throw error;
    }
  }
}
