/**
 * The bytes of messages: a header of 24 bytes, the content, and a checksum over both. The chain hash of a group covers
 * its content once more; the checksum finds a damaged message of every kind before anything of it is believed.
 *
 * Header: magic 4, version 2, kind 2, epoch 8, wall 8. Epoch: handed over 1, member. Group: record version 4, first
 * sequence number 8, count 4, chain hash 32, part 4, parts 4, body. Beat, origin and end: sequence number 8, chain hash
 * 32. Handover: member. Fatal: digest 32. Checksum: CRC-32, 4.
 */

import { crc32 } from 'node:zlib';
import { assert } from '../base/assert.ts';
import type { WallMs } from '../base/time.ts';
import type { Group } from '../journal/journal.ts';
import type { ClusterMessage, Epoch, EpochMessage, GroupMessage } from './message.ts';

/** Bytes that are not a message of this program's version. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}

const MAGIC = 0xff_53_43_4c;
const VERSION = 1;
const KINDS = ['Epoch', 'Group', 'Beat', 'HandOver', 'Origin', 'End', 'Fatal'] as const;
const HEADER_BYTES = 24;
const CHECK_BYTES = 4;
const HASH_BYTES = 32;
const GROUP_BYTES = 56;
/** A place in the history: a sequence number and the chain hash there. */
const PLACE_BYTES = 8 + HASH_BYTES;
/** The longest name of a member in bytes. */
const MOST_NAME_BYTES = 255;

const NOTHING = new Uint8Array();

/** A message that is not a group. */
type ShortMessage = Exclude<ClusterMessage, GroupMessage>;

export function encodeMessage(message: ShortMessage): Uint8Array {
  switch (message.type) {
    case 'Epoch':
      return sealed(message, Buffer.from([message.handedOver ? 1 : 0]), nameBytes(message.member));
    case 'Beat':
    case 'Origin':
    case 'End': {
      const content = Buffer.alloc(PLACE_BYTES);
      content.writeBigUInt64BE(BigInt(message.head.seq), 0);
      content.write(message.head.hash, 8, 'hex');
      return sealed(message, content);
    }
    case 'HandOver':
      return sealed(message, nameBytes(message.to));
    case 'Fatal':
      return sealed(message, Buffer.from(message.command, 'hex'));
  }
}

/**
 * The messages of a group, which are appended one after the other. `hash`: its chain hash, in hex. `partBytes`: the
 * most bytes of the body in one message.
 */
export function encodeGroupMessages(
  head: Pick<GroupMessage, 'epoch' | 'wall'>,
  group: Group,
  hash: string,
  partBytes: number,
): Uint8Array[] {
  const body = typeof group.body === 'string' ? Buffer.from(group.body) : group.body;
  const parts = Math.max(1, Math.ceil(body.length / partBytes));
  return Array.from({ length: parts }, (_, part) => {
    const own = body.subarray(part * partBytes, (part + 1) * partBytes);
    const numbers = Buffer.alloc(GROUP_BYTES);
    numbers.writeUInt32BE(group.version, 0);
    numbers.writeBigUInt64BE(BigInt(group.firstSeq), 4);
    numbers.writeUInt32BE(group.count, 12);
    numbers.write(hash, 16, 'hex');
    numbers.writeUInt32BE(part, 48);
    numbers.writeUInt32BE(parts, 52);
    return sealed({ type: 'Group', ...head }, numbers, own);
  });
}

function nameBytes(name: string): Buffer {
  const bytes = Buffer.from(name);
  assert(bytes.length >= 1 && bytes.length <= MOST_NAME_BYTES, `a member's name of ${bytes.length} bytes`);
  return bytes;
}

/** The message of a kind whose content is `first` and then `rest`. */
function sealed(
  { type, epoch, wall }: Pick<ClusterMessage, 'type' | 'epoch' | 'wall'>,
  first: Uint8Array,
  rest: Uint8Array = NOTHING,
): Uint8Array {
  const restAt = HEADER_BYTES + first.length;
  const bytes = Buffer.alloc(restAt + rest.length + CHECK_BYTES);
  bytes.writeUInt32BE(MAGIC, 0);
  bytes.writeUInt16BE(VERSION, 4);
  bytes.writeUInt16BE(KINDS.indexOf(type), 6);
  bytes.writeBigUInt64BE(BigInt(epoch), 8);
  bytes.writeBigUInt64BE(BigInt(Math.trunc(wall)), 16);
  bytes.set(first, HEADER_BYTES);
  bytes.set(rest, restAt);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -CHECK_BYTES)), bytes.length - CHECK_BYTES);
  return bytes;
}

/** The message of these bytes, every one of which is checked. Throws `UnreadableMessage`. */
export function decodeMessage({ buffer, byteOffset, byteLength }: Uint8Array): ClusterMessage {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const { length } = bytes;
  if (length < HEADER_BYTES + CHECK_BYTES) throw new UnreadableMessage(`a message of ${length} bytes`);
  if (bytes.readUInt32BE(0) !== MAGIC) throw new UnreadableMessage('not a message of a cluster');
  const checked = length - CHECK_BYTES;
  if (bytes.readUInt32BE(checked) !== crc32(bytes.subarray(0, checked))) {
    throw new UnreadableMessage('the checksum does not match');
  }
  const version = bytes.readUInt16BE(4);
  if (version !== VERSION) {
    throw new UnreadableMessage(`message version ${version} is unknown: this program reads version ${VERSION}`);
  }
  const type = KINDS[bytes.readUInt16BE(6)];
  if (type === undefined) throw new UnreadableMessage(`a message of the unknown kind ${bytes.readUInt16BE(6)}`);
  const epoch = numberAt(bytes, 8) as Epoch;
  if (epoch < 1) throw new UnreadableMessage('a message of epoch 0');
  const head = { epoch, wall: numberAt(bytes, 16) as WallMs };
  return contentOf(type, head, bytes.subarray(HEADER_BYTES, checked));
}

type Stamped = Pick<ClusterMessage, 'epoch' | 'wall'>;

function contentOf(type: (typeof KINDS)[number], stamped: Stamped, content: Buffer): ClusterMessage {
  switch (type) {
    case 'Epoch':
      return epochOf(stamped, content);
    case 'Group':
      return groupOf(stamped, content);
    case 'Beat':
    case 'Origin':
    case 'End':
      if (content.length !== PLACE_BYTES) throw new UnreadableMessage(`a place of ${content.length} bytes`);
      return { type, ...stamped, head: { seq: numberAt(content, 0), hash: content.toString('hex', 8) } };
    case 'HandOver':
      return { type, ...stamped, to: nameOf(content) };
    case 'Fatal':
      if (content.length !== HASH_BYTES) throw new UnreadableMessage(`a digest of ${content.length} bytes`);
      return { type, ...stamped, command: content.toString('hex') };
  }
}

function epochOf(stamped: Stamped, content: Buffer): EpochMessage {
  const flag = content[0];
  if (flag !== 0 && flag !== 1) throw new UnreadableMessage('an epoch whose first byte is neither 0 nor 1');
  return { type: 'Epoch', ...stamped, handedOver: flag === 1, member: nameOf(content.subarray(1)) };
}

function groupOf(stamped: Stamped, content: Buffer): GroupMessage {
  if (content.length < GROUP_BYTES) throw new UnreadableMessage(`a group of ${content.length} bytes`);
  const [part, parts] = [content.readUInt32BE(48), content.readUInt32BE(52)];
  if (part >= parts) throw new UnreadableMessage(`part ${part} of ${parts}`);
  const group = {
    version: content.readUInt32BE(0),
    firstSeq: numberAt(content, 4),
    count: content.readUInt32BE(12),
    hash: content.toString('hex', 16, 48),
    body: content.subarray(GROUP_BYTES),
  };
  if (group.firstSeq < 1 || group.count < 1) {
    throw new UnreadableMessage(`a group of ${group.count} records from ${group.firstSeq}`);
  }
  return { type: 'Group', ...stamped, part, parts, group };
}

function nameOf(content: Buffer): string {
  if (content.length < 1 || content.length > MOST_NAME_BYTES) {
    throw new UnreadableMessage(`a member's name of ${content.length} bytes`);
  }
  return content.toString('utf8');
}

function numberAt(bytes: Buffer, offset: number): number {
  const value = Number(bytes.readBigUInt64BE(offset));
  if (!Number.isSafeInteger(value)) throw new UnreadableMessage(`the number at ${offset} is too large`);
  return value;
}
