import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue, QueueFull } from './fair-queue.ts';

/** A queue whose tasks end when the test says so, and what became of each. */
class Desk {
  readonly queue: FairQueue;
  readonly began: string[] = [];
  readonly refused: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(limit: number) {
    this.queue = new FairQueue(limit);
  }

  ask(name: string, source: string, known = false): void {
    const task = (): Promise<void> => {
      this.began.push(name);
      return new Promise((resolve) => this.ends.push(resolve));
    };
    this.queue.run(task, { source, kind: known ? 'known' : 'strangers' }).catch((error: unknown) => {
      assert.ok(error instanceof QueueFull);
      this.refused.push(name);
    });
  }

  /** Ends the running task, and every one after it. */
  async drain(): Promise<void> {
    for (let end = this.ends.shift(); end !== undefined; end = this.ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  }
}

test('tasks run one at a time in the order they came', async () => {
  const desk = new Desk(5);
  for (const name of ['a', 'b', 'c']) desk.ask(name, name);
  assert.deepEqual(desk.began, ['a']);
  await desk.drain();
  assert.deepEqual(desk.began, ['a', 'b', 'c']);
  desk.ask('d', 'd');
  assert.deepEqual(desk.began, ['a', 'b', 'c', 'd'], 'an idle queue runs at once');
});

test('a task that fails tells its asker, and the next one runs', async () => {
  const queue = new FairQueue(5);
  const asker = { source: 'x', kind: 'strangers' } as const;
  const failed = queue.run(() => Promise.reject(new Error('no')), asker);
  const done = queue.run(() => Promise.resolve(7), asker);
  await assert.rejects(failed, /no/);
  assert.equal(await done, 7);
});

test('of a full line the source with most gives way to one with fewer', async () => {
  const desk = new Desk(3);
  for (const name of ['running', 'f1', 'f2', 'f3']) desk.ask(name, 'flood');
  desk.ask('f4', 'flood');
  desk.ask('owner', 'home');
  desk.ask('other', 'office');
  desk.ask('third', 'street');
  await desk.drain();
  assert.deepEqual(desk.refused, ['f4', 'f3', 'f2', 'third']);
  assert.deepEqual(desk.began, ['running', 'f1', 'owner', 'other']);
});

test('who is known has every second turn, however many strangers wait', async () => {
  const desk = new Desk(3);
  for (let i = 0; i < 10; i += 1) desk.ask(`s${i}`, `stranger ${i}`);
  desk.ask('owner', 'home', true);
  desk.ask('again', 'home', true);
  await desk.drain();
  assert.deepEqual(desk.began, ['s0', 'owner', 's1', 'again', 's2', 's3']);
});

test('who is known takes no more than every second turn from strangers', async () => {
  const desk = new Desk(3);
  for (let i = 0; i < 4; i += 1) desk.ask(`k${i}`, 'home', true);
  for (let i = 0; i < 3; i += 1) desk.ask(`s${i}`, `stranger ${i}`);
  await desk.drain();
  assert.deepEqual(
    desk.began
      .slice(1)
      .map((name) => name[0])
      .join(''),
    'sksksk',
  );
});
