/**
 * Bad and hostile files: each is refused with the place of its first fault, and no archive or Parquet file gets more
 * memory or more work than its size allows. The table is the one of docs/tapes.md.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { withGroups } from '../../../src/tapes/files/parquet-groups.ts';
import { openParquet } from '../../../src/tapes/files/parquet-rows.ts';
import { TapeFault } from '../../../src/tapes/tape-fault.ts';
import { zipOf } from '../../kit/tapes/archives.ts';
import { readAs } from '../../kit/tapes/reading.ts';

const HEAD = 'datetime,open,high,low,close,volume';
const ROW = '2026-01-01 09:15:00,100,101,99,100.5,10';
const NEXT = '2026-01-01 09:16:00,100,101,99,100.5,10';
const CSV = `${HEAD}\n${ROW}\n${NEXT}\n`;

function lines(...rows: string[]): string {
  return [HEAD, ROW, ...rows, ''].join('\n');
}

/** The next row with other cells for some columns. */
function row(cells: Readonly<Record<string, string>>): string {
  const names = HEAD.split(',');
  return NEXT.split(',')
    .map((cell, place) => cells[names[place] ?? ''] ?? cell)
    .join(',');
}

type Case = readonly [what: string, file: string, content: string | Uint8Array, refusal: string];

const TEXTS: readonly Case[] = [
  ['an empty file', 'ITC.csv', '', 'ITC.csv: it is empty'],
  ['names and no row', 'ITC.csv', HEAD, 'ITC.csv: it has no row'],
  ['unknown columns', 'ITC.csv', 'a,b,c\n1,2,3\n', 'ITC.csv: line 1 has the columns of no known form: a,b,c'],
  [
    'a cut line',
    'ITC.csv',
    lines('2026-01-01 09:16:00,100,10'),
    'ITC.csv, line 3: it has 3 columns where the file has 6',
  ],
  ['a further column', 'ITC.csv', lines(`${NEXT},7`), 'ITC.csv, line 3: it has 7 columns where the file has 6'],
  [
    'a minute that comes twice',
    'ITC.csv',
    lines(ROW),
    'ITC.csv, line 3, column datetime: 09:15:00 comes a second time',
  ],
  [
    'a minute out of order',
    'ITC.csv',
    lines(row({ datetime: '2026-01-01 09:14:00' })),
    'ITC.csv, line 3, column datetime: 09:14:00 is before the row in front of it',
  ],
  [
    'a day out of order',
    'ITC.csv',
    lines(row({ datetime: '2025-12-31 09:14:00' })),
    'ITC.csv, line 3, column datetime: 2025-12-31 is before the row in front of it',
  ],
  [
    'a high below the low',
    'ITC.csv',
    lines(row({ high: '98' })),
    'ITC.csv, line 3, column high: "98" is below the low 99',
  ],
  [
    'a high below the close',
    'ITC.csv',
    lines(row({ high: '100.25' })),
    'ITC.csv, line 3, column high: "100.25" is below the open or close',
  ],
  [
    'a low above the open',
    'ITC.csv',
    lines(row({ low: '100.25' })),
    'ITC.csv, line 3, column low: "100.25" is above the open or close',
  ],
  ['NaN', 'ITC.csv', lines(row({ open: 'NaN' })), 'ITC.csv, line 3, column open: "NaN" is not a number'],
  ['infinity', 'ITC.csv', lines(row({ high: 'inf' })), 'ITC.csv, line 3, column high: "inf" is not a number'],
  ['an exponent', 'ITC.csv', lines(row({ high: '1e3' })), 'ITC.csv, line 3, column high: "1e3" is not a number'],
  ['an empty price', 'ITC.csv', lines(row({ close: '' })), 'ITC.csv, line 3, column close: "" is not a number'],
  ['a negative price', 'ITC.csv', lines(row({ low: '-1' })), 'ITC.csv, line 3, column low: "-1" is below zero'],
  ['a price of zero', 'ITC.csv', lines(row({ low: '0.00' })), 'ITC.csv, line 3, column low: "0.00" is not a price'],
  [
    'a price off the paisa',
    'ITC.csv',
    lines(row({ close: '100.505' })),
    'ITC.csv, line 3, column close: "100.505" is not on the paisa',
  ],
  [
    'a price that no column holds',
    'ITC.csv',
    lines(row({ high: '99999999' })),
    'ITC.csv, line 3, column high: "99999999" is too large',
  ],
  [
    'a price of a thousand digits',
    'ITC.csv',
    lines(row({ high: '9'.repeat(1_000) })),
    `ITC.csv, line 3, column high: "${'9'.repeat(40)}" is too large`,
  ],
  ['a negative volume', 'ITC.csv', lines(row({ volume: '-5' })), 'ITC.csv, line 3, column volume: "-5" is below zero'],
  [
    'a part of a share',
    'ITC.csv',
    lines(row({ volume: '1.5' })),
    'ITC.csv, line 3, column volume: "1.5" is not a number',
  ],
  [
    'a date that does not exist',
    'ITC.csv',
    lines(row({ datetime: '2026-02-30 09:15:00' })),
    'ITC.csv, line 3, column datetime: "2026-02-30 09:15:00" is not a date and a time',
  ],
  [
    'a time that does not exist',
    'ITC.csv',
    lines(row({ datetime: '2026-01-01 24:15:00' })),
    'ITC.csv, line 3, column datetime: "2026-01-01 24:15:00" is not a date and a time',
  ],
  [
    'a candle inside a minute',
    'ITC.csv',
    lines(row({ datetime: '2026-01-01 09:16:30' })),
    'ITC.csv, line 3, column datetime: a candle begins with a minute',
  ],
  [
    'a date without a time among times',
    'ITC.csv',
    lines(NEXT, '2026-01-02,100,101,99,100.5,10'),
    'ITC.csv, line 4, column datetime: it has no time of day',
  ],
  [
    'a date without a time behind the first time',
    'ITC.csv',
    lines('2026-01-02,100,101,99,100.5,10'),
    'ITC.csv, line 3, column datetime: it has no time of day',
  ],
  [
    'a time among dates',
    'ITC.csv',
    `${HEAD}\n2026-01-01,100,101,99,100.5,10\n2026-01-02 00:00:00,100,101,99,100.5,10\n2026-01-03 09:15:00,1,1,1,1,1\n`,
    'ITC.csv, line 4, column datetime: it has a time of day, and the rows in front of it have none',
  ],
  ['a blank line between rows', 'ITC.csv', lines('', NEXT), 'ITC.csv, line 3: it is blank, and rows follow it'],
  [
    'a byte 0',
    'ITC.csv',
    lines('2026-01-01 09:16:00,1\0,1,1,1,1'),
    'ITC.csv, line 3: it has a byte 0: this is not text',
  ],
  [
    'a line without an end',
    'ITC.csv',
    `${HEAD}\n${'7'.repeat(300_000)}`,
    'ITC.csv, line 2: it is longer than 65536 bytes',
  ],
  [
    'text of two bytes a character',
    'ITC.csv',
    Buffer.from(`\uFEFF${CSV}`, 'utf16le'),
    'ITC.csv, line 1: it has a byte 0: this is not text',
  ],
  [
    'a file without an instrument',
    'nothing.csv',
    CSV,
    'nothing.csv: neither its rows nor its name say which instrument it is of: say --exchange and --symbol',
  ],
  ['a name that means several', 'ITC_TCS.csv', CSV, 'ITC_TCS.csv: its name could mean ITC-EQ, TCS-EQ: say --symbol'],
  [
    'an interval of a week',
    'x.csv',
    `symbol,exchange,interval,${HEAD}\nITC,NSE,W,${ROW}\n`,
    'x.csv, line 2, column interval: "W" is not an interval that can be played',
  ],
  ...['0m', '7m', '9999h', '1s', '5d'].map((word): Case => {
    const refusal = `x.csv, line 2, column interval: "${word}" is not an interval that can be played`;
    return [`an interval of ${word}`, 'x.csv', `symbol,exchange,interval,${HEAD}\nITC,NSE,${word},${ROW}\n`, refusal];
  }),
  ...['0m', '9999h', '30s', '5d', 'W', 'M'].map((word): Case => {
    const refusal = `ITC_NSE_${word}.csv: "${word}" in its name is not an interval that can be played`;
    return [`an interval of ${word} in the name`, `ITC_NSE_${word}.csv`, CSV, refusal];
  }),
  [
    'minutes under a name of fifteen',
    'ITC_NSE_15m.csv',
    CSV,
    'ITC_NSE_15m.csv, line 3, column datetime: 09:16:00 is within the 15 minutes of the candle in front of it',
  ],
  [
    'minutes under an interval of five',
    'x.csv',
    `symbol,exchange,interval,${HEAD}\nITC,NSE,5m,${ROW}\nITC,NSE,5m,${row({ datetime: '2026-01-01 09:19:00' })}\n`,
    'x.csv, line 3, column datetime: 09:19:00 is within the 5 minutes of the candle in front of it',
  ],
  [
    'instruments that nobody lists',
    'x.csv',
    `symbol,exchange,${HEAD}\nZZZ,NSE,${ROW}\n`,
    'x.csv: none of its instruments is listed here: NSE ZZZ',
  ],
];

const ARCHIVES: readonly Case[] = [
  [
    'a path that climbs',
    'a.zip',
    zipOf({ name: '../ITC.csv', content: CSV }),
    'a.zip: it cannot be unpacked: invalid relative path: ../ITC.csv',
  ],
  [
    'a path from the root',
    'a.zip',
    zipOf({ name: '/etc/ITC.csv', content: CSV }),
    'a.zip: it cannot be unpacked: absolute path: /etc/ITC.csv',
  ],
  [
    'a path that climbs with backslashes',
    'a.zip',
    zipOf({ name: '..\\ITC.csv', content: CSV }),
    'a.zip: it cannot be unpacked: invalid relative path: ../ITC.csv',
  ],
  [
    'a bomb',
    'a.zip',
    zipOf({ name: 'ITC.csv', content: `${HEAD}\n${`${ROW}\n`.repeat(1)}${'\n'.repeat(24_000_000)}` }),
    'a.zip, ITC.csv: it grows to more than 200 times its size when it is unpacked',
  ],
  [
    'a bomb in an archive in an archive',
    'a.zip',
    zipOf({ name: 'b.zip', content: zipOf({ name: 'ITC.csv', content: '\n'.repeat(24_000_000) }) }),
    'a.zip, b.zip, ITC.csv: it grows to more than 200 times its size when it is unpacked',
  ],
  [
    'archives three deep',
    'a.zip',
    zipOf({ name: 'b.zip', content: zipOf({ name: 'c.zip', content: zipOf({ name: 'ITC.csv', content: CSV }) }) }),
    'a.zip, b.zip, c.zip: it is an archive at depth 3; unpack the outer one',
  ],
  ['an archive of no file', 'a.zip', zipOf({ name: 'empty/', content: '' }), 'a.zip: it is an archive of no file'],
  [
    'a wrong checksum',
    'a.zip',
    zipOf({ name: 'ITC.csv', content: CSV, checksum: 7 }),
    'a.zip, ITC.csv: its bytes do not fit its checksum: the archive is damaged',
  ],
  [
    'an encrypted entry',
    'a.zip',
    zipOf({ name: 'ITC.csv', content: CSV, flags: 1 }),
    'a.zip, ITC.csv: it is encrypted',
  ],
  [
    'a fault inside an entry',
    'a.zip',
    zipOf({ name: 'x/ITC.csv', content: lines(ROW) }),
    'a.zip, x/ITC.csv, line 3, column datetime: 09:15:00 comes a second time',
  ],
  [
    'a day in two entries',
    'a.zip',
    zipOf({ name: 'a/ITC.csv', content: CSV }, { name: 'b/ITC.csv', content: CSV }),
    'a.zip, b/ITC.csv, line 2, column datetime: 2026-01-01 of NSE:ITC-EQ came in a.zip, a/ITC.csv',
  ],
];

/** A file of the next day. */
const LATER = CSV.replaceAll('2026-01-01', '2026-01-02');
const DAYS_HEAD = 'SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP';
const DAYS_CSV = `${DAYS_HEAD}\nITC,EQ,100,101,99,100,100,100,10,1,05-JAN-2026\n`;
const INTERVALS: readonly Case[] = [
  [
    'two intervals of one instrument',
    'a.zip',
    zipOf({ name: 'ITC_NSE_1m.csv', content: CSV }, { name: 'ITC_NSE_5m.csv', content: LATER }),
    'a.zip, ITC_NSE_5m.csv: "5m" in its name comes after candles of 1 minute',
  ],
  [
    'minutes of no interval before those of five',
    'a.zip',
    zipOf({ name: 'ITC.csv', content: CSV }, { name: 'ITC_NSE_5m.csv', content: LATER }),
    'a.zip, ITC_NSE_5m.csv: "5m" in its name comes after candles of 1 minute',
  ],
  [
    'a bhavcopy behind minutes',
    'a.zip',
    zipOf({ name: 'ITC.csv', content: CSV }, { name: 'cm05JAN2026bhav.csv', content: DAYS_CSV }),
    'a.zip, cm05JAN2026bhav.csv, line 2, column TIMESTAMP: it is of a day, and comes after candles of 1 minute',
  ],
  [
    'minutes behind a bhavcopy',
    'a.zip',
    zipOf(
      { name: 'cm05JAN2026bhav.csv', content: DAYS_CSV },
      { name: 'ITC.csv', content: CSV.replaceAll('2026-01-01', '2026-01-06') },
    ),
    'a.zip, ITC.csv, line 2, column datetime: it has a time of day, and the rows in front of it have none',
  ],
];

const PACKED: readonly Case[] = [
  ['a file of gzip', 'ITC.csv.gz', gzipSync(CSV), 'ITC.csv.gz: it is packed by gzip; unpack it first'],
  [
    'a Parquet file in an archive',
    'a.zip',
    zipOf({ name: 'ITC.parquet', content: 'PAR1' }),
    'a.zip, ITC.parquet: it is packed or not text; unpack the archive and import it by itself',
  ],
];

for (const [what, file, content, refusal] of [...TEXTS, ...ARCHIVES, ...INTERVALS, ...PACKED]) {
  test(`a file is refused with its place: ${what}`, async () => {
    await assert.rejects(
      readAs(file, content),
      (error) => (error instanceof TapeFault && error.message === refusal) || assert.fail(String(error)),
    );
  });
}

test('the interval of a name counts also where the operator says the instrument', async () => {
  const read = readAs('anything_NSE_W.csv', CSV, { symbol: 'ITC' });
  await assert.rejects(read, /anything_NSE_W\.csv: "W" in its name is not an interval that can be played/);
});

/** The flag of an entry whose name is in UTF-8. */
const UTF8 = 2048;

test('controls of names and cells are escaped in the words of a refusal', async () => {
  const unlisted = `symbol,exchange,${HEAD}\nZ\u001b]0;z\u0007\u009b2J,NSE,${ROW}\n`;
  const cases: readonly (readonly [string, string | Uint8Array, string])[] = [
    [
      'x.csv',
      Buffer.from(unlisted, 'latin1'),
      'x.csv: none of its instruments is listed here: NSE Z\\u001b]0;z\\u0007\\u009b2J',
    ],
    [
      'a.zip',
      zipOf({ name: 'I\u001b[2J\u009b.csv', content: '', flags: UTF8 }),
      'a.zip, I\\u001b[2J\\u009b.csv: it is empty',
    ],
    [
      'ITC.csv',
      Buffer.from(lines(row({ open: '\u009b2J' })), 'latin1'),
      'ITC.csv, line 3, column open: "\\u009b2J" is not a number',
    ],
  ];
  for (const [file, content, message] of cases) await assert.rejects(readAs(file, content), { message });
});

test('an archive that is cut anywhere is refused', async () => {
  const whole = zipOf({ name: 'ITC.csv', content: CSV });
  for (let length = 4; length < whole.length; length += 7) {
    await assert.rejects(readAs('a.zip', whole.subarray(0, length)), TapeFault, `${length} bytes`);
  }
});

/** A byte of the first page's header that makes the reader go round. */
const ENDLESS_BYTE = 64;

function parquet(more: Readonly<Record<string, readonly number[]>> = {}): Uint8Array {
  const column = (name: string, data: readonly number[]) => ({
    name,
    data: [...(more[name] ?? data)],
    type: 'DOUBLE' as const,
  });
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'symbol', data: ['ITC', 'ITC'], type: 'STRING' },
      { name: 'timestamp', data: [1767239100n, 1767239160n], type: 'INT64' },
      column('open', [100, 100]),
      column('high', [101, 101]),
      column('low', [99, 99]),
      column('close', [100.5, 100.5]),
      column('volume', [10, 10]),
    ],
  });
  return new Uint8Array(buffer);
}

test('a Parquet file is refused with row and column of its first fault', async () => {
  const cases: readonly [Readonly<Record<string, readonly number[]>>, string][] = [
    [{ open: [100, Number.NaN] }, 'x.parquet, row 2, column open: "NaN" is not a number'],
    [{ close: [100.5, 100.503] }, 'x.parquet, row 2, column close: "100.503" is not on the paisa'],
    [{ high: [101, 98] }, 'x.parquet, row 2, column high: "98" is below the low 99'],
    [{ volume: [10, 0.5] }, 'x.parquet, row 2, column volume: "0.5" is not a number'],
  ];
  for (const [columns, refusal] of cases) {
    await assert.rejects(readAs('x.parquet', parquet(columns)), { message: refusal });
  }
  const nearly = await readAs('x.parquet', parquet({ close: [100.5, 100.1 + 0.2 - 0.2] }));
  assert.equal(nearly.rows, 2);
});

test('a Parquet file that is cut or changed is refused or read, and never breaks the reader', async () => {
  const whole = parquet();
  for (const length of [4, 11, 12, 100, 500, whole.length - 1]) {
    await assert.rejects(readAs('x.parquet', whole.subarray(0, length)), TapeFault, `${length} bytes`);
  }
  const footer = whole.length - 8 - new DataView(whole.buffer).getUint32(whole.length - 8, true);
  for (let at = footer; at < whole.length; at += 71) {
    const changed = Uint8Array.from(whole);
    changed[at] = 0x7f;
    await readAs('x.parquet', changed).catch((error: unknown) => {
      assert.ok(error instanceof TapeFault, `byte ${at}: ${String(error)}`);
    });
  }
});

/** The paths of the files that this process has open, where the system lists them. */
function openPaths(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return []; // The descriptor of the listing itself is closed by now.
    }
  });
}

test('a Parquet file is closed when it is read, refused or left early', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-closed-'));
  const path = join(folder, 'x.parquet');
  const read = async (whole: boolean): Promise<void> => {
    for await (const columns of withGroups(path, 'x.parquet', ({ groups }) => groups())) {
      assert.ok(openPaths().includes(path), `${columns.length} columns of an open file`);
      if (!whole) break;
    }
  };
  writeFileSync(path, parquet());
  await read(true);
  assert.ok(!openPaths().includes(path), 'read to its end');
  await read(false);
  assert.ok(!openPaths().includes(path), 'left early');
  writeFileSync(path, parquet().subarray(0, 100));
  await assert.rejects(read(true), TapeFault);
  assert.ok(!openPaths().includes(path), 'refused');
  rmSync(folder, { recursive: true });
});

test('a Parquet file made to unpack for ever is given up', async () => {
  const endless = parquet();
  // The compressed size of the first page becomes a negative one, so that the reader goes back to the same page.
  endless[ENDLESS_BYTE] = 0x00;
  const folder = mkdtempSync(join(tmpdir(), 'sauda-endless-'));
  const path = join(folder, 'x.parquet');
  writeFileSync(path, endless);
  const table = await openParquet(path, 'x.parquet', 1_000);
  try {
    const unread = (): void => undefined;
    await assert.rejects(table.each(unread, unread), {
      message: 'x.parquet: a group of rows takes more than 1 s to unpack',
    });
  } finally {
    await table.close();
    rmSync(folder, { recursive: true });
  }
});
