/** Our own recordings as files: read back to the same columns, and refused with their place where a line is wrong. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { dayBytes, dayOfBytes } from '../../../src/folder/tapes/day-bytes.ts';
import { TapeFault } from '../../../src/tapes/tape-fault.ts';
import { readAs } from '../../kit/tapes/reading.ts';

const HEAD = {
  sauda: 'recording',
  version: 1,
  exchange: 'NSE',
  symbol: 'ITC-EQ',
  day: '2026-11-20',
  until: 86_399,
  tick: 5,
  lot: 1,
  previousClose: 41_000,
  close: 41_200,
  seed: 2_091_522_502,
  volatility: 0.21125830516788707,
  lots: 30,
  depthLots: 56.4181333333333,
  orderLots: 37.83566801573783,
  gap: 2,
  openFrom: 0,
  openTo: 0,
  open: 33_300,
  closes: 54_900,
  phases: [
    ['PreOpen', 32_400, 33_300],
    ['Continuous', 33_300, 54_900],
  ],
};
const LINES = [
  ['m', 555, 41_012.25, 8_190.5, 8_210.25, 8_191, 8_209],
  ['q', 33_300, 41_010, 41_015],
  ['p', 33_300, 41_015, 20, 'B', 0],
  ['p', 33_300, 41_010, 4, 'S', 0],
  ['q', 33_302, 0, 41_000],
  ['m', 556, 41_001.125, 8_190, 8_211, 8_191, 8_209],
  ['p', 33_361, 41_000, 6, 'S', 0],
];

function text(head: object, lines: readonly unknown[]): string {
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

test('a recording comes back with its prints, quotes and figures, packed or not, and from its bytes', async () => {
  const plain = await readAs('any.jsonl', text(HEAD, LINES));
  const packed = await readAs('any.jsonl.zst', zstdCompressSync(text(HEAD, LINES)));
  assert.deepEqual([...packed.days], [...plain.days]);
  assert.deepEqual([plain.rows, plain.titles], [3, ['our own recording']]);
  const [day] = plain.days.get('NSE:ITC-EQ')?.days ?? [];
  if (day?.kind !== 'ticks') assert.fail('it has ticks');
  const { ticks, model, official } = day;
  assert.deepEqual(Array.from(ticks.bought ?? []), [2, 1, 0, 2, 0]);
  assert.deepEqual(Array.from(ticks.price), [41_015, 41_015, 41_010, 41_010, 41_000]);
  assert.deepEqual(Array.from(ticks.quotes?.bid ?? []), [41_010, 41_010, 41_010, 0, 0]);
  assert.deepEqual(official, { close: 41_200, previousClose: 41_000, settlement: 0 });
  assert.deepEqual(Array.from(model?.minutes.fair ?? []), [41_012.25, 41_001.125]);
  assert.deepEqual(
    [model?.depthLots, model?.volatility, model?.close],
    [56.4181333333333, 0.21125830516788707, 54_900],
  );
  assert.deepEqual(dayOfBytes(dayBytes(day), day.day, 1), day);
});

test('two days of one file are two days, and the same day twice is refused', async () => {
  const next = { ...HEAD, day: '2026-11-23' };
  const both = await readAs('any.jsonl', text(HEAD, [...LINES, next, ...LINES]));
  assert.equal(both.days.get('NSE:ITC-EQ')?.days.length, 2);
  const twice = readAs('any.jsonl', text(HEAD, [...LINES, HEAD, ...LINES]));
  await assert.rejects(twice, /any.jsonl: 2026-11-20 of NSE:ITC-EQ came before/);
});

test('a wrong line or head is refused with its place', async () => {
  const heads: readonly (readonly [object, RegExp])[] = [
    [{ ...HEAD, version: 2 }, /any.jsonl, line 1, version: 2 cannot be read/],
    [{ ...HEAD, symbol: 'NOSUCHSHARE-EQ' }, /line 1: NSE has no instrument "NOSUCHSHARE-EQ"/],
    [{ ...HEAD, exchange: 'XYZ' }, /line 1, exchange/],
    [{ ...HEAD, day: '2026-02-30' }, /line 1, day/],
    [{ ...HEAD, closes: 33_300 }, /line 1, closes/],
    [{ ...HEAD, open: 33_301 }, /line 1, open/],
    [{ ...HEAD, depthLots: -1 }, /line 1, depthLots/],
    [{ ...HEAD, gap: 0 }, /line 1, gap/],
    [{ ...HEAD, seed: 0.5 }, /line 1, seed/],
    [{ ...HEAD, phases: [['Continuous', 5, 4]] }, /line 1, phases/],
    [{ ...HEAD, phases: [['Lunch', 4, 5]] }, /line 1, phases/],
  ];
  for (const [head, words] of heads) await refused(text(head, LINES), words);
  const lines: readonly (readonly unknown[])[] = [
    ['p', 33_299, 41_000, 6, 'S', 0],
    ['p', 86_400, 41_000, 6, 'S', 0],
    ['p', 33_400, 0, 6, 'S', 0],
    ['p', 33_400, 41_000, -6, 'S', 0],
    ['p', 33_400, 41_000, 6, 'X', 0],
    ['p', 33_400, 41_000.5, 6, 'S', 0],
    ['p', 33_400, 41_000, 2 ** 48, 'S', 0],
    ['p', 33_400, 41_000, 6, 'S', 2 ** 48],
    ['p', 33_400],
    ['q', 33_400, 41_000, 41_000],
    ['q', 33_400, 41_005, 41_000],
    ['m', 556, 1, 1, 1, 1, 1],
    ['m', 557, 1, 1, 1, 1],
    ['m', 557, null, 1, 1, 1, 1],
    ['x', 1],
    [],
  ];
  for (const line of lines) await refused(text(HEAD, [...LINES, line]), /any.jsonl, line 9: .* cannot be read/);
  await refused(`${text(HEAD, LINES)}{"not":"a line"}\n`, /line 9: it is not a line of a recording/);
  await refused(`${text(HEAD, LINES)}["p",33400,4100`, /line 9: it is not a line of a recording/);
  await refused(text(HEAD, []), /it has no row/);
});

test('a packed file that is damaged, or a bomb, is refused', async () => {
  const packed = zstdCompressSync(text(HEAD, LINES));
  await assert.rejects(readAs('any.zst', packed.subarray(0, packed.length - 9)), TapeFault);
  const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024, '\n'));
  await assert.rejects(readAs('any.zst', bomb), /any.zst: it grows to more than 200 times its size|line \d+/);
});

async function refused(content: string, words: RegExp): Promise<void> {
  await assert.rejects(readAs('any.jsonl', content), (error: unknown) => {
    assert.ok(error instanceof TapeFault);
    assert.match(error.message, words);
    return true;
  });
}
