import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { type EpochMs, formatIsoDay, type IstDay, parseIsoDay } from '../../base/time.ts';
import { loadReferenceData } from '../instruments/load.ts';

const { calendar, expiries } = loadReferenceData(join(import.meta.dirname, '../../../data'));

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

function ist(text: string): EpochMs {
  return Date.parse(`${text.replace(' ', 'T')}+05:30`) as EpochMs;
}

test('the holidays of 2026 are those of R2.20, on both exchanges', () => {
  const holidays = [
    '01-15',
    '01-26',
    '03-03',
    '03-26',
    '03-31',
    '04-03',
    '04-14',
    '05-01',
    '05-28',
    '06-26',
    '09-14',
    '10-02',
  ];
  const closed = new Set([...holidays, '10-20', '11-10', '11-24', '12-25'].map((date) => day(`2026-${date}`)));
  for (let date = day('2026-01-01'); date <= day('2026-12-31'); date = (date + 1) as IstDay) {
    const weekend = [0, 6].includes(new Date(date * 86_400_000).getUTCDay());
    for (const exchange of ['NSE', 'BSE', 'NFO', 'BFO'] as const) {
      assert.equal(calendar.isOrdinaryDay(exchange, date), !weekend && !closed.has(date), formatIsoDay(date));
    }
  }
});

test('special sessions trade in their own hours and are not ordinary days', () => {
  const muhurat = day('2026-11-08');
  assert.equal(calendar.isTradingDay('NSE', muhurat), true);
  assert.equal(calendar.isOrdinaryDay('NSE', muhurat), false);
  assert.equal(calendar.isOpen('NSE', ist('2026-11-08 18:00:00')), true);
  assert.equal(calendar.isOpen('NFO', ist('2026-11-08 19:15:00')), false);
  assert.equal(calendar.isTradingDay('BSE', day('2026-02-01')), true, 'the budget Sunday');
  assert.equal(calendar.sessions('NSE', day('2024-03-02')).length, 2);
  assert.equal(calendar.isOpen('NSE', ist('2024-03-02 10:30:00')), false);
});

test('derivatives close at 15:30 before 3 August 2026 and at 15:40 from then on, cash at 15:30', () => {
  assert.equal(calendar.isOpen('NFO', ist('2026-07-31 15:29:59')), true);
  assert.equal(calendar.isOpen('NFO', ist('2026-07-31 15:30:00')), false);
  assert.equal(calendar.isOpen('NFO', ist('2026-08-03 15:39:59')), true);
  assert.equal(calendar.isOpen('BFO', ist('2026-08-03 15:40:00')), false);
  assert.equal(calendar.isOpen('NSE', ist('2026-08-03 15:30:00')), false);
  assert.equal(calendar.isOpen('NSE', ist('2026-08-03 09:14:59')), false);
  assert.equal(calendar.isOpen('NSE', ist('2026-08-03 09:15:00')), true);
  assert.equal(calendar.closingInstant('NFO', day('2026-11-23')), ist('2026-11-23 15:40:00'));
});

test('the trading days around a weekend and holidays are found', () => {
  assert.equal(calendar.nextTradingDay('NSE', day('2026-11-21')), day('2026-11-23'));
  assert.equal(calendar.nextTradingDay('NFO', day('2026-11-23')), day('2026-11-25'));
  assert.equal(calendar.previousTradingDay('NSE', day('2026-11-25')), day('2026-11-23'));
  assert.equal(calendar.tradingDayOnOrBefore('NSE', day('2026-11-22')), day('2026-11-20'));
});

test('after the last holiday table every weekday trades', () => {
  assert.equal(calendar.isTradingDay('NSE', day('2029-12-25')), true);
  assert.equal(calendar.isTradingDay('NSE', day('2029-12-23')), false);
});

test('monthly expiries fall on the last Tuesday and Thursday, moved back over holidays', () => {
  const expected = [
    [2025, 9, '2025-09-30', '2025-09-25'],
    [2026, 3, '2026-03-30', '2026-03-25'],
    [2026, 10, '2026-10-27', '2026-10-29'],
    [2026, 11, '2026-11-23', '2026-11-26'],
    [2026, 12, '2026-12-29', '2026-12-31'],
    [2027, 1, '2027-01-25', '2027-01-28'],
  ] as const;
  for (const [year, month, nse, bse] of expected) {
    assert.equal(expiries.expiryOf('NFO', expiries.monthlyWeek('NFO', year, month)), day(nse));
    assert.equal(expiries.expiryOf('BFO', expiries.monthlyWeek('BFO', year, month)), day(bse));
  }
});

test('weekly expiries move back over holidays', () => {
  for (const [given, shifted] of [
    ['2026-11-10', '2026-11-09'],
    ['2026-10-20', '2026-10-19'],
    ['2025-10-21', '2025-10-20'],
  ] as const) {
    const week = must(expiries.weekOf('NFO', day(shifted)), shifted);
    assert.equal(expiries.expiryOf('NFO', week), day(shifted));
    assert.equal(expiries.weekOf('NFO', day(given)), undefined, `${given} is a holiday`);
  }
});

test('before September 2025 NSE expired on Thursdays and BSE on Tuesdays, before 2025 on Fridays', () => {
  for (const [exchange, date] of [
    ['NFO', '2025-03-06'],
    ['NFO', '2025-03-27'],
    ['NFO', '2025-08-28'],
    ['NFO', '2025-09-02'],
    ['BFO', '2025-08-26'],
    ['BFO', '2025-09-04'],
    ['BFO', '2025-01-03'],
    ['BFO', '2025-01-07'],
    ['BFO', '2025-10-23'],
  ] as const) {
    assert.notEqual(expiries.weekOf(exchange, day(date)), undefined, `${exchange} ${date}`);
  }
  assert.equal(expiries.weekOf('NFO', day('2025-09-04')), undefined);
});

test('every week has one expiry, on an ordinary day, in the order of the weeks', () => {
  for (const exchange of ['NFO', 'BFO'] as const) {
    let previous = 0;
    for (let week = 52; week < 2_047; week += 1) {
      const expiry = expiries.expiryOf(exchange, week);
      assert.ok(expiry > previous && calendar.isOrdinaryDay(exchange, expiry), `${exchange} week ${week}`);
      assert.equal(expiries.weekOf(exchange, expiry), week);
      previous = expiry;
    }
  }
});
