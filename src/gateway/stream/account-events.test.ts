import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../base/ids.ts';
import type { Subscriber } from '../../engine/feed/durable-feed.ts';
import type { DurableRecord } from '../../engine/feed/durable-record.ts';
import { AccountEvents, type EventFeed } from './account-events.ts';

const ACCOUNT = 0 as AccountId;

/** Account events, and the way to hand them the record of a day that begins for everybody. */
function opened(): { events: AccountEvents; beginDay: (seq: number) => void } {
  let subscriber: Subscriber | undefined;
  const feed: EventFeed = {
    last: 0,
    subscribe: (seq, given) => {
      subscriber = given;
      return { ok: true, subscription: { seq, close: () => undefined } };
    },
  };
  const events = new AccountEvents(feed, { glance: () => undefined as never });
  const beginDay = (seq: number): void => {
    const record = { seq, at: 0, events: [{ type: 'DayRolled' }] } as unknown as DurableRecord;
    void subscriber?.take([record]);
  };
  return { events, beginDay };
}

test('a record is handed once to a listener that leaves and watches again meanwhile, and to the others', () => {
  const { events, beginDay } = opened();
  const heard: string[] = [];
  const watchAgain = (name: string): void => {
    const leave = events.watch(ACCOUNT, ({ seq }) => {
      heard.push(`${name} ${seq}`);
      assert.ok(heard.length < 10);
      leave();
      watchAgain(name);
    });
  };
  watchAgain('one');
  watchAgain('two');
  beginDay(1);
  assert.deepEqual(heard, ['one 1', 'two 1']);
  beginDay(2);
  assert.deepEqual(heard.slice(2), ['one 2', 'two 2']);
});

test('a listener that another one ends is handed nothing more of the record', () => {
  const { events, beginDay } = opened();
  const heard: string[] = [];
  events.watch(ACCOUNT, () => {
    heard.push('first');
    leaveSecond();
  });
  const leaveSecond = events.watch(ACCOUNT, () => heard.push('second'));
  beginDay(1);
  assert.deepEqual(heard, ['first']);
});
