import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import type { ClusterMessage, Epoch } from '../../src/cluster/message.ts';
import { decodeMessage, encodeGroupMessages, encodeMessage } from '../../src/cluster/message-codec.ts';
import { chainHash, GENESIS } from '../../src/journal/chain.ts';
import { sampleGroup } from '../kit/journal/sample.ts';

const epoch = 7 as Epoch;
const wall = 1_800_000_000_123 as WallMs;
const head = { seq: 2 ** 40, hash: 'ab'.repeat(32) };

const SHORT = [
  { type: 'Epoch', epoch, wall, member: 'नोड-1', handedOver: true },
  { type: 'Epoch', epoch, wall, member: 'b', handedOver: false },
  { type: 'Beat', epoch, wall, head },
  { type: 'HandOver', epoch, wall, to: 'node-2' },
  { type: 'Origin', epoch, wall, head },
  { type: 'End', epoch, wall, head },
  { type: 'Fatal', epoch, wall, command: 'cd'.repeat(32) },
] as const;

function groupBytes(partBytes: number): Uint8Array[] {
  const group = sampleGroup(5, 3);
  return encodeGroupMessages({ epoch, wall }, group, chainHash(GENESIS.hash, group), partBytes);
}

test('messages are read as they were written', () => {
  for (const message of SHORT) assert.deepEqual(decodeMessage(encodeMessage(message)), message);
});

test('a group is read as it was written, whole and in parts', () => {
  const { body, ...group } = sampleGroup(5, 3);
  for (const partBytes of [1, 100, 1_000_000]) {
    const messages = groupBytes(partBytes).map(decodeMessage) as Extract<ClusterMessage, { type: 'Group' }>[];
    const whole = Buffer.concat(messages.map((message) => message.group.body));
    assert.equal(whole.toString(), body);
    for (const [part, message] of messages.entries()) {
      assert.deepEqual([message.part, message.parts], [part, messages.length]);
      const { body: _, hash, ...rest } = message.group;
      assert.deepEqual(rest, group);
      assert.equal(hash, chainHash(GENESIS.hash, { ...group, body }));
    }
  }
});

test('every changed byte and every cut of a message is refused', () => {
  for (const bytes of [...SHORT.map(encodeMessage), ...groupBytes(200)]) {
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = bytes.slice();
      changed[at] = (changed[at] as number) ^ 0x20;
      assert.throws(() => decodeMessage(changed), { name: 'UnreadableMessage' }, `byte ${at}`);
      assert.throws(() => decodeMessage(bytes.slice(0, at)), { name: 'UnreadableMessage' }, `cut at ${at}`);
    }
    assert.throws(() => decodeMessage(Buffer.concat([bytes, Buffer.alloc(1)])), { name: 'UnreadableMessage' });
  }
});
