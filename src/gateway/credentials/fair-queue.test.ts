import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue, QueueFull } from './fair-queue.ts';

/** A queue whose tasks end when the test says so, and the outcome of each. */
class TrialQueue {
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
  const trial = new TrialQueue(5);
  for (const name of ['a', 'b', 'c']) trial.ask(name, name);
  assert.deepEqual(trial.began, ['a']);
  await trial.drain();
  assert.deepEqual(trial.began, ['a', 'b', 'c']);
  trial.ask('d', 'd');
  assert.deepEqual(trial.began, ['a', 'b', 'c', 'd'], 'an idle queue runs at once');
});

test('a task that fails rejects for its asker, and the next one runs', async () => {
  const queue = new FairQueue(5);
  const asker = { source: 'x', kind: 'strangers' } as const;
  const failed = queue.run(() => Promise.reject(new Error('no')), asker);
  const done = queue.run(() => Promise.resolve(7), asker);
  await assert.rejects(failed, /no/);
  assert.equal(await done, 7);
});

test('of a full line the source with most gives way to one with fewer', async () => {
  const trial = new TrialQueue(3);
  for (const name of ['running', 'f1', 'f2', 'f3']) trial.ask(name, 'flood');
  trial.ask('f4', 'flood');
  trial.ask('owner', 'home');
  trial.ask('other', 'office');
  trial.ask('third', 'street');
  await trial.drain();
  assert.deepEqual(trial.refused, ['f4', 'f3', 'f2', 'third']);
  assert.deepEqual(trial.began, ['running', 'f1', 'owner', 'other']);
});

test('a known client has every second turn, however many strangers wait', async () => {
  const trial = new TrialQueue(3);
  for (let i = 0; i < 10; i += 1) trial.ask(`s${i}`, `stranger ${i}`);
  trial.ask('owner', 'home', true);
  trial.ask('again', 'home', true);
  await trial.drain();
  assert.deepEqual(trial.began, ['s0', 'owner', 's1', 'again', 's2', 's3']);
});

test('known clients take no more than every second turn from strangers', async () => {
  const trial = new TrialQueue(3);
  for (let i = 0; i < 4; i += 1) trial.ask(`k${i}`, 'home', true);
  for (let i = 0; i < 3; i += 1) trial.ask(`s${i}`, `stranger ${i}`);
  await trial.drain();
  assert.deepEqual(
    trial.began
      .slice(1)
      .map((name) => name[0])
      .join(''),
    'sksksk',
  );
});
