import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

/** An event loop by hand; work costs as much time as a test says. */
class Loop {
  now = 1_000;
  readonly done: string[] = [];
  private next: (() => void)[] = [];
  readonly turns = new Turns({
    elapsed: () => this.now,
    afterTurn: (work) => this.next.push(work),
  });

  /** Work of a millisecond. */
  take(client: string, times = 1): void {
    for (let time = 0; time < times; time += 1) {
      this.turns.take(client, () => {
        this.now += 1;
        this.done.push(client);
      });
    }
  }

  /** Ends a turn; what was done in the next one, up to where it takes in what others send. */
  turn(): string {
    this.done.length = 0;
    for (const work of this.next.splice(0)) work();
    return this.done.join(' ');
  }
}

test('work is done as it comes while there is time', () => {
  const loop = new Loop();
  for (let turn = 0; turn < 10; turn += 1) {
    loop.take('one', 3);
    assert.equal(loop.turns.waiting, 0);
    loop.turn();
  }
});

test('when there is not, clients are served one after the other, however much each of them wants', () => {
  const loop = new Loop();
  loop.take('one', 1_000);
  loop.take('two', 2);
  loop.take('three');
  assert.equal(loop.done.length, 3);
  assert.equal(loop.turn(), 'one two three');
  loop.take('four');
  assert.equal(loop.turn(), 'one two four');
  assert.equal(loop.turn(), 'one one one');
});

test('a turn does no more than it has time for, and the last piece of work ends the waiting', () => {
  const loop = new Loop();
  loop.take('one', 10);
  assert.deepEqual([loop.turn(), loop.turn(), loop.turn(), loop.turn()], ['one one one', 'one one one', 'one', '']);
  assert.equal(loop.turns.waiting, 0);
  loop.take('two');
  assert.deepEqual(loop.done, ['two']);
});

test('short pieces of work of a client are done together, for as long as others get', () => {
  const loop = new Loop();
  loop.take('one', 3);
  for (let piece = 0; piece < 20; piece += 1) {
    loop.turns.take('short', () => {
      loop.now += 0.125;
      loop.done.push('short');
    });
  }
  loop.take('one', 2);
  assert.equal(loop.turn(), `${'short '.repeat(8)}one ${'short '.repeat(8)}`.trim());
});

test('work gets the time that it waited, and its value or its error comes to the caller that waits for it', async () => {
  const loop = new Loop();
  loop.take('one', 3);
  const value = loop.turns.run('one', () => 42);
  const error = loop.turns.run('one', () => {
    throw new Error('broken');
  });
  let waited = 0;
  loop.turns.take('one', (ms) => {
    waited = ms;
  });
  loop.now += 7;
  loop.turn();
  assert.equal(await value, 42);
  await assert.rejects(error, /broken/);
  assert.equal(waited, 7);
});

test('work in pieces takes as many turns as it needs, and others are served between them', async () => {
  const loop = new Loop();
  function* pieces(): Generator<undefined, string> {
    for (let piece = 0; piece < 10; piece += 1) {
      loop.now += 1;
      loop.done.push('long');
      yield;
    }
    return 'result';
  }
  const result = loop.turns.runPieces('long', pieces());
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise(setImmediate);
    loop.take('other');
    assert.ok(loop.done.filter((client) => client === 'long').length <= 4, 'a turn has an end');
    loop.turn();
  }
  assert.equal(await result, 'result');
});
