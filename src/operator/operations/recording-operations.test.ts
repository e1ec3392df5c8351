import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { type IstDay, istInstant, SECOND_MS } from '../../base/time.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import { RecordingOperations } from './recording-operations.ts';

const TODAY = 20_780 as IstDay;
const NOW = istInstant(TODAY, 40_000 * SECOND_MS);
const SHARE = { id: 7, tradingSymbol: 'ITC-EQ' };

function open(linesOf: (day: IstDay, until: number) => Iterable<unknown>): RecordingOperations {
  const instruments = { find: (_exchange: string, symbol: string) => (symbol === 'ITC-EQ' ? SHARE : undefined) };
  return new RecordingOperations({
    engine: { now: () => NOW },
    instruments: instruments as unknown as InstrumentDirectory,
    linesOf: (_id, day, until) => linesOf(day, until),
  });
}

test('a day of today is recorded up to the second before the present one, a past day whole', async () => {
  const recordings = open((day, until) => [{ day }, ['until', until]]);
  for (const [day, until] of [
    [undefined, 39_999],
    [TODAY, 39_999],
    [(TODAY - 1) as IstDay, 86_399],
  ] as const) {
    const done = recordings.record('NSE', 'ITC', day);
    assert.ok(done.ok);
    const text = zstdDecompressSync(await buffer(done.value)).toString();
    assert.equal(text, `{"day":${day ?? TODAY}}\n["until",${until}]\n`);
  }
});

test('a day to come, an unknown instrument and a day without trading are refused with words', () => {
  const recordings = open(() => []);
  const refused = [
    recordings.record('NSE', 'ITC-EQ', (TODAY + 1) as IstDay),
    recordings.record('NSE', 'NOPE', undefined),
    recordings.record('NSE', 'ITC-EQ', undefined),
  ].map((done) => (done.ok ? '' : done.error));
  assert.match(refused[0] ?? '', /has not come yet/);
  assert.match(refused[1] ?? '', /there is no instrument NOPE on NSE/);
  assert.match(refused[2] ?? '', /NSE:ITC-EQ did not trade on/);
});

test('a long day is made in slices, between which other work has its turns', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const recordings = open(function* () {
    for (let line = 0; line < 60_000; line += 1) yield ['p', line, 41_000, 5, 'B', 0];
  });
  const done = recordings.record('NSE', 'ITC-EQ', undefined);
  assert.ok(done.ok);
  const text = zstdDecompressSync(await buffer(done.value)).toString();
  clearInterval(timer);
  assert.equal(text.split('\n').length, 60_001);
  assert.ok(turns >= 2, `${turns} turns`);
});
