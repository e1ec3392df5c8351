/**
 * A month of real one-minute candles, imported and played: the market answers exactly these candles, minute by minute,
 * from prints that fold to them. The month is that of test/kit/tapes/README.md.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { tickOf } from '../../../src/base/tick.ts';
import { istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import type { RecordedDay, RecordedDays } from '../../../src/market/recorded/recorded-days.ts';
import { RecordedMarket } from '../../../src/market/recorded/recorded-market.ts';
import { calendarHours } from '../../../src/market/session/sessions.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { MONTH_ZIP } from '../../kit/tapes/month.ts';
import { readPath } from '../../kit/tapes/reading.ts';

const LAST_SECOND = 86_399;

test('a month of real candles comes back from the market that plays it, and so do the prints of a day', async () => {
  const read = await readPath(MONTH_ZIP);
  const days = must(read.days.get('NSE:RELIANCE-EQ'), 'the share of the month').days as readonly RecordedDay[];
  const recorded: RecordedDays = {
    instruments: () => [
      {
        exchange: 'NSE',
        symbol: 'RELIANCE-EQ',
        kind: 'candles',
        from: must(days[0], 'a day').day,
        to: must(days.at(-1), 'a day').day,
        digest: 'the month',
      },
    ],
    days: ({ symbol }) => (symbol === 'RELIANCE-EQ' ? days.map(({ day }) => day) : []),
    day: (_name, day) => {
      const found = days.find((candidate) => candidate.day === day);
      return found?.kind === 'candles' ? { ...found, span: 1 } : found;
    },
  };
  const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
  const instruments = data.master();
  const market = new RecordedMarket({
    seed: 11,
    regime: 'exchange',
    instruments,
    facts: data.facts,
    calendar: calendarHours(data),
    recorded,
    drawsTheRest: true,
  });
  const { id } = must(instruments.find('NSE', 'RELIANCE-EQ', istInstant(must(days[0], 'a day').day)), 'RELIANCE');
  let candles = 0;
  for (const day of days) {
    if (day.kind !== 'candles') assert.fail('it has candles');
    const { minute, open, high, low, close, volume } = day.candles;
    const expected = Array.from(minute, (at, row) => ({
      start: istInstant(day.day, at * MINUTE_MS),
      open: open[row],
      high: high[row],
      low: low[row],
      close: close[row],
      volume: volume[row],
      openInterest: 0,
    }));
    const until = tickOf(day.day, LAST_SECOND);
    assert.deepEqual(market.intraday(id, 1, istInstant(day.day), istInstant(day.day, 86_399_999), until), expected);
    candles += expected.length;
  }
  assert.ok(candles > 7_000, `${candles} candles`);
  const [first] = days;
  if (first?.kind !== 'candles') assert.fail('it has candles');
  let units = 0;
  for (let second = 32_400; second < 57_600; second += 1) {
    for (const { quantity } of market.printsAt(id, tickOf(first.day, second))) units += quantity;
  }
  assert.equal(
    units,
    first.candles.volume.reduce((sum, volume) => sum + volume, 0),
  );
});
