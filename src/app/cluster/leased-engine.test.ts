import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, FatalCommands } from '../../cluster/fatal-commands.ts';
import type { Reply } from '../../core/reply.ts';
import { type EnginePort, type Submission, Unavailable } from '../../engine/port.ts';
import { LeasedEngine } from './leased-engine.ts';

const REFUSED = { type: 'Refused' } as unknown as Reply;

function engineThat(reads: () => unknown): EnginePort {
  return { now: () => 7, submit: async () => ({}), read: reads, glance: reads } as unknown as EnginePort;
}

test('a question is answered under the lease, and refused when it has run out', () => {
  let holds = true;
  const engine = new LeasedEngine(
    engineThat(() => 'state'),
    () => holds,
    new FatalCommands(),
  );
  assert.equal(
    engine.read(() => ''),
    'state',
  );
  holds = false;
  assert.throws(() => engine.read(() => ''), Unavailable);
});

test('an answer that waits is refused when the lease runs out meanwhile', async () => {
  let holds = true;
  const { promise, resolve } = Promise.withResolvers<string>();
  const engine = new LeasedEngine(
    engineThat(() => promise),
    () => holds,
    new FatalCommands(),
  );
  const late = engine.read(() => '');
  holds = false;
  resolve('state');
  await assert.rejects(Promise.resolve(late), Unavailable);
});

test('a command with a record is answered without the lease: the lane alone decides about it', async () => {
  const engine = new LeasedEngine(
    engineThat(() => 'state'),
    () => false,
    new FatalCommands(),
  );
  assert.deepEqual(await engine.submit({} as never), {});
  assert.equal(
    engine.glance(() => ''),
    'state',
  );
});

test('a command without a record is answered under the lease, as a question is', async () => {
  let holds = true;
  const inner = { submit: async ({ unrecorded }: Submission) => unrecorded?.(REFUSED) } as unknown as EnginePort;
  const engine = new LeasedEngine(inner, () => holds, new FatalCommands());
  assert.equal(await engine.submit({} as never), REFUSED);
  holds = false;
  await assert.rejects(engine.submit({} as never), Unavailable);
});

test('while the place is given away commands wait for the end of it, and are refused then', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const engine = new LeasedEngine(
    engineThat(() => 'state'),
    () => false,
    new FatalCommands(),
    () => promise,
  );
  let isRefused = false;
  const refusals = [engine.submit({} as never), engine.read(() => '')].map((answer) =>
    assert.rejects(Promise.resolve(answer), Unavailable).then(() => {
      isRefused = true;
    }),
  );
  await new Promise((later) => setImmediate(later));
  assert.equal(isRefused, false);
  resolve();
  await Promise.all(refusals);
});

test('a command at which a leader has failed is not taken again, and others are', async () => {
  const fatal = new FatalCommands();
  const taken: unknown[] = [];
  const inner = { submit: async ({ command }: Submission) => taken.push(command) } as unknown as EnginePort;
  const engine = new LeasedEngine(inner, () => true, fatal);
  const order = (remarks: string): Submission => ({ command: { type: 'PlaceOrder', remarks } }) as never;
  await engine.submit(order('poison'));
  fatal.note(digestOf(order('poison').command));
  await assert.rejects(engine.submit(order('poison')), /a leader has failed at this command/);
  await engine.submit(order('sound'));
  assert.deepEqual(taken, [order('poison').command, order('sound').command]);
});

test('an engine that fails answers nothing more, also not the command at which it fails later', async () => {
  const { promise, reject } = Promise.withResolvers<Reply>();
  const inner = { submit: () => promise, read: () => 'state' } as unknown as EnginePort;
  const engine = new LeasedEngine(inner, () => true, new FatalCommands());
  const answered = engine.submit({} as never).then(
    () => 'answered',
    () => 'answered',
  );
  engine.fail();
  reject(new Error('thrown'));
  assert.equal(await Promise.race([answered, new Promise((resolve) => setImmediate(resolve, 'silent'))]), 'silent');
  assert.throws(() => engine.read(() => ''), Unavailable);
});

test('the newest of the commands at which leaders have failed are known', () => {
  const fatal = new FatalCommands();
  for (let number = 0; number < 65; number += 1) fatal.note(digestOf({ number }));
  assert.ok(!fatal.has({ number: 0 }));
  assert.ok(fatal.has({ number: 1 }));
  assert.ok(fatal.has({ number: 64 }));
});
