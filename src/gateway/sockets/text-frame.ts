/** Texts as frames of a WebSocket from the service, by RFC 6455: unmasked and whole, so they may go to many sockets. */

import type { WrittenText } from '../fields/written-text.ts';

/** FIN, and the opcode of a text. */
const WHOLE_TEXT = 0x81;
/** Lengths up to this stand in the second byte; the two numbers after it say that a longer field follows. */
const SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const MOST_IN_TWO = 0xffff;
/** Frames are joined up to about this, in bytes: a client that reads slowly is judged by what waits for it. */
const JOINED_BYTES = 16 * 1024;

/** A frame, or a few that leave one behind the other. */
export interface TextFrame {
  /** As they go over the wire. Never changed. */
  readonly bytes: Buffer;
  /** The number of frames. */
  readonly count: number;
}

export function textFrame(text: string): TextFrame {
  return { bytes: bytesOf(text), count: 1 };
}

/** As `textFrame`, of a text that is written already. */
export function writtenFrame(text: WrittenText): TextFrame {
  const { bytes, head } = emptyFrame(text.length);
  text.copyTo(bytes, head);
  return { bytes, count: 1 };
}

/** The frames of several texts, joined, so that a socket is written to once for them. */
export function joinedFrames(texts: readonly string[]): TextFrame[] {
  const joined: TextFrame[] = [];
  let frames: Buffer[] = [];
  let length = 0;
  for (const [index, text] of texts.entries()) {
    const bytes = bytesOf(text);
    frames.push(bytes);
    length += bytes.length;
    if (length < JOINED_BYTES && index < texts.length - 1) continue;
    joined.push({ bytes: frames.length === 1 ? bytes : Buffer.concat(frames, length), count: frames.length });
    frames = [];
    length = 0;
  }
  return joined;
}

function bytesOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const { bytes, head } = emptyFrame(length);
  bytes.write(text, head, length === text.length ? 'latin1' : 'utf8');
  return bytes;
}

/** A frame with its head, and the length of that. */
function emptyFrame(length: number): { readonly bytes: Buffer; readonly head: number } {
  const head = length <= SHORT ? 2 : length <= MOST_IN_TWO ? 4 : 10;
  const bytes = Buffer.allocUnsafe(head + length);
  bytes[0] = WHOLE_TEXT;
  if (head === 2) bytes[1] = length;
  else if (head === 4) {
    bytes[1] = TWO_BYTES;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = EIGHT_BYTES;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
  return { bytes, head };
}
