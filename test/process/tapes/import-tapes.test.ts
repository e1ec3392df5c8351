/** The commands on tapes, over data folders and real files, without a process of their own. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { importTapes } from '../../../src/app/tapes/import-tapes.ts';
import { listTapes, removeTape, showTape } from '../../../src/app/tapes/tape-reports.ts';
import { dataFolder, filesBesideJournal } from '../../../src/folder/data-folder.ts';
import { faultsOfFiles } from '../../../src/folder/file-faults.ts';
import { writePlayedTapes } from '../../../src/folder/played-tapes.ts';
import { TapeStore } from '../../../src/folder/tapes/tape-store.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { FolderInUse, IMPORTING_TAPES, WriterLock } from '../../../src/journal/disk/writer-lock.ts';
import { expectEmpty } from '../../../src/journal/upkeep/backup.ts';
import { CommandFailed } from '../../../src/os/command-failed.ts';
import { MONTH_ZIP } from '../../kit/tapes/month.ts';
import { temporaryFolder } from '../start/started-service.ts';

const HEAD = 'datetime,open,high,low,close,volume';
const folders: (() => Promise<void>)[] = [];

after(() => Promise.all(folders.map((remove) => remove())));

/** A data folder, and a folder of files to import. */
function places() {
  const { path, remove } = temporaryFolder();
  folders.push(remove);
  const files = join(path, 'files');
  mkdirSync(files);
  const file = (name: string, ...rows: string[]): string => {
    writeFileSync(join(files, name), [HEAD, ...rows, ''].join('\n'));
    return join(files, name);
  };
  return { data: dataFolder(join(path, 'data')), file };
}

const tapesOf = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.tape'));
const row = (day: number, minute = 15): string => `2026-01-0${day} 09:${minute}:00,100,101,99,100.5,10`;

test('an import says what it took the file for, and the second one of the same bytes does nothing', async () => {
  const { data } = places();
  const first = await importTapes(data, [MONTH_ZIP], {});
  assert.match(first, /one-minute candles of NSE:RELIANCE-EQ \(.*\), 2026-01-01 to 2026-01-30, 7,499 rows\./);
  assert.match(first, /The next start uses it\./);
  const second = await importTapes(data, [MONTH_ZIP], {});
  assert.match(second, /is there already, as reliance-2026-01\.zip; nothing is done\.$/);
  assert.equal(tapesOf(data.tapes).length, 1);
  assert.match(
    await listTapes(data, false),
    /^[0-9a-f]{12} NSE:RELIANCE-EQ 1m-candles 2026-01-01 to 2026-01-30, 20 days, 7499 rows, reliance-2026-01\.zip$/,
  );
  const [listed] = JSON.parse(await listTapes(data, true)) as { digest: string }[];
  assert.match(
    await showTape(data, 'nse:reliance-eq'),
    /^NSE:RELIANCE-EQ 2026-01-01 to 2026-01-30, 20 days, no trading day missing\n/,
  );
  assert.match(await showTape(data, listed?.digest.slice(0, 8) ?? ''), /7499 rows of 1 instruments/);
  await assert.rejects(showTape(data, 'NSE:ITC-EQ'), CommandFailed);
});

test('an import says which days no market can play', async () => {
  const { data, file } = places();
  const old = (day: string): string => `${day} 09:15:00,100,101,99,100.5,10`;
  const said = await importTapes(data, [file('ITC.csv', old('2015-03-02'), old('2019-12-31'), old('2020-01-01'))], {});
  assert.match(said, /\n {2}2 days before 2020-01-01 or after 2109-09-18 are not played: the market is not there\.\n/);
  assert.doesNotMatch(await importTapes(data, [file('TCS.csv', old('2020-01-01'))], {}), /not played/);
});

test('no report prints controls that a file or its name has', async () => {
  const { data, file } = places();
  const path = file('ITC\u001b[2J\n.csv');
  const cells = row(1);
  writeFileSync(path, `symbol,exchange,${HEAD}\nITC,NSE,${cells}\n\u001b]0;Z\u0007,NSE,${cells}\n`);
  const said = await importTapes(data, [path], {});
  assert.match(said, /that are not listed here are left out: NSE \\u001b\]0;Z\\u0007\.\n/);
  const shown = [await importTapes(data, [path], {}), await listTapes(data, false), await showTape(data, 'NSE:ITC-EQ')];
  const [digest = ''] = tapesOf(data.tapes);
  shown.push(await showTape(data, digest.slice(0, 12)), await removeTape(data, digest.slice(0, 12)));
  for (const text of [said, ...shown]) {
    assert.match(text, /ITC\\u001b\[2J\\u000a\.csv/);
    assert.doesNotMatch(text, /(?!\n)\p{Cc}/u);
  }
});

test('a refused file of several takes the others with it, and nothing stays', async () => {
  const { data, file } = places();
  const good = file('ITC.csv', row(1));
  const bad = file('TCS.csv', row(1), row(1));
  await assert.rejects(importTapes(data, [good, bad], {}), {
    name: 'CommandFailed',
    message: 'nothing is imported: TCS.csv, line 3, column datetime: 09:15:00 comes a second time',
  });
  // The lock stays, since another import may hold it by now, and a restore passes over it.
  assert.deepEqual(readdirSync(data.folder), [IMPORTING_TAPES.file]);
  expectEmpty(REAL_DISK, data.folder);
  await importTapes(data, [good, file('TCS.csv', row(2))], {});
  assert.equal(tapesOf(data.tapes).length, 2);
  await assert.rejects(importTapes(data, [file('INFY.csv', row(1), row(1))], {}), CommandFailed);
  assert.equal(tapesOf(data.tapes).length, 2);
});

test('a day of an instrument that another file has is refused with both names, or left out', async () => {
  const { data, file } = places();
  await importTapes(data, [file('ITC_first.csv', row(1), row(2))], {});
  const second = file('ITC_second.csv', row(2, 16), row(5));
  const refusal = /2026-01-02 of NSE:ITC-EQ is in ITC_second\.csv and in ITC_first\.csv: remove one of the two/;
  await assert.rejects(importTapes(data, [second], {}), refusal);
  const third = file('ITC_third.csv', row(5), row(6));
  await assert.rejects(
    importTapes(data, [file('ITC_fourth.csv', row(5)), third], {}),
    /ITC_third\.csv and in ITC_fourth\.csv/,
  );
  assert.match(
    await importTapes(data, [second], { skipKnown: true }),
    / {2}1 days that other tapes have are left out\./,
  );
  assert.equal(new TapeStore(data.tapes).days({ exchange: 'NSE', symbol: 'ITC-EQ' }).length, 3);
  await assert.rejects(
    importTapes(data, [file('ITC_fifth.csv', row(1))], { skipKnown: true }),
    /other tapes have all of its days/,
  );
});

test('a tape is removed while nobody serves the folder and nobody imports', async () => {
  const { data, file } = places();
  await importTapes(data, [file('ITC.csv', row(1)), file('TCS.csv', row(2))], {});
  const [digest = ''] = tapesOf(data.tapes);
  const serving = new WriterLock(data.folder);
  await assert.rejects(removeTape(data, digest.slice(0, 12)), /is in use: another running service writes to it/);
  serving.release();
  const importing = new WriterLock(data.folder, IMPORTING_TAPES);
  await assert.rejects(removeTape(data, digest.slice(0, 12)), CommandFailed);
  await assert.rejects(importTapes(data, [MONTH_ZIP], {}), FolderInUse);
  importing.release();
  await removeTape(data, digest.slice(0, 12));
  await assert.rejects(removeTape(data, digest.slice(0, 12)), /no tape has a digest that begins with/);
  await assert.rejects(removeTape(data, ''), CommandFailed);
  assert.equal(tapesOf(data.tapes).length, 1);
});

test('a tape that the market has followed is removed only when the operator says so', async () => {
  const { data, file } = places();
  await importTapes(data, [file('ITC.csv', row(1))], {});
  const followed = new TapeStore(data.tapes).instruments();
  writePlayedTapes(data.playedTapes, { market: 'mixed', tapes: followed });
  const digest = followed[0]?.digest ?? '';
  await assert.rejects(removeTape(data, digest), /has followed ITC\.csv: .* Say --played to remove it nevertheless\./);
  assert.match(await removeTape(data, digest, true), /^ITC\.csv is removed/);
});

test('a backup has the tapes and no drafts, a verification reads them, and the next import clears drafts away', async () => {
  const { data, file } = places();
  await importTapes(data, [file('ITC.csv', row(1))], {});
  const [tape = ''] = tapesOf(data.tapes);
  const draft = `${'b'.repeat(64)}.tape.999999.new`;
  cpSync(join(data.tapes, tape), join(data.tapes, draft));
  const needed = filesBesideJournal(data)
    .needed()
    .filter((name) => name.startsWith('tapes'));
  assert.deepEqual(needed, [join('tapes', tape)]);
  assert.deepEqual(faultsOfFiles(data), []);
  await importTapes(data, [file('TCS.csv', row(2), row(7))], {});
  assert.match(await showTape(data, 'NSE:TCS-EQ'), /2 days, missing 2026-01-05, 2026-01-06\n/);
  assert.equal(readdirSync(data.tapes).includes(draft), false);
  const bytes = readFileSync(join(data.tapes, tape));
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(join(data.tapes, tape), bytes);
  assert.match(faultsOfFiles(data).join(), /is damaged: a day of ITC-EQ is not as it was written/);
});
