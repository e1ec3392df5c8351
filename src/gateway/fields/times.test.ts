import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayOfCivil, type EpochMs, type IstDay, parseIsoDay } from '../../base/time.ts';
import { formatExpiry, formatT1, formatT2, formatT3, formatT4, parseExpiry, parseMoment } from './times.ts';

/** 10 February 2025, 09:15:00 IST. Source: contract 3.11. */
const SAMPLE = 1_739_159_100_000 as EpochMs;

test('an instant is written in IST in each of the four shapes', () => {
  assert.equal(formatT1(SAMPLE), '09:15:00 10-02-2025');
  assert.equal(formatT2(SAMPLE), '10-02-2025 09:15:00');
  assert.equal(formatT3(SAMPLE), '10-Feb-2025 09:15:00');
  assert.equal(formatT4(SAMPLE), '2025-02-10T09:15:00');
});

test('the placeholder of an order without an exchange time is epoch 0 in IST', () => {
  assert.equal(formatT3(0 as EpochMs), '01-Jan-1970 05:30:00');
});

test('a written time is read again, whole seconds and both orders of date and time', () => {
  const lastSecond = Date.UTC(2099, 11, 31) / 1000;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: lastSecond }), (seconds) => {
      const at = (seconds * 1000) as EpochMs;
      assert.equal(parseMoment(formatT1(at)), at);
      assert.equal(parseMoment(formatT2(at)), at);
      const [date, time] = new Date(at + 19_800_000).toISOString().split(/[T.]/);
      assert.equal(formatT4(at), `${date}T${time}`);
    }),
  );
});

test('impossible dates and times are none', () => {
  for (const text of [
    '09:15:00 30-02-2026',
    '09:15:00 00-01-2026',
    '09:15:00 01-13-2026',
    '24:00:00 01-01-2026',
    '09:60:00 01-01-2026',
    '09:15:60 01-01-2026',
    '9:15:00 01-01-2026',
    '09:15 01-01-2026',
    '09:15:00  01-01-2026',
    '2026-01-01T09:15:00',
  ]) {
    assert.equal(parseMoment(text), undefined, text);
  }
});

test('expiries are read in the short and the long shape', () => {
  const day = dayOfCivil(2026, 12, 29) as IstDay;
  assert.equal(parseExpiry('29DEC26'), day);
  assert.equal(parseExpiry('29dec2026'), day);
  assert.equal(formatExpiry(day), '29DEC2026');
  for (const year of ['0100', '0099', '1899']) {
    assert.equal(parseExpiry(`01JAN${year}`), parseIsoDay(`${year}-01-01`), 'four digits are the year itself');
  }
  for (const text of ['31NOV26', '29DEZ26', '29DEC026', '9DEC26', '29-DEC-26']) {
    assert.equal(parseExpiry(text), undefined, text);
  }
});
