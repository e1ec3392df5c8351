import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Channels, StreamEvent } from '../../client/src/stream/events.ts';
import { Subscription } from '../../client/src/stream/subscription.ts';

type OrderEvent = Channels['orders'];

let read: PromiseWithResolvers<readonly unknown[]>;
let ends: number;
let orders: Subscription<OrderEvent>;

beforeEach(() => {
  read = Promise.withResolvers();
  ends = 0;
  orders = new Subscription('orders', {
    book: () => read.promise,
    ended: () => {
      ends++;
    },
  });
});

function eventOf(seq: string): StreamEvent {
  return { type: 'order', seq, at: 'now', data: {} } as unknown as StreamEvent;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('a subscription that is closed', () => {
  it('hands over no book that is read meanwhile, to a listener or an iterator', async () => {
    const heard: unknown[] = [];
    orders.on((event) => heard.push(event));
    orders.gap('5-0');
    await settled();
    orders.close();
    read.resolve(['a book']);
    await settled();
    assert.deepEqual(heard, []);
    assert.equal(orders.seq, undefined);
    assert.equal(ends, 1);
  });

  it('ends an iterator that waits for a book', async () => {
    orders.gap('5-0');
    const next = orders.next();
    orders.close();
    read.resolve(['a book']);
    assert.deepEqual(await next, { done: true, value: undefined });
    assert.equal(orders.seq, undefined);
  });

  it('has no failure when the book cannot be read any more', async () => {
    orders.gap('5-0');
    const next = orders.next();
    orders.close();
    read.reject(new Error('away'));
    assert.deepEqual(await next, { done: true, value: undefined });
  });

  it('hands over nothing to its listener when another one closes it in the same turn', async () => {
    const other = new Subscription<OrderEvent>('orders', { book: () => read.promise, ended: () => undefined });
    const heard: unknown[] = [];
    other.on(() => orders.close());
    orders.on((event) => heard.push(event));
    await settled();
    for (const one of [other, orders]) one.push(eventOf('1-0'), undefined);
    await settled();
    assert.deepEqual(heard, []);
    assert.equal(orders.seq, undefined);
  });

  it('hands over nothing of what waited when it failed before', async () => {
    const heard: unknown[] = [];
    orders.push(eventOf('1-0'), undefined);
    orders.push(eventOf('2-0'), undefined);
    orders.fail(new Error('over'));
    orders.on(
      (event) => {
        heard.push('seq' in event ? event.seq : undefined);
        orders.close();
      },
      (error) => heard.push((error as Error).message),
    );
    await settled();
    assert.deepEqual(heard, ['1-0', 'over']);
  });
});

describe('a subscription', () => {
  it('reads the book in the place of a gap, and goes on after it', async () => {
    orders.push(eventOf('1-0'), undefined);
    orders.gap('5-0');
    orders.push(eventOf('6-0'), undefined);
    const heard: string[] = [];
    orders.on((event) => heard.push(`${event.type} ${event.seq}`));
    await settled();
    assert.deepEqual([heard, orders.seq], [['order 1-0'], '1-0']);
    orders.push(eventOf('7-0'), undefined);
    read.resolve(['a book']);
    await settled();
    assert.deepEqual([heard, orders.seq], [['order 1-0', 'resync 6-0', 'order 7-0'], '7-0']);
  });

  it('hands over no event that is older than the book it has read, nor the book twice', async () => {
    orders.gap('5-0');
    for (const seq of ['6-0', '7-0']) orders.push(eventOf(seq), undefined);
    orders.gap('9');
    const heard: string[] = [];
    orders.on((event) => heard.push(`${event.type} ${event.seq}`));
    read.resolve(['a book']);
    await settled();
    assert.deepEqual(heard, ['resync 9']);
    orders.push(eventOf('10-0'), undefined);
    await settled();
    assert.deepEqual(heard, ['resync 9', 'order 10-0']);
  });

  it('gives an event once to two that wait for it', async () => {
    const both = [orders.next(), orders.next()];
    orders.push(eventOf('1-0'), undefined);
    await settled();
    orders.push(eventOf('2-0'), undefined);
    const seqs = (await Promise.all(both)).map(({ value }) => value?.seq);
    assert.deepEqual(seqs, ['1-0', '2-0']);
  });

  it('is closed when its listener throws', async () => {
    const failures: unknown[] = [];
    orders.on(
      () => {
        throw new Error('the listener');
      },
      (error) => failures.push((error as Error).message),
    );
    orders.push(eventOf('1-0'), undefined);
    await settled();
    assert.deepEqual([failures, ends], [['the listener'], 1]);
  });
});
