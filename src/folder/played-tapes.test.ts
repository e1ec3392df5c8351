import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IstDay } from '../base/time.ts';
import { changeOfPast, type PlayedTapes, readPlayedTapes, writePlayedTapes } from './played-tapes.ts';

const PRESENT = 20_600 as IstDay;
const JANUARY = tape('RELIANCE-EQ', 20_580, 20_599, 'a1');
const FEBRUARY = tape('RELIANCE-EQ', 20_610, 20_630, 'b2');
const NIFTY = tape('NIFTY', 20_620, 20_640, 'c3');

function tape(symbol: string, from: number, to: number, digest: string): PlayedTapes['tapes'][number] {
  return { exchange: 'NSE', symbol, from: from as IstDay, to: to as IstDay, digest };
}

function mixed(...tapes: PlayedTapes['tapes'][number][]): PlayedTapes {
  return { market: 'mixed', tapes };
}

test('tapes of days that the market has not come to may come and go', () => {
  assert.equal(changeOfPast(mixed(JANUARY), mixed(JANUARY, FEBRUARY), PRESENT), undefined);
  assert.equal(changeOfPast(mixed(JANUARY, FEBRUARY), mixed(JANUARY), PRESENT), undefined);
  assert.equal(changeOfPast({ market: 'synthetic', tapes: [] }, mixed(), PRESENT), undefined);
});

test('the past of a folder that has traded stays: other tapes are refused with words', () => {
  const refused = [
    changeOfPast(mixed(), mixed(JANUARY), PRESENT),
    changeOfPast(mixed(JANUARY), mixed(JANUARY, NIFTY), PRESENT),
    changeOfPast(mixed(JANUARY), mixed(), PRESENT),
    changeOfPast(mixed(JANUARY), mixed({ ...JANUARY, digest: 'ff' }), PRESENT),
    changeOfPast(mixed(JANUARY, FEBRUARY), mixed(FEBRUARY), PRESENT),
    changeOfPast(mixed(JANUARY), { market: 'tape', tapes: [JANUARY] }, PRESENT),
  ];
  const expected = [
    /NSE RELIANCE-EQ has traded here without a tape, and has one now \(2026-05-\d\d to 2026-05-\d\d\)/,
    /NSE NIFTY has traded here without a tape/,
    /the tapes of NSE RELIANCE-EQ .* are not there any more/,
    /are not those that the market has followed up to 2026-05-27/,
    /are not those that the market has followed up to 2026-05-27/,
    /its market was mixed and is tape now/,
  ];
  for (const [place, words] of expected.entries()) assert.match(refused[place] ?? '', words);
});

test('the file comes back as it was written, and a damaged one is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-played-'));
  try {
    const path = join(folder, 'played-tapes.json');
    assert.deepEqual(readPlayedTapes(path), { ok: true, value: undefined });
    writePlayedTapes(path, mixed(JANUARY, NIFTY));
    assert.deepEqual(readPlayedTapes(path), { ok: true, value: mixed(JANUARY, NIFTY) });
    for (const text of [
      '',
      '{}',
      '{"version":1,"market":"none","tapes":[]}',
      '{"version":1,"market":"tape","tapes":[1]}',
    ]) {
      writeFileSync(path, text);
      assert.equal(readPlayedTapes(path).ok, false, text);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
