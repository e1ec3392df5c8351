import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { PreviewFeed } from './preview-feed.ts';

/** A service whose answers come when a test says so, and a clock that it moves. */
function feedOf() {
  let waiting: (() => void) | undefined;
  const asked: { question: string; settle: PromiseWithResolvers<string> }[] = [];
  const clock = {
    after: (_ms: number, work: () => void) => {
      waiting = work;
      return work;
    },
    stop: (timer: unknown) => {
      if (timer === waiting) waiting = undefined;
    },
  };
  const ask = (question: string): Promise<string> => {
    const settle = Promise.withResolvers<string>();
    asked.push({ question, settle });
    return settle.promise;
  };
  const feed = new PreviewFeed(ask, (error) => String(error), clock);
  const pass = (): void => {
    const work = waiting;
    waiting = undefined;
    work?.();
  };
  return { feed, asked, pass };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a preview is asked once for changes that follow each other at once', () => {
  const { feed, asked, pass } = feedOf();
  for (const question of ['1', '12', '123']) feed.ask(question);
  pass();
  deepEqual(
    asked.map(({ question }) => question),
    ['123'],
  );
});

test('the newest preview wins, although an older answer comes later', async () => {
  const { feed, asked, pass } = feedOf();
  for (const question of ['a', 'b']) {
    feed.ask(question);
    pass();
  }
  asked[1]?.settle.resolve('answer b');
  await turn();
  asked[0]?.settle.resolve('answer a');
  await turn();
  deepEqual(feed.state.value, { answer: 'answer b', failure: '', isOld: false });
});

test('the last preview is marked as old until the next one comes', async () => {
  const { feed, asked, pass } = feedOf();
  feed.ask('a');
  pass();
  asked[0]?.settle.resolve('answer a');
  await turn();
  feed.ask('b');
  deepEqual(feed.state.value, { answer: 'answer a', failure: '', isOld: true });
});

test('a preview that is asked again stays current, and one of a changed draft stays old until its answer', async () => {
  const { feed, asked, pass } = feedOf();
  feed.ask('a');
  pass();
  asked[0]?.settle.resolve('answer a');
  await turn();
  feed.ask('a', true);
  equal(feed.state.value.isOld, false);
  feed.ask('b');
  feed.ask('b', true);
  equal(feed.state.value.isOld, true);
  pass();
  asked[1]?.settle.resolve('answer b');
  await turn();
  deepEqual(feed.state.value, { answer: 'answer b', failure: '', isOld: false });
});

test('a preview that fails has words and no figures, and a draft without an order has neither', async () => {
  const { feed, asked, pass } = feedOf();
  feed.ask('a');
  pass();
  asked[0]?.settle.reject('not reached');
  await turn();
  deepEqual(feed.state.value, { answer: undefined, failure: 'not reached', isOld: false });
  feed.ask('b');
  feed.clear();
  pass();
  await turn();
  equal(asked.length, 1);
  deepEqual(feed.state.value, { answer: undefined, failure: '', isOld: false });
});
