import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../base/random.ts';
import type { IstDay } from '../../../base/time.ts';
import { weekday } from '../../../base/time.ts';
import { MINUTES_IN_DAY } from '../../day-tape.ts';
import { Factors } from './factors.ts';
import { FIRST_DAY, LAST_DAY } from './span-of-days.ts';
import { Texture } from './texture.ts';

const FRIDAY = (FIRST_DAY + 2) as IstDay;

function wholeDay(factors: Factors, name: string, day: IstDay) {
  const found = factors.days.get(factors.named(name), day);
  for (let minute = 0; minute < MINUTES_IN_DAY; minute += 60) found.reach(minute);
  return { values: [...found.values], variances: [...found.variances] };
}

test('a day begins where the day before ended', () => {
  const path = new Factors(7, 'exchange').named('a');
  for (let day = FIRST_DAY as number; day < FIRST_DAY + 200; day += 1) {
    assert.equal(path.span((day + 1) as IstDay).start, path.span(day as IstDay).end);
  }
  assert.ok(Number.isFinite(path.span(LAST_DAY).end));
});

test('days that were forgotten come again as they were, also to who holds one as a hint', () => {
  const factors = new Factors(7, 'always');
  const path = factors.named('a');
  const before = wholeDay(factors, 'a', FRIDAY);
  const market = [...factors.marketAt(FRIDAY, 600).values.subarray(600, 602)];
  const held = factors.days.get(path, FRIDAY);
  factors.days.forget();
  assert.equal(held.values.length, 0, 'its memory is given back');
  const again = factors.days.get(path, FRIDAY, held);
  assert.notEqual(again, held);
  assert.deepEqual(wholeDay(factors, 'a', FRIDAY), before);
  assert.deepEqual([...factors.marketAt(FRIDAY, 600).values.subarray(600, 602)], market);
  // More days than the ring holds, so it is filled and gone around again.
  const many = (day: number) => wholeDay(factors, 'b', (FIRST_DAY + day) as IstDay).values[600];
  const first = Array.from({ length: 1_100 }, (_, day) => many(day));
  factors.days.forget();
  assert.deepEqual(
    Array.from({ length: 1_100 }, (_, day) => many(day)),
    first,
  );
});

test('the minutes of a day run from its start to its end, and its variance only grows', () => {
  const factors = new Factors(7, 'always');
  const { values, variances } = wholeDay(factors, 'a', FRIDAY);
  const span = factors.named('a').span(FRIDAY);
  assert.equal(values[0], span.start);
  assert.equal(values[MINUTES_IN_DAY], span.end);
  assert.equal(variances[MINUTES_IN_DAY], span.variance);
  for (let minute = 0; minute < MINUTES_IN_DAY; minute += 1) {
    assert.ok((variances[minute + 1] as number) > (variances[minute] as number), `minute ${minute}`);
  }
});

test('the variance of a day is nearly that of its minutes', () => {
  const factors = new Factors(11, 'always');
  let found = 0;
  let expected = 0;
  for (let day = FIRST_DAY as number; day < FIRST_DAY + 40; day += 1) {
    const { values, variances } = wholeDay(factors, 'a', day as IstDay);
    for (let minute = 0; minute < MINUTES_IN_DAY; minute += 1) {
      found += ((values[minute + 1] as number) - (values[minute] as number)) ** 2;
    }
    expected += variances[MINUTES_IN_DAY] as number;
  }
  assert.ok(Math.abs(found / expected - 1) < 0.05, `${found} for ${expected}`);
});

test('ordinary days hold a variance of 1 on average over eight years, weekend days a twentieth in exchange hours', () => {
  const { clock } = new Factors(3, 'exchange');
  let weekdays = 0;
  let weekends = 0;
  const days = 2_922;
  for (let i = 0; i < days; i += 1) {
    const variance = clock.between(i, i + 1);
    if (weekday((FIRST_DAY + i) as IstDay) % 6 === 0) weekends += variance;
    else weekdays += variance;
  }
  const weeks = days / 7;
  assert.ok(Math.abs(weekdays / (weeks * 5) - 1) < 0.01);
  assert.ok(Math.abs(weekends / (weeks * 2) - 0.05) < 0.005);
});

test('the session is busier than the night, its open the busiest, its close about as busy as noon', () => {
  const factors = new Factors(5, 'always');
  const spans = emptySpans();
  for (let day = FIRST_DAY as number; day < FIRST_DAY + 100; day += 1) {
    addSpans(spans, wholeDay(factors, 'a', day as IstDay).variances);
  }
  const { open, noon, close, night } = spans;
  assert.ok(open > 2 * noon && noon > 1.5 * night);
  assert.ok(close > 0.8 * noon && close < 1.3 * noon, `${close / noon}`);
});

function emptySpans() {
  return { open: 0, noon: 0, close: 0, night: 0 };
}

function addSpans(spans: ReturnType<typeof emptySpans>, cumulative: readonly number[]): void {
  const between = (from: number, to: number) => (cumulative[to] as number) - (cumulative[from] as number);
  spans.open += between(555, 585);
  spans.noon += between(735, 765);
  spans.close += between(900, 930);
  spans.night += between(120, 150);
}

test('a rough path moves more over minutes than over hours, as its texture says, and takes it back', () => {
  for (const [roughness, texture] of [2.4, -0.8].map((value) => [value, new Texture(value)] as const)) {
    const factors = new Factors(31, 'exchange');
    factors.named('rough', texture);
    let [minutes, hours, expected, pairs] = [0, 0, 0, 0];
    for (let day = FIRST_DAY as number; day < FIRST_DAY + 400; day += 1) {
      const { values, variances } = wholeDay(factors, 'rough', day as IstDay);
      const moved = (from: number, to: number) => (values[to] as number) - (values[from] as number);
      for (let minute = 600; minute < 840; minute += 1) {
        minutes += moved(minute, minute + 1) ** 2;
        pairs += moved(minute, minute + 1) * moved(minute + 1, minute + 2);
        if (minute % 60 === 0) hours += moved(minute, minute + 60) ** 2;
      }
      expected += (variances[840] as number) - (variances[600] as number);
    }
    assert.ok(Math.abs(minutes / expected / texture.minuteVariance - 1) < 0.05, `${minutes / expected}`);
    assert.ok(Math.sign(minutes / hours - 1) === Math.sign(roughness), `${minutes} and ${hours}`);
    assert.ok(Math.sign(pairs) === -Math.sign(roughness) && Math.abs(pairs / minutes) < 0.3, `${pairs / minutes}`);
  }
});

test('neither the order of questions nor an emptied memory changes a path', () => {
  const random = new Random(17);
  const asked = Array.from({ length: 1_500 }, () => ({
    name: `p${random.below(6)}`,
    day: (FIRST_DAY + random.below(1_200)) as IstDay,
    minute: random.below(MINUTES_IN_DAY),
  }));
  const ask = (factors: Factors, { name, day, minute }: (typeof asked)[number]) => {
    const found = factors.days.get(factors.named(name), day);
    found.reach(minute);
    return [found.values[minute], found.variances[minute + 1]];
  };
  const first = new Factors(23, 'exchange');
  const forwards = asked.map((question) => ask(first, question));
  const second = new Factors(23, 'exchange');
  const backwards = asked.toReversed().map((question) => ask(second, question));
  assert.deepEqual(backwards.toReversed(), forwards);
});

test('another seed and another name are another path', () => {
  const at = (seed: number, name: string) => new Factors(seed, 'exchange').named(name).span(FRIDAY).start;
  assert.notEqual(at(1, 'a'), at(2, 'a'));
  assert.notEqual(at(1, 'a'), at(1, 'b'));
});
