import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import type { RecordedDay, RecordedName } from '../../market/recorded/recorded-days.ts';
import type { StoredDay } from './day-bytes.ts';
import { TapeDraft, TapeFile, type TapeSource, TapeStoreError } from './tape-file.ts';
import { TapeStore, tapePath } from './tape-store.ts';

const ITC: RecordedName = { exchange: 'NSE', symbol: 'ITC-EQ' };
const FUTURE: RecordedName = { exchange: 'NFO', symbol: 'NIFTY29DEC26F' };
const DAY = 20_454 as IstDay;

function inFolder(body: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-tapes-'));
  try {
    body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sourceOf(mark: string): TapeSource {
  return { name: `${mark}.csv`, bytes: 7, digest: mark.repeat(64), form: 'candles under names' };
}

function write(folder: string, mark: string, days: readonly (readonly [RecordedName, StoredDay])[]): string {
  const path = tapePath(folder, mark.repeat(64));
  const draft = new TapeDraft(path);
  for (const [name, day] of days) draft.add(name, day);
  draft.seal(sourceOf(mark), () => 1);
  draft.place();
  return path;
}

function candles(day: number, volume: readonly number[], openInterest?: readonly number[]): StoredDay {
  const prices = Int32Array.from(volume, (_, row) => 10_000 + row * 70_000);
  return {
    kind: 'candles',
    day: day as IstDay,
    lot: 75,
    official: { close: 2 ** 31 - 1, previousClose: 1, settlement: 0 },
    candles: {
      minute: Int32Array.from(volume, (_, row) => 555 + row),
      open: prices,
      high: prices,
      low: prices,
      close: prices,
      volume: Float64Array.from(volume),
      openInterest: openInterest && Float64Array.from(openInterest),
    },
  };
}

function randomTicks(random: Random, rows: number): StoredDay {
  const ints = (most: number) => Int32Array.from({ length: rows }, () => random.below(most));
  const units = () => Float64Array.from({ length: rows }, () => random.below(2 ** 30) * random.below(2 ** 18));
  const second = ints(86_400).sort();
  const quotes = { bid: ints(2 ** 31 - 1), bidQuantity: units(), ask: ints(300), askQuantity: units() };
  const ticks = { second, price: ints(70_000), quantity: units(), quotes, openInterest: units(), bought: undefined };
  return { kind: 'ticks', day: DAY, lot: undefined, official: undefined, ticks, model: undefined };
}

test('days come out of a tape as they went in, whatever the widths of their columns', () => {
  inFolder((folder) => {
    const random = new Random(7);
    const days = [
      candles(DAY, [0, 2 ** 48 - 1, 5]),
      candles(DAY + 1, [7], [7]),
      candles(DAY + 2, [1, 300], [9, 70_000]),
    ];
    const ticks = randomTicks(random, 500);
    write(folder, 'a', [...days.map((day) => [ITC, day] as const), [FUTURE, ticks]]);
    const store = new TapeStore(folder);
    assert.deepEqual(store.days(ITC), [DAY, DAY + 1, DAY + 2]);
    for (const day of days) assert.deepEqual(store.day(ITC, day.day), { ...day, span: 1 } as RecordedDay);
    assert.deepEqual(store.day(FUTURE, DAY), ticks);
    assert.equal(store.day(ITC, (DAY + 3) as IstDay), undefined);
    assert.equal(store.day({ exchange: 'BSE', symbol: 'ITC-EQ' }, DAY), undefined);
  });
});

test('a column that six bytes do not hold is never written', () => {
  inFolder((folder) => assert.throws(() => write(folder, 'a', [[ITC, candles(DAY, [5, 2 ** 48 + 7])]])));
});

test('the instruments of several tapes stand in the order of names and first days', () => {
  inFolder((folder) => {
    write(folder, 'b', [[ITC, candles(DAY + 5, [1])]]);
    write(folder, 'a', [
      [ITC, candles(DAY + 1, [1])],
      [ITC, candles(DAY, [1])],
      [FUTURE, candles(DAY, [1])],
    ]);
    const store = new TapeStore(folder);
    const rows = store.instruments().map(({ symbol, from, to, digest }) => [symbol, from, to, digest[0]]);
    assert.deepEqual(rows, [
      ['NIFTY29DEC26F', DAY, DAY, 'a'],
      ['ITC-EQ', DAY, DAY + 1, 'a'],
      ['ITC-EQ', DAY + 5, DAY + 5, 'b'],
    ]);
    assert.deepEqual(store.days(ITC), [DAY, DAY + 1, DAY + 5]);
  });
});

test('a tape is in its place when it is placed, and a draft that is given up leaves nothing', () => {
  inFolder((folder) => {
    const draft = new TapeDraft(tapePath(folder, 'a'.repeat(64)));
    draft.add(ITC, candles(DAY, [1]));
    draft.seal(sourceOf('a'), () => 1);
    assert.deepEqual(new TapeStore(folder).tapes, []);
    draft.discard();
    assert.deepEqual(readdirSync(folder), []);
  });
});

test('a changed bit anywhere in a tape, and a tape that is cut, are found', () => {
  inFolder((folder) => {
    const path = write(folder, 'a', [[ITC, candles(DAY, [1, 300])]]);
    const whole = readFileSync(path);
    const damaged = (bytes: Uint8Array, what: string): void => {
      writeFileSync(path, bytes);
      assert.throws(() => new TapeFile(path).check(), TapeStoreError, what);
    };
    for (let length = 0; length < whole.length; length += 29) damaged(whole.subarray(0, length), `${length} bytes`);
    for (let at = 8; at < whole.length; at += 3) {
      const changed = Uint8Array.from(whole);
      changed[at] = (changed[at] as number) ^ 4;
      damaged(changed, `byte ${at}`);
    }
    writeFileSync(path, whole);
    new TapeFile(path).check();
  });
});
