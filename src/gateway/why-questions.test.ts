import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { must } from '../base/assert.ts';
import type { AccountId, OrderNumber } from '../base/ids.ts';
import type { WhyReport } from '../engine/why/why-report.ts';
import type { Failure } from './fields/envelope.ts';
import { WhyQuestions } from './why-questions.ts';

/** A thread of replays whose clock and ends are those of the test. */
class Bench {
  now = 0;
  /** Replays that run, by order. */
  readonly running = new Map<OrderNumber, PromiseWithResolvers<WhyReport | undefined>>();
  readonly begun: OrderNumber[] = [];
  readonly stopped: OrderNumber[] = [];
  private limit: { readonly work: () => void; readonly at: number } | undefined;
  readonly questions = new WhyQuestions({
    elapsed: () => this.now,
    later: (work, ms) => {
      this.limit = { work, at: this.now + ms };
      return () => {
        this.limit = undefined;
      };
    },
    replay: (order) => {
      const report = Promise.withResolvers<WhyReport | undefined>();
      this.begun.push(order);
      this.running.set(order, report);
      return { report: report.promise, stop: () => void this.stopped.push(order) };
    },
  });

  ask(account: number, order: number, version = 1, text = `why ${order}`) {
    return this.questions.ask(account as AccountId, order as OrderNumber, version, () => text);
  }

  /** Lets the running replay take some time, and ends it. */
  async answer(order: number, ms = 1_000): Promise<void> {
    await setImmediate();
    this.pass(ms);
    must(this.running.get(order as OrderNumber), 'a replay runs').resolve({} as WhyReport);
    this.running.delete(order as OrderNumber);
    await setImmediate();
  }

  pass(ms: number): void {
    this.now += ms;
    if (this.limit !== undefined && this.now >= this.limit.at) this.limit.work();
  }
}

function statusOf(answer: unknown): number {
  return (answer as Failure).status;
}

test('replays run one at a time, in the order of their questions', async () => {
  const bench = new Bench();
  const answers = [1, 2, 3].map((account) => bench.ask(account, 10 * account));
  await setImmediate();
  assert.deepEqual(bench.begun, [10]);
  await bench.answer(10);
  assert.deepEqual(bench.begun, [10, 20]);
  await bench.answer(20);
  await bench.answer(30);
  assert.deepEqual(await Promise.all(answers), ['why 10', 'why 20', 'why 30']);
});

test('an answer is kept until its order is judged once more', async () => {
  const bench = new Bench();
  const first = bench.ask(1, 10);
  await bench.answer(10);
  assert.equal(await first, 'why 10');
  assert.equal(bench.ask(1, 10), 'why 10', 'at once');
  bench.pass(10_000);
  const again = bench.ask(1, 10, 2, 'why 10 now');
  await bench.answer(10);
  assert.equal(await again, 'why 10 now');
  assert.deepEqual(bench.begun, [10, 10]);
});

test('an account has one question at a time, and rests as long as its replay took', async () => {
  const bench = new Bench();
  const first = bench.ask(1, 10);
  assert.equal(statusOf(bench.ask(1, 11)), 429);
  await bench.answer(10, 4_000);
  await first;
  const refused = bench.ask(1, 11) as Failure;
  assert.deepEqual([refused.status, refused.retryAfterSeconds], [429, 4]);
  const others = bench.ask(2, 20);
  await bench.answer(20, 100);
  assert.equal(await others, 'why 20');
  bench.pass(4_000);
  const second = bench.ask(1, 11);
  await bench.answer(11);
  assert.equal(await second, 'why 11');
});

test('a bounded number of questions waits, and each further one is refused', async () => {
  const bench = new Bench();
  const taken = Array.from({ length: 9 }, (_, account) => bench.ask(account, account));
  assert.ok(taken.every((answer) => answer instanceof Promise));
  assert.equal(statusOf(bench.ask(9, 9)), 503);
  for (let order = 0; order < 9; order += 1) await bench.answer(order);
  assert.deepEqual(
    await Promise.all(taken),
    Array.from({ length: 9 }, (_, order) => `why ${order}`),
  );
});

test('a replay that takes too long is ended, and the next question has its turn', async () => {
  const bench = new Bench();
  const long = bench.ask(1, 10);
  const next = bench.ask(2, 20);
  await setImmediate();
  bench.pass(29_999);
  assert.deepEqual(bench.stopped, []);
  bench.pass(1);
  assert.deepEqual(bench.stopped, [10]);
  assert.equal(statusOf(await long), 503);
  await bench.answer(20);
  assert.equal(await next, 'why 20');
});

test('the answers that are kept have a bound, and the least used ones go first', async () => {
  const bench = new Bench();
  const page = 'x'.repeat(1024 * 1024);
  for (let order = 1; order <= 4; order += 1) {
    const asked = bench.ask(order, order, 1, page);
    await bench.answer(order);
    await asked;
  }
  assert.equal(bench.questions.size, 4);
  assert.equal(bench.ask(1, 1), page);
  const fifth = bench.ask(5, 5, 1, page);
  await bench.answer(5);
  await fifth;
  assert.equal(bench.questions.size, 4);
  assert.equal(bench.ask(1, 1), page, 'it was used');
  assert.ok(bench.ask(9, 2) instanceof Promise, 'it was not');
});

test('an order that the journal does not have has no answer, and none is kept', async () => {
  const bench = new Bench();
  const asked = bench.ask(1, 10);
  await setImmediate();
  must(bench.running.get(10 as OrderNumber), 'a replay runs').resolve(undefined);
  assert.equal(await asked, undefined);
  assert.equal(bench.questions.size, 0);
});
