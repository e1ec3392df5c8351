import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import { type Client, Turns } from '../turns.ts';
import { Inbound, type TextWork } from './inbound.ts';

const ANYBODY = '127.0.0.1';
const ALICE = 1 as AccountId;

/** Texts on a clock that moves with the work on them, and turns of the event loop that a test lets come. */
class Bench {
  now = 0;
  /** The work that was done, in order: the place in a text, with the client that it was done for. */
  readonly done: string[] = [];
  client: Client = ALICE;
  isPaused = false;
  private later: (() => void)[] = [];
  readonly turns = new Turns({ elapsed: () => this.now, afterTurn: (work) => void this.later.push(work) });
  readonly inbound = new Inbound({
    turns: this.turns,
    client: () => this.client,
    pause: () => {
      this.isPaused = true;
    },
    resume: () => {
      this.isPaused = false;
    },
  });

  constructor() {
    this.inbound.listener = (text) => this.work(text);
  }

  /** The letters of a text take half a millisecond each. */
  private *work(text: string): TextWork {
    for (const letter of text) {
      this.done.push(`${letter}`);
      this.now += 0.5;
      yield;
    }
  }

  /** Lets a turn of the event loop come. Gives the letters that were done in it. */
  async turn(): Promise<string> {
    const before = this.done.length;
    for (const work of this.later.splice(0)) work();
    await new Promise(setImmediate);
    return this.done.slice(before).join('');
  }
}

test('a short text is done as it comes', () => {
  const { inbound, done } = new Bench();
  inbound.take('a');
  assert.deepEqual(done, ['a']);
});

test('a long text takes turns, and others are served between its pieces', async () => {
  const bench = new Bench();
  bench.inbound.take('abcdefghijklmnopqrstuvwxyz');
  await new Promise(setImmediate);
  assert.ok(bench.done.length <= 8, bench.done.join(''));
  const other: number[] = [];
  bench.turns.take(2 as AccountId, () => other.push(bench.done.length));
  while ((await bench.turn()) !== '');
  assert.equal(bench.done.join(''), 'abcdefghijklmnopqrstuvwxyz');
  assert.ok((other[0] ?? 99) <= 16, `${other}`);
});

test('texts of a socket come one after the other, and nothing is read meanwhile but what came already', async () => {
  const bench = new Bench();
  bench.inbound.take('abcdefghijklmnop');
  bench.inbound.take('1');
  assert.equal(bench.isPaused, false, 'a ping may stand behind the text');
  bench.inbound.take('23');
  assert.equal(bench.isPaused, true);
  while ((await bench.turn()) !== '');
  assert.equal(bench.done.join(''), 'abcdefghijklmnop123');
  assert.equal(bench.isPaused, false);
});

test('a text is in the turns of the account from the moment that the socket belongs to it', async () => {
  const bench = new Bench();
  const clients: Client[] = [];
  const { take } = bench.turns;
  bench.turns.take = (client, work) => {
    clients.push(client);
    take.call(bench.turns, client, work);
  };
  bench.client = ANYBODY;
  bench.inbound.listener = () => {
    bench.client = ALICE;
    return undefined;
  };
  bench.inbound.take('login');
  bench.inbound.take('subscribe');
  await new Promise(setImmediate);
  assert.deepEqual(clients, [ANYBODY, ALICE]);
});

test('a socket that ends gives up its texts, and what a text began is put in order', async () => {
  const bench = new Bench();
  const ended: string[] = [];
  bench.inbound.listener = function* (text) {
    try {
      for (const _ of text) {
        bench.now += 1;
        bench.done.push(text);
        yield;
      }
    } finally {
      ended.push(text);
    }
  };
  bench.inbound.take('aaaaaaaaaa');
  bench.inbound.take('b');
  bench.inbound.take('c');
  const before = bench.done.length;
  bench.inbound.end();
  for (let turn = 0; turn < 5; turn += 1) await bench.turn();
  assert.equal(bench.done.length, before);
  assert.deepEqual(ended, ['aaaaaaaaaa']);
  assert.equal(bench.isPaused, false);
  bench.inbound.take('d');
  await bench.turn();
  assert.equal(bench.done.length, before);
});
