import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitCaller, CommitServer, newSharedMemory, type SharedMemory } from './commit-channel.ts';

/** More than the first frames find. */
const MOST_BYTES = 1024 * 1024;
/** Long enough for a promise that was woken to be seen resolved. */
const LOOK_MS = 20;

/** Wakes the caller as the thread does, without anything that is done: its waking of the request before may be late. */
function wakeForNothing({ words }: SharedMemory): void {
  for (let index = 0; index < words.length; index += 1) Atomics.notify(words, index);
}

/** Whether a request is done, as its caller sees it. */
function watched(asked: Promise<number>): { readonly isDone: () => boolean } {
  let done = false;
  void asked.then(() => {
    done = true;
  });
  return { isDone: () => done };
}

test('a request is done when the thread says so, and not when its caller is woken for an earlier one', async () => {
  const memory = newSharedMemory(MOST_BYTES);
  const caller = new CommitCaller(memory);
  const server = new CommitServer(memory);
  const asked = caller.ask(512);
  const { isDone } = watched(asked);
  assert.equal(server.next(0)?.type, 'append');
  wakeForNothing(memory);
  await sleep(LOOK_MS);
  assert.equal(isDone(), false);
  wakeForNothing(memory);
  await sleep(LOOK_MS);
  assert.equal(isDone(), false);
  server.done(4_096);
  assert.equal(await asked, 4_096);
});

test('a request that is done before its caller waits is done', async () => {
  const memory = newSharedMemory(MOST_BYTES);
  const caller = new CommitCaller(memory);
  const server = new CommitServer(memory);
  for (const offset of [512, 1_024, 1_536]) {
    const asked = caller.ask(512);
    assert.equal(server.next(0)?.type, 'append');
    server.done(offset);
    assert.equal(await asked, offset);
  }
});
