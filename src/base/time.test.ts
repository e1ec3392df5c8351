import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  civilDate,
  dayOfCivil,
  type EpochMs,
  formatIsoDay,
  formatIstMoment,
  formatIstTime,
  type IstDay,
  istDay,
  istInstant,
  istTimeOfDay,
  parseIsoDay,
  parseIstMoment,
  type WallMs,
  wallInstant,
  wallOf,
  weekday,
} from './time.ts';

test('23 April 2025 begins in IST at epoch second 1745346600', () => {
  const day = parseIsoDay('2025-04-23') as IstDay;
  assert.equal(istInstant(day) / 1000, 1_745_346_600);
  assert.equal(istDay(1_745_346_600_000 as EpochMs), day);
  assert.equal(istDay(1_745_346_599_999 as EpochMs), day - 1);
});

test('civil dates agree with the calendar of the language from 1900 to 2100', () => {
  fc.assert(
    fc.property(fc.integer({ min: -25_567, max: 47_482 }), (day) => {
      const { year, month, day: dayOfMonth } = civilDate(day as IstDay);
      const date = new Date(day * 86_400_000);
      assert.deepEqual([year, month, dayOfMonth], [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
      assert.equal(weekday(day as IstDay), date.getUTCDay());
      assert.equal(parseIsoDay(formatIsoDay(day as IstDay)), day);
    }),
  );
});

test('dates that do not exist are not dates', () => {
  assert.equal(dayOfCivil(2026, 2, 29), undefined);
  assert.equal(dayOfCivil(2026, 13, 1), undefined);
  assert.equal(dayOfCivil(2024, 2, 29) !== undefined, true);
  assert.equal(parseIsoDay('2026-11-31'), undefined);
});

test('the time of day runs from IST midnight', () => {
  assert.equal(istTimeOfDay(istInstant(20_000 as IstDay, 33_300_000)), 33_300_000);
});

test('times and moments are written in IST, to the second that they lie in', () => {
  const at = istInstant(parseIsoDay('2026-11-23') as IstDay, 33_309_999);
  assert.equal(formatIstTime(at), '09:15:09');
  assert.equal(formatIstMoment(at), '2026-11-23 09:15:09');
  assert.equal(formatIstMoment(istInstant(parseIsoDay('2026-11-23') as IstDay)), '2026-11-23 00:00:00');
});

test('an instant of the market and one of the wall cannot be given for one another', () => {
  const market = 1_795_150_800_000 as EpochMs;
  const wall = 1_795_150_900_000 as WallMs;
  // @ts-expect-error an instant of the market is none of the wall
  const first: WallMs = market;
  // @ts-expect-error nor the other way round
  const second: EpochMs = wall;
  // @ts-expect-error a number of milliseconds is neither
  const third: EpochMs | WallMs = 1_795_150_800_000;
  // @ts-expect-error a clock of the market is none of the wall
  const clock: () => WallMs = () => market;
  assert.deepEqual([first, second, third, clock()], [market, wall, market, market]);
});

test('a stamp is of both clocks unless the wall stood apart', () => {
  const market = 1_795_150_800_000 as EpochMs;
  assert.equal(wallOf(market), 1_795_150_800_000);
  assert.equal(wallOf(market, 1_795_150_900_000 as WallMs), 1_795_150_900_000);
  const day = parseIsoDay('2025-04-23') as IstDay;
  assert.equal(wallInstant(day, 1_500), istInstant(day, 1_500));
});

test('a moment in IST is read as it is written, and none that does not exist', () => {
  const open = istInstant(parseIsoDay('2026-11-20') as IstDay, 9 * 3_600_000);
  for (const text of ['2026-11-20T09:00:00', '2026-11-20 09:00:00', '2026-11-20T09:00']) {
    assert.equal(parseIstMoment(text), open, text);
  }
  assert.equal(parseIstMoment(formatIstMoment(open)), open);
  const wrong = ['', '2026-11-20', '2026-02-30T09:00', '2026-11-20T24:00:00', '2026-11-20T09:60', '2026-11-20T9:00'];
  for (const text of [...wrong, '2026-11-20T09:00:60', '2026-11-20T09:00:00Z', ' 2026-11-20T09:00:00']) {
    assert.equal(parseIstMoment(text), undefined, text);
  }
});
