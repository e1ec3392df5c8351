import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, GttNumber, InstrumentId } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Gtt } from './gtt.ts';
import { GttBook } from './gtt-book.ts';

const ACCOUNT = 0 as AccountId;

test('the book drops those that ended first, whenever they were placed', () => {
  const book = new GttBook();
  const gtts = Array.from({ length: 103 }, (_, index) => placed(book, index + 1));
  for (const gtt of gtts.slice(3)) end(book, gtt, 1_000 - gtt.number);
  for (const gtt of gtts.slice(0, 3)) end(book, gtt, 2_000);
  assert.deepEqual(
    book.of(ACCOUNT).map(({ number }) => number),
    gtts.slice(0, 100).map(({ number }) => number),
  );
});

test('of those that ended together the lowest number goes, but never the one that ends now', () => {
  const book = new GttBook();
  const gtts = Array.from({ length: 102 }, (_, index) => placed(book, index + 1));
  for (const gtt of gtts.slice(1)) end(book, gtt, 1_000);
  for (const gtt of gtts.slice(0, 1)) end(book, gtt, 1_000);
  assert.deepEqual(
    book.of(ACCOUNT).map(({ number }) => number),
    [1, ...gtts.slice(3).map(({ number }) => number)],
  );
});

function placed(book: GttBook, number: number): Gtt {
  const gtt: Gtt = {
    number: number as GttNumber,
    account: ACCOUNT,
    instrument: 1 as InstrumentId,
    placedAt: number as EpochMs,
    remarks: '',
    legs: [] as unknown as Gtt['legs'],
    status: 'Active',
    end: undefined,
    firing: undefined,
    updatedAt: number as EpochMs,
  };
  book.add(gtt);
  return gtt;
}

function end(book: GttBook, gtt: Gtt, at: number): void {
  gtt.status = 'Cancelled';
  gtt.updatedAt = at as EpochMs;
  book.noteEnded(gtt);
}
