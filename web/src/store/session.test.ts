/** Tests of sessions that follow each other in one page, on sockets that never open. */
import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { OrderRow } from '../../../client/src/wire.ts';
import { Book } from './book.ts';
import { begin, desk, logOut } from './session.ts';

let draw: () => void = () => undefined;
Object.assign(globalThis, {
  location: { origin: 'http://127.0.0.1:9' },
  fetch: () => Promise.reject(new TypeError('not reached')),
  WebSocket: class {
    send(): void {}
    close(): void {}
  },
  requestAnimationFrame: (work: () => void) => {
    draw = work;
    return 1;
  },
  cancelAnimationFrame: () => undefined,
});

afterEach(() => logOut());

test('a session that begins ends the one before it with its stream', () => {
  begin({ userId: 'SD1001', token: 'first' });
  const first = desk.peek();
  let ended = 0;
  first?.stream.on('ended', () => void ended++);
  begin({ userId: 'SD1002', token: 'second' });
  deepEqual([ended, desk.peek()?.userId], [1, 'SD1002']);
  deepEqual(JSON.parse(sessionStorage.getItem('sauda.session') ?? ''), { userId: 'SD1002', token: 'second' });
});

test('a book takes the events of its last stream alone, and none once it is cleared', () => {
  const book = new Book<OrderRow>(({ orderNumber }) => orderNumber);
  const event = (number: string) =>
    ({ type: 'resync', seq: '1', data: [{ orderNumber: number }] as unknown as OrderRow[] }) as const;
  const [before, now] = [book.listener(), book.listener()];
  now(event('new'));
  before(event('old'));
  draw();
  deepEqual(
    book.list.value.map(({ orderNumber }) => orderNumber),
    ['new'],
  );
  book.clear();
  now(event('late'));
  draw();
  deepEqual([book.list.value.length, book.isKnown.value], [0, false]);
});

test('a book that is cleared before its picture stays unknown', () => {
  const book = new Book<OrderRow>(({ orderNumber }) => orderNumber);
  book.listener()({ type: 'resync', seq: '1', data: [] });
  book.clear();
  book.listener();
  draw();
  equal(book.isKnown.value, false);
});
