import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import { type InstrumentId, instrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { type IstDay, istInstant, MINUTE_MS, parseIsoDay, twoDigits } from '../../base/time.ts';
import type { Future, Instrument } from '../../core/instrument.ts';
import { calendarHours, type DayPhase, Sessions } from '../../market/session/sessions.ts';
import { KNOWN_DAYS } from '../../market/synthetic/paths/span-of-days.ts';
import { loadReferenceData } from '../instruments/load.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const master = data.master();
const noon = (on: string) => istInstant(day(on), 720 * MINUTE_MS);

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

function listed(exchange: 'NSE' | 'BSE' | 'NFO', symbol: string, on: string): Instrument {
  return must(master.find(exchange, symbol, noon(on)), `${symbol} is listed`);
}

const clock = (time: number): string => `${twoDigits(Math.floor(time / 60))}:${twoDigits(time % 60)}`;

/** The phases of a day as `Continuous 09:15-15:30`; a random close as `09:00-09:07/09:08`. */
function phases(instrument: Instrument, on: string): string[] {
  return data.timetable.phases(instrument, day(on)).map(({ phase, start, randomFrom, end }) => {
    const close = randomFrom === end ? '' : `${clock(randomFrom / MINUTE_MS)}/`;
    return `${phase} ${clock(start / MINUTE_MS)}-${close}${clock(end / MINUTE_MS)}`;
  });
}

const OLD_OPENING = ['PreOpen 09:00-09:07/09:08', 'PreOpenMatching 09:08-09:12', 'Buffer 09:12-09:15'];
const NEW_OPENING = [
  'PreOpen 09:00-09:05',
  'PreOpenLimitOnly 09:05-09:08/09:10',
  'PreOpenMatching 09:10-09:12',
  'Buffer 09:12-09:15',
];
const CLOSING_AUCTION = [
  'Continuous 09:15-15:15',
  'ClosingReference 15:15-15:20',
  'ClosingEntry 15:20-15:25',
  'ClosingLimitOnly 15:25-15:28/15:30',
  'ClosingMatching 15:30-15:35',
  'PostClose 15:50-16:00',
];

test('the phases of R2.1 and R2.2 change on their dates alone', () => {
  const reliance = listed('NSE', 'RELIANCE-EQ', '2026-07-31');
  assert.deepEqual(phases(reliance, '2026-07-31'), [...OLD_OPENING, 'Continuous 09:15-15:30', 'PostClose 15:40-16:00']);
  assert.deepEqual(phases(reliance, '2026-08-03'), [...OLD_OPENING, ...CLOSING_AUCTION]);
  assert.deepEqual(phases(reliance, '2026-09-04'), [...OLD_OPENING, ...CLOSING_AUCTION]);
  assert.deepEqual(phases(reliance, '2026-09-07'), [...NEW_OPENING, ...CLOSING_AUCTION]);
});

test('a share without contracts has no closing auction, on either exchange', () => {
  for (const exchange of ['NSE', 'BSE'] as const) {
    const share = [...master.list(exchange, noon('2026-11-20'))].find(
      (instrument) => instrument.kind === 'equity' && !instrument.hasDerivatives,
    );
    const found = phases(must(share, 'a share without contracts'), '2026-11-20');
    assert.deepEqual(found, [...NEW_OPENING, 'Continuous 09:15-15:30', 'PostClose 15:50-16:00']);
  }
});

test('of the contracts only near futures have an opening auction, from 8 December 2025 on', () => {
  const future = (expiry: string): Future => ({
    id: 1 as InstrumentId,
    exchange: 'NFO',
    kind: 'future',
    token: 1,
    tradingSymbol: 'F',
    symbol: 'F',
    companyName: '',
    lot: 1 as Future['lot'],
    tick: 5 as Price,
    freeze: 0 as Future['freeze'],
    underlying: 2 as InstrumentId,
    underlyingKind: 'index',
    expiryDay: day(expiry),
    expiresAt: istInstant(day(expiry), 940 * MINUTE_MS),
    listedOn: day('2025-01-01'),
    cycle: 'monthly',
  });
  const current = future('2026-12-29');
  const next = future('2027-01-25');
  assert.deepEqual(phases(current, '2026-12-01'), [...OLD_OPENING, 'Continuous 09:15-15:40']);
  assert.deepEqual(phases(next, '2026-12-01'), ['Continuous 09:15-15:40']);
  assert.deepEqual(phases(next, '2026-12-21'), ['Continuous 09:15-15:40'], 'six trading days before the expiry');
  assert.deepEqual(phases(next, '2026-12-22'), [...OLD_OPENING, 'Continuous 09:15-15:40'], 'the last five days');
  assert.deepEqual(phases(future('2025-12-30'), '2025-12-05'), ['Continuous 09:15-15:30']);
  assert.deepEqual(phases(future('2025-12-30'), '2025-12-08'), [...OLD_OPENING, 'Continuous 09:15-15:30']);
});

test('a Muhurat evening opens by an auction and has none at its close; a budget Sunday is a day like any other', () => {
  const reliance = listed('NSE', 'RELIANCE-EQ', '2026-11-06');
  assert.deepEqual(phases(reliance, '2026-11-08'), [
    'PreOpen 17:45-17:50',
    'PreOpenLimitOnly 17:50-17:53/17:55',
    'PreOpenMatching 17:55-17:57',
    'Buffer 17:57-18:00',
    'Continuous 18:00-19:15',
  ]);
  assert.deepEqual(phases(reliance, '2026-02-01'), phases(reliance, '2026-02-02'));
  assert.deepEqual(phases(reliance, '2026-11-07'), [], 'a Saturday');
  assert.deepEqual(phases(reliance, '2026-11-10'), [], 'a holiday');
});

test('random closes are drawn from the seed and the day, the same for all shares, and what follows begins there', () => {
  const [reliance, infosys] = ['RELIANCE-EQ', 'INFY-EQ'].map((symbol) => listed('NSE', symbol, '2026-11-20'));
  const drawn = (seed: number, instrument: Instrument | undefined, on: IstDay): readonly DayPhase[] =>
    new Sessions('exchange', calendarHours(data), seed, KNOWN_DAYS).phases(must(instrument, 'listed'), on);
  const ends = new Set<number>();
  for (let on = day('2026-09-07'); on < day('2026-11-06'); on = (on + 1) as IstDay) {
    const found = drawn(7, reliance, on);
    assert.deepEqual(drawn(7, infosys, on), found, `seed 7 day ${on}`);
    if (found.length === 0) continue;
    const [, entry, matching] = found;
    const end = must(entry, 'the entry of limit orders').end;
    assert.equal(must(matching, 'matching').start, end);
    assert.ok(end >= 9 * 3600 + 8 * 60 && end < 9 * 3600 + 10 * 60, `seed 7 day ${on}`);
    assert.equal(must(matching, 'matching').end, 9 * 3600 + 12 * 60);
    ends.add(end);
  }
  assert.ok(ends.size > 20, 'the second is another on most days');
  assert.notDeepEqual(drawn(8, reliance, day('2026-11-20')), drawn(7, reliance, day('2026-11-20')));
  assert.deepEqual(
    drawn(7, master.get(instrumentId('NSE', 2885)), day('2026-11-20')),
    drawn(7, reliance, day('2026-11-20')),
  );
});

test('in the hours that always trade every second is continuous', () => {
  const sessions = new Sessions('always', calendarHours(data), 7, KNOWN_DAYS);
  const reliance = listed('NSE', 'RELIANCE-EQ', '2026-11-20');
  assert.deepEqual(sessions.phases(reliance, day('2026-11-08')), [{ phase: 'Continuous', start: 0, end: 86_400 }]);
});
