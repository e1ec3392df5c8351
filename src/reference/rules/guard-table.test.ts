import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import type { Tick } from '../../base/ids.ts';
import { DAY_MS, istInstant, parseIsoDay, SECOND_MS } from '../../base/time.ts';
import { readTable } from './data-table.ts';
import { GuardWidthTable } from './guard-table.ts';

const RULES = join(import.meta.dirname, '../../../data/rules');
const WIDTHS = readFileSync(join(RULES, 'guard-widths.csv'), 'utf8');
const SLABS = readFileSync(join(RULES, 'market-protection.csv'), 'utf8');

function tableOf(widths = WIDTHS, slabs = SLABS): GuardWidthTable {
  return new GuardWidthTable(readTable('widths', widths), readTable('slabs', slabs));
}

/** The first second of a day of IST. */
function firstTick(text: string): Tick {
  return (istInstant(must(parseIsoDay(text), text)) / SECOND_MS) as Tick;
}

test('the widths of 2026 are those of the rules', () => {
  const { protection, execution, gap, slabs } = tableOf().at(firstTick('2026-11-20'));
  assert.deepEqual(protection.option, { upTo: 50_00, paise: 20_00, percent: 40 });
  assert.deepEqual(protection.future, { upTo: 50_00, paise: 1_50, percent: 3 });
  assert.deepEqual(execution.option, { upTo: 50_00, paise: 20_00, percent: 40 });
  assert.deepEqual(execution.future, { upTo: 0, paise: 0, percent: 5 });
  assert.deepEqual(gap.option, { upTo: 50_00, paise: 10_00, percent: 20 });
  assert.deepEqual(gap.other, { upTo: 50_00, paise: 1_50, percent: 3 });
  const pairs = (of: 'option' | 'other') => slabs[of].map(({ below, protection: share }) => [below, share]);
  assert.deepEqual(pairs('option'), [
    [10_00, 50_000],
    [100_00, 30_000],
    [500_00, 20_000],
    [Number.POSITIVE_INFINITY, 10_000],
  ]);
  assert.deepEqual(pairs('other'), [
    [100_00, 20_000],
    [500_00, 10_000],
    [Number.POSITIVE_INFINITY, 5_000],
  ]);
});

test('a later row holds from the first second of its day, whatever was asked before', () => {
  const table = tableOf(
    `${WIDTHS}protection,future,2027-01-04,50,2,4\n`,
    `${SLABS}other,2027-01-04,300,3\nother,2027-01-04,,1\n`,
  );
  const day = firstTick('2027-01-04');
  const last = day + DAY_MS / SECOND_MS - 1;
  for (const [tick, percent, slabs] of [
    [day - 1, 3, 3],
    [day, 4, 2],
    [last, 4, 2],
    [day - 1, 3, 3],
    [last + 1, 4, 2],
    [0, 3, 3],
  ] as const) {
    const widths = table.at(tick as Tick);
    assert.equal(widths.protection.future.percent, percent, `tick ${tick}`);
    assert.equal(widths.protection.option.percent, 40);
    assert.equal(widths.slabs.other.length, slabs, `tick ${tick}`);
    assert.equal(widths.slabs.option.length, 4);
  }
  assert.equal(table.at(day), table.at(last as Tick), 'what is asked again on a day is not made again');
});

test('a table that lacks a width, or whose slabs leave a price out, is refused when it is read', () => {
  const rows = WIDTHS.trimEnd().split('\n');
  for (const row of rows.slice(1)) {
    assert.throws(() => tableOf(rows.filter((other) => other !== row).join('\n')), /InvariantError|no /, row);
  }
  assert.throws(() => tableOf(WIDTHS, SLABS.replace('option,2019-01-01,,1\n', '')), /has no end/);
  assert.throws(() => tableOf(WIDTHS, SLABS.replace('option,2019-01-01,100,3', 'option,2019-01-01,5,3')), /ascend/);
  assert.throws(() => tableOf(WIDTHS, SLABS.replace('other,2019-01-01,,0.5', 'other,2019-01-01,,0.00001')), /decimals/);
});
