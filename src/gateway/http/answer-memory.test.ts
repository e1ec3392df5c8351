import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { AnswerMemory } from './answer-memory.ts';

/** Connections that read nothing, on a clock that a test sets. */
function readers(most: number) {
  const clock = { now: 0 };
  const later: (() => void)[] = [];
  const memory = new AnswerMemory(
    { most, mostOfOne: most },
    () => clock.now,
    (work) => later.push(work),
  );
  const hold = (bytes: number): Socket => {
    const socket = new Socket();
    memory.hold('10.0.0.1', socket, bytes);
    return socket;
  };
  /** A second passes. */
  const second = (): void => {
    clock.now += 1_000;
    for (const work of later.splice(0)) work();
  };
  return { clock, memory, hold, second };
}

test('answers that are not read take no more than their share: the clients that have been reading for longest are cut off', () => {
  const { clock, memory, hold } = readers(100);
  const sockets = Array.from({ length: 10 }, () => {
    clock.now += 1_000;
    return hold(30);
  });
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [true, true, true, true, true, true, true, false, false, false],
  );
  assert.equal(memory.takenBytes, 90);
});

test('no client is cut off within a second', () => {
  const { clock, hold } = readers(100);
  const sockets = Array.from({ length: 10 }, () => hold(30));
  assert.ok(sockets.every(({ destroyed }) => !destroyed));
  clock.now = 1_000;
  hold(30);
  assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 8);
});

test('a client that reads nothing is cut off after a second, also when no other is answered any more', () => {
  const { memory, hold, second } = readers(100);
  const sockets = Array.from({ length: 10 }, () => hold(30));
  second();
  assert.equal(memory.takenBytes, 90);
  assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 7);
  second();
  hold(30);
  second();
  assert.equal(memory.takenBytes, 90, 'once for each time that it is too much');
});

test('an answer that alone is larger than all may be is let through, and so is a client that asks again and again', () => {
  const { clock, memory } = readers(100);
  const socket = new Socket();
  memory.hold('10.0.0.1', socket, 500);
  clock.now = 5_000;
  memory.hold('10.0.0.1', socket, 500);
  assert.equal(socket.destroyed, false);
  assert.equal(memory.takenBytes, 1_000);
});

test('bytes that were read no longer count', () => {
  const { clock, memory, hold } = readers(100);
  const read = hold(90);
  const gone = hold(5);
  read.emit('drain');
  gone.emit('close');
  assert.equal(memory.takenBytes, 0);
  assert.equal(read.listenerCount('drain') + read.listenerCount('close') + gone.listenerCount('drain'), 0);
  clock.now = 2_000;
  hold(90);
  assert.equal(read.destroyed, false);
  gone.destroy();
  memory.hold('10.0.0.1', gone, 90);
  assert.equal(memory.takenBytes, 90);
});

/** Lengths as they are in the product. */
const MEBIBYTE = 1024 * 1024;
const LIMITS = { most: 64 * MEBIBYTE, mostOfOne: 32 * MEBIBYTE };

/** The memory of the product, on a clock that a test sets. */
function product() {
  const clock = { now: 0 };
  const memory = new AnswerMemory(LIMITS, () => clock.now);
  return { clock, memory };
}

test('an answer gets its room before it is made, or is not made', () => {
  const { memory } = product();
  const [first, second, third] = [1, 2, 3].map(() => memory.reserve('10.0.0.1', 16 * MEBIBYTE));
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(third, undefined, 'one client gets his share');
  assert.ok(memory.reserve('10.0.0.2', 32 * MEBIBYTE), 'another gets his');
  assert.equal(memory.reserve('10.0.0.3', 16 * MEBIBYTE), undefined, 'all together get no more than there is');
  assert.equal(memory.refused, 2);
  first.become(MEBIBYTE);
  assert.ok(memory.reserve('10.0.0.3', 15 * MEBIBYTE), 'what an answer takes less is there for others');
  second.giveBack();
  second.giveBack();
  assert.equal(memory.takenBytes, (1 + 32 + 15) * MEBIBYTE);
});

test('a small answer is made for a client that waits for none, also when others have taken all', () => {
  const { memory } = product();
  for (const client of ['10.0.0.1', '10.0.0.2']) assert.ok(memory.reserve(client, 32 * MEBIBYTE));
  assert.equal(memory.admits('10.0.0.1'), false);
  assert.equal(memory.admits('10.0.0.3'), true);
});

test('clients that each hold a little are bounded too', () => {
  const { memory } = product();
  let count = 0;
  while (memory.admits(`10.0.0.${count}`)) {
    memory.hold(`10.0.0.${count}`, new Socket(), 256 * 1024);
    count += 1;
    assert.ok(count < 10_000);
  }
  assert.equal(memory.takenBytes, 2 * LIMITS.most);
});

test('a client that reads nothing for a second makes room for others, and for its own next answer', () => {
  const { clock, memory } = product();
  const sockets = ['10.0.0.1', '10.0.0.2'].map((client) => {
    const socket = new Socket();
    memory.reserve(client, 32 * MEBIBYTE)?.waitFor(socket);
    return socket;
  });
  clock.now = 999;
  assert.equal(memory.reserve('10.0.0.3', MEBIBYTE), undefined);
  clock.now = 1_000;
  assert.ok(memory.reserve('10.0.0.2', MEBIBYTE));
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [false, true],
  );
  assert.ok(memory.reserve('10.0.0.3', 32 * MEBIBYTE));
  assert.equal(sockets[0]?.destroyed, true);
});

test('an answer whose client has gone takes no room', () => {
  const { memory } = product();
  const [gone, goes] = [new Socket(), new Socket()];
  gone.destroy();
  memory.reserve('10.0.0.1', MEBIBYTE)?.waitFor(gone);
  assert.equal(memory.takenBytes, 0);
  memory.reserve('10.0.0.1', MEBIBYTE)?.waitFor(goes);
  goes.emit('close');
  assert.equal(memory.takenBytes, 0);
});
