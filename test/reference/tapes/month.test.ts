/**
 * A month of real one-minute candles goes through each form that has minutes: its columns come out as they went in.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { formatIsoDay, twoDigits } from '../../../src/base/time.ts';
import type { CollectedDay } from '../../../src/tapes/collector.ts';
import { zipOf } from '../../kit/tapes/archives.ts';
import { MONTH_ZIP, type MonthRow, monthRows, monthText } from '../../kit/tapes/month.ts';
import { type ReadDays, readAs, readPath } from '../../kit/tapes/reading.ts';

const ROWS = monthRows();
const RELIANCE = 'NSE:RELIANCE-EQ';
const OPEN_INTEREST = '0';

/** A price as the text of a file has it: `1533` for 153300 paise. */
function rupees(paise: number): string {
  return String(paise / 100);
}

/** The candles of collected days as the rows of a file. */
function rowsOf(days: readonly CollectedDay[]): MonthRow[] {
  return days.flatMap((day) => {
    assert.equal(day.kind, 'candles');
    if (day.kind !== 'candles') return [];
    const { minute, open, high, low, close, volume } = day.candles;
    return Array.from(minute, (at, row) => ({
      date: formatIsoDay(day.day),
      time: `${twoDigits(Math.floor(at / 60))}:${twoDigits(at % 60)}:00`,
      open: rupees(open[row] ?? 0),
      high: rupees(high[row] ?? 0),
      low: rupees(low[row] ?? 0),
      close: rupees(close[row] ?? 0),
      volume: String(volume[row]),
    }));
  });
}

function expectMonth({ days, rows }: ReadDays, name = RELIANCE): void {
  assert.deepEqual([...days.keys()], [name]);
  const own = days.get(name);
  assert.equal(own?.span, 1);
  assert.equal(rows, ROWS.length);
  assert.deepEqual(rowsOf(own?.days ?? []), ROWS);
}

function dayFirst({ date }: MonthRow, mark: string): string {
  return date.split('-').reverse().join(mark);
}

function epochSeconds({ date, time }: MonthRow): number {
  return Date.parse(`${date}T${time}+05:30`) / 1_000;
}

function table(head: string, cells: (row: MonthRow) => readonly (string | number)[]): string {
  return `${head}\n${ROWS.map((row) => cells(row).join(',')).join('\n')}\n`;
}

const prices = ({ open, high, low, close, volume }: MonthRow) => [open, high, low, close, volume];

const TEXTS: readonly (readonly [form: string, file: string, text: () => string])[] = [
  ['a datetime', '1m_RELIANCE.csv', monthText],
  ['a datetime with CRLF and a byte order mark', 'RELIANCE.csv', () => `\uFEFF${monthText().replaceAll('\n', '\r\n')}`],
  ['blank lines at the end', 'RELIANCE.csv', () => `${monthText()}\n\n`],
  [
    'a T and an offset',
    'RELIANCE.csv',
    () => table('date,open,high,low,close,volume', (row) => [`${row.date}T${row.time}+05:30`, ...prices(row)]),
  ],
  [
    'a stamp in UTC',
    'RELIANCE.csv',
    () =>
      table('date,open,high,low,close,volume', (row) => [
        `${new Date(epochSeconds(row) * 1_000).toISOString()}`,
        ...prices(row),
      ]),
  ],
  [
    'epoch seconds',
    'RELIANCE.csv',
    () => table('timestamp,open,high,low,close,volume', (row) => [epochSeconds(row), ...prices(row)]),
  ],
  [
    'epoch milliseconds',
    'RELIANCE.csv',
    () => table('timestamp,open,high,low,close,volume', (row) => [`${epochSeconds(row)}000`, ...prices(row)]),
  ],
  [
    'day-first dates',
    'RELIANCE.csv',
    () =>
      table('Date,Time,Open,High,Low,Close,Volume', (row) => [
        dayFirst(row, '/'),
        row.time.slice(0, 5),
        ...prices(row),
      ]),
  ],
  [
    'day-first datetimes',
    'RELIANCE.csv',
    () =>
      table('Date Time,Open,High,Low,Close,Volume'.replace('Date Time', 'DateTime'), (row) => [
        `${dayFirst(row, '-')} ${row.time}`,
        ...prices(row),
      ]),
  ],
  [
    'the CSV of Historify',
    'RELIANCE_NSE_1m.csv',
    () =>
      table('date,time,open,high,low,close,volume,oi', (row) => [row.date, row.time, ...prices(row), OPEN_INTEREST]),
  ],
  [
    'the minutes of GDFL',
    'GFDLCM_STOCK.csv',
    () =>
      table('Ticker,Date,Time,Open,High,Low,Close,Volume,Open Interest', (row) => [
        'RELIANCE.NSE',
        dayFirst(row, '/'),
        row.time.replace(/00$/, '59'),
        ...prices(row),
        OPEN_INTEREST,
      ]),
  ],
  [
    'the minutes of TrueData',
    'RELIANCE.csv',
    () =>
      ROWS.map((row) =>
        [row.date.replaceAll('-', ''), row.time.slice(0, 5), ...prices(row), OPEN_INTEREST].join(','),
      ).join('\n'),
  ],
  [
    'prices that pandas wrote',
    'RELIANCE.csv',
    () =>
      table('datetime,open,high,low,close,volume', (row) => [
        `${row.date} ${row.time}`,
        ...[row.open, row.high, row.low, row.close].map((text) => Number(text).toFixed(10)),
        `${row.volume}.0`,
      ]),
  ],
];

for (const [form, file, text] of TEXTS) {
  test(`a month of candles comes out as it went in: ${form}`, async () => {
    expectMonth(await readAs(file, text()));
  });
}

test('a month of candles comes out of a zip, and of a zip in a zip, as it went in', async () => {
  expectMonth(await readPath(MONTH_ZIP));
  const inner = zipOf({ name: 'NSE/RELIANCE.csv', content: monthText() });
  expectMonth(await readAs('2026-01.zip', zipOf({ name: 'january.zip', content: inner })));
});

test('a month of candles comes out of the Parquet of Historify as it went in, whatever its groups are', async () => {
  const stamps = ROWS.map((row) => epochSeconds(row));
  const doubles = (name: 'open' | 'high' | 'low' | 'close') => ({
    name,
    data: ROWS.map((row) => Number(row[name])),
    type: 'DOUBLE' as const,
  });
  for (const codec of ['SNAPPY', 'UNCOMPRESSED'] as const) {
    const buffer = parquetWriteBuffer({
      codec,
      rowGroupSize: codec === 'SNAPPY' ? 1_000 : 100_000,
      columnData: [
        { name: 'symbol', data: ROWS.map(() => 'RELIANCE'), type: 'STRING' },
        { name: 'exchange', data: ROWS.map(() => 'NSE'), type: 'STRING' },
        { name: 'interval', data: ROWS.map(() => '1m'), type: 'STRING' },
        { name: 'timestamp', data: stamps.map(BigInt), type: 'INT64' },
        ...(['open', 'high', 'low', 'close'] as const).map(doubles),
        { name: 'volume', data: ROWS.map(({ volume }) => BigInt(volume)), type: 'INT64' },
        { name: 'oi', data: ROWS.map(() => 0n), type: 'INT64' },
        { name: 'datetime', data: stamps.map((at) => new Date(at * 1_000)), type: 'TIMESTAMP' },
      ],
    });
    expectMonth(await readAs('historify.parquet', new Uint8Array(buffer)));
  }
});

test('the operator names the instrument that neither rows nor file name say', async () => {
  expectMonth(await readAs('january.csv', monthText(), { exchange: 'BSE', symbol: 'RELIANCE' }), 'BSE:RELIANCE');
  await assert.rejects(readAs('january.csv', monthText()), /january\.csv: neither its rows nor its name say/);
});
