import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { SlowReaders } from './slow-readers.ts';

/** Connections that read nothing, on a clock that a test sets. */
function readers(most: number) {
  const clock = { now: 0 };
  const later: (() => void)[] = [];
  const slow = new SlowReaders(
    most,
    () => clock.now,
    (work) => later.push(work),
  );
  const hold = (bytes: number): Socket => {
    const socket = new Socket();
    slow.hold(socket, bytes);
    return socket;
  };
  /** A second passes. */
  const second = (): void => {
    clock.now += 1_000;
    for (const work of later.splice(0)) work();
  };
  return { clock, slow, hold, second };
}

test('answers that nobody reads take no more than their share: those who have been reading for longest are cut off', () => {
  const { clock, slow, hold } = readers(100);
  const sockets = Array.from({ length: 10 }, () => {
    clock.now += 1_000;
    return hold(30);
  });
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [true, true, true, true, true, true, true, false, false, false],
  );
  assert.equal(slow.waitingBytes, 90);
});

test('nobody is cut off within a second', () => {
  const { clock, hold } = readers(100);
  const sockets = Array.from({ length: 10 }, () => hold(30));
  assert.ok(sockets.every(({ destroyed }) => !destroyed));
  clock.now = 1_000;
  hold(30);
  assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 8);
});

test('who reads nothing is cut off after a second, also when nobody is answered any more', () => {
  const { slow, hold, second } = readers(100);
  const sockets = Array.from({ length: 10 }, () => hold(30));
  second();
  assert.equal(slow.waitingBytes, 90);
  assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 7);
  second();
  hold(30);
  second();
  assert.equal(slow.waitingBytes, 90, 'once for each time that it is too much');
});

test('an answer that alone is larger than all may be is let through, and so is a client that asks again and again', () => {
  const { clock, slow } = readers(100);
  const socket = new Socket();
  slow.hold(socket, 500);
  clock.now = 5_000;
  slow.hold(socket, 500);
  assert.equal(socket.destroyed, false);
  assert.equal(slow.waitingBytes, 1_000);
});

test('what was read counts no more', () => {
  const { clock, slow, hold } = readers(100);
  const read = hold(90);
  const gone = hold(5);
  read.emit('drain');
  gone.emit('close');
  assert.equal(slow.waitingBytes, 0);
  assert.equal(read.listenerCount('drain') + read.listenerCount('close') + gone.listenerCount('drain'), 0);
  clock.now = 2_000;
  hold(90);
  assert.equal(read.destroyed, false);
  gone.destroy();
  slow.hold(gone, 90);
  assert.equal(slow.waitingBytes, 90);
});
