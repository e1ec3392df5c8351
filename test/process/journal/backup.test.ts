import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { FaultyDisk, MachineDied } from '../../../sim/faulty-disk.ts';
import { Random } from '../../../src/base/random.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { makeReady, openFileJournal } from '../../../src/journal/file-journal.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { SnapshotFolder } from '../../../src/journal/snapshot-file.ts';
import { copyFolder, type FilesBeside, restoreFolder } from '../../../src/journal/upkeep/backup.ts';
import { acknowledged, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { ADDING } from '../../kit/journal/adding.ts';
import {
  commit,
  commitMany,
  diskOf,
  FOLDER,
  filesOf,
  lastSegment,
  open,
  PATHS,
  scratchFolder,
} from '../../kit/journal/image.ts';
import { fill, sampleGroup } from '../../kit/journal/sample.ts';

const scratch = scratchFolder();
after(() => rmSync(scratch, { recursive: true }));
const MORE = ['secret.key', 'span/day', 'never-made'];
const NOTHING: FilesBeside = { first: () => [], needed: () => [], naming: () => [] };
const MORE_OF: FilesBeside = { ...NOTHING, needed: () => MORE };

/** A journal of 500 records with two snapshots, whose writer still runs, and files beside it. */
function busy(): FaultyDisk {
  const disk = new FaultyDisk();
  const committer = open(disk);
  const snapshots = new SnapshotFolder(join(FOLDER, 'snapshots'), disk);
  let from = 1;
  for (const records of [100, 300]) {
    commitMany(committer, from, records);
    from = records + 1;
    const { replica, head } = recover(acknowledged(disk, PATHS), undefined, ADDING);
    const { seq, at } = replica;
    snapshots.write({ seq, at, chain: head.hash, stateHash: replica.hash(), lines: replica.lines() });
  }
  commitMany(committer, from, 500);
  for (const [name, text] of [
    ['secret.key', 'keys'],
    ['span/day', 'figures'],
  ] as const) {
    disk.create(join(FOLDER, name)).write(0, Buffer.from(text));
  }
  return disk;
}

describe('a backup', () => {
  it('taken while records are added is a journal up to a moment, and starts where it is restored to', async () => {
    const data = join(scratch, 'data');
    const journal = await openFileJournal({ folder: data });
    await fill(journal, 200);
    writeFileSync(join(data, 'secret.key'), 'keys', { mode: 0o600 });
    const adding = fill(journal, 1_200);
    const to = join(scratch, 'backup');
    const copied = copyFolder(REAL_DISK, data, to, MORE_OF);
    await adding;
    assert.ok(copied.head.seq >= 199 && copied.records === copied.head.seq, JSON.stringify(copied));
    assert.equal(statSync(join(to, 'secret.key')).mode & 0o777, 0o600);
    await journal.close();

    const back = join(scratch, 'back');
    assert.deepEqual(restoreFolder(REAL_DISK, to, back, MORE_OF).head, copied.head);
    assert.equal(readFileSync(join(back, 'secret.key'), 'utf8'), 'keys');
    const restored = await openFileJournal({ folder: back });
    assert.deepEqual(restored.head(), copied.head);
    assert.equal(restored.hashAt(copied.head.seq), copied.head.hash);
    await restored.append(sampleGroup(copied.head.seq + 1, 3));
    await restored.close();
    assert.equal(verifyJournal(back).damage, undefined);
  });

  it('has the newest snapshot, every segment and the files beside them', () => {
    const disk = busy();
    const copied = copyFolder(disk, FOLDER, '/backup', MORE_OF);
    assert.deepEqual([copied.head.seq, copied.records], [500, 500]);
    const { replica, fromSnapshot } = recover(
      acknowledged(disk, journalPaths('/backup')),
      new SnapshotFolder('/backup/snapshots', disk),
      ADDING,
    );
    assert.deepEqual([replica.sum, fromSnapshot], [(500 * 501) / 2, 300]);
    assert.equal(Buffer.from(disk.bytesOf('/backup/span/day')).toString(), 'figures');
    assert.equal(disk.names('/backup/snapshots').length, 1);
  });

  it('reports how far it is, part by part and each to its end', () => {
    const parts = new Map<string, readonly [done: number, of: number]>();
    const begin = (what: string, unit: string) => (done: number, of: number) => {
      const [before] = parts.get(`${what}, ${unit}`) ?? [0];
      assert.ok(done >= before && done <= of, `${what}: ${done} of ${of} after ${before}`);
      parts.set(`${what}, ${unit}`, [done, of]);
    };
    copyFolder(busy(), FOLDER, '/backup', MORE_OF, begin);
    assert.deepEqual([...parts.keys()], ['copying the journal, segments', 'checking the journal, records']);
    for (const [done, of] of parts.values()) assert.equal(done, of);
    assert.deepEqual(parts.get('checking the journal, records'), [500, 500]);
  });

  it('passes over a snapshot that is damaged', () => {
    const disk = busy();
    disk.flip('/data/snapshots/snapshot-0000000000000300', 40, 1);
    copyFolder(disk, FOLDER, '/backup', MORE_OF);
    assert.deepEqual(disk.names('/backup/snapshots'), ['snapshot-0000000000000100']);
  });

  it('of a new journal is an empty one', () => {
    const disk = new FaultyDisk();
    open(disk);
    assert.deepEqual(copyFolder(disk, FOLDER, '/backup', NOTHING).head.seq, 0);
    assert.equal(makeReady(disk, journalPaths('/backup')).start.head.seq, 0);
  });

  it('is not written into a folder that holds anything', () => {
    const disk = busy();
    disk.create('/backup/writer.lock');
    disk.create('/backup/notes');
    const before = filesOf(disk);
    assert.throws(() => copyFolder(disk, FOLDER, '/backup', MORE_OF), {
      name: 'FolderNotEmpty',
      message: '/backup is not empty',
    });
    assert.throws(() => restoreFolder(disk, FOLDER, '/backup', MORE_OF), { name: 'FolderNotEmpty' });
    assert.deepEqual(filesOf(disk), before);
    disk.remove('/backup/notes');
    assert.equal(copyFolder(disk, FOLDER, '/backup', MORE_OF).head.seq, 500);
  });

  it('of a damaged journal is refused, and so is a restore from a damaged backup', () => {
    const disk = busy();
    copyFolder(disk, FOLDER, '/backup', MORE_OF);
    disk.flip('/backup/journal/segment-0000000000000001', 900, 3);
    assert.throws(() => restoreFolder(disk, '/backup', '/back', MORE_OF), {
      name: 'JournalDamaged',
      message: /offset 512, /,
    });
    assert.deepEqual(disk.names('/back'), []);
    disk.flip(lastSegment(disk), 900, 3);
    assert.throws(() => copyFolder(disk, FOLDER, '/other', MORE_OF), { name: 'JournalDamaged' });
  });

  it('that a crash cut short is never taken for a whole one', (t) => {
    const random = new Random(20261121);
    const files = filesOf(busy());
    let call = 0;
    let whole = 0;
    for (let done = false; !done; call += 1) {
      const disk = diskOf(files);
      disk.dieAfter = disk.calls + call;
      try {
        copyFolder(disk, FOLDER, '/backup', MORE_OF);
        done = true;
      } catch (error) {
        assert.ok(error instanceof MachineDied, String(error));
      }
      disk.end(random.pick(['kill', 'power'] as const), random);
      if (verifyJournal('/backup', { disk }).damage !== undefined) continue;
      whole += 1;
      assert.equal(restoreFolder(disk, '/backup', '/back', MORE_OF).head.seq, 500, `call ${call}`);
      assert.equal(Buffer.from(disk.bytesOf('/back/secret.key')).toString(), 'keys');
    }
    assert.ok(whole > 0 && whole < call / 2, `${whole} of ${call}`);
    t.diagnostic(`${call} calls, ${whole} of them after the mark`);
  });

  it('that a crash cut short has what comes first, or nothing at all', () => {
    const random = new Random(20261122);
    const files = filesOf(busy());
    const beside: FilesBeside = { first: () => ['secret.key'], needed: () => [], naming: () => ['span/day'] };
    let cut = 0;
    for (let done = false; !done; cut += 1) {
      const disk = diskOf(files);
      disk.dieAfter = disk.calls + cut;
      try {
        copyFolder(disk, FOLDER, '/backup', beside);
        done = true;
      } catch (error) {
        assert.ok(error instanceof MachineDied, String(error));
      }
      disk.end(random.pick(['kill', 'power'] as const), random);
      const there = [...filesOf(disk).keys()].filter((path) => path.startsWith('/backup/') && !path.endsWith('.new'));
      assert.ok(there.length === 0 || there.includes('/backup/secret.key'), `call ${cut}: ${there}`);
    }
  });

  it('of a folder that lost its power has every group that was acknowledged, also when the mark stands behind them', () => {
    const seed = 20261121;
    const random = new Random(seed);
    let behind = 0;
    for (let number = 0; number < 60; number += 1) {
      const disk = new FaultyDisk();
      const committer = open(disk);
      commit(committer, 1, 5);
      committer.passSecond();
      commit(committer, 6, 5);
      commit(committer, 11, 5);
      disk.end('power', random);
      if (acknowledged(disk, PATHS).head().seq < 15) behind += 1;
      assert.equal(copyFolder(disk, FOLDER, '/backup', NOTHING).head.seq, 15, `seed ${seed}, case ${number}`);
      assert.equal(restoreFolder(disk, '/backup', '/back', NOTHING).head.seq, 15, `seed ${seed}, case ${number}`);
    }
    assert.ok(behind > 10, `the mark stood behind in ${behind} cases`);
  });

  it('has what came beside the journal before the end that it goes up to', () => {
    const disk = busy();
    let looked = false;
    disk.onCall = (call, path) => {
      if (call === 'open' && path.startsWith(PATHS.journal)) looked = true;
    };
    const needed = (): string[] => {
      assert.ok(looked, 'the names are asked for when the end is known');
      return MORE;
    };
    copyFolder(disk, FOLDER, '/backup', { ...NOTHING, needed });
  });

  it('has what says how far they were flushed as it was before they were looked at', () => {
    const disk = busy();
    const mark = disk.create(join(FOLDER, 'audit-mark'));
    mark.write(0, Buffer.from('5'));
    const naming = (): string[] => {
      mark.write(0, Buffer.from('6'));
      return [];
    };
    copyFolder(disk, FOLDER, '/backup', { ...NOTHING, first: () => ['audit-mark', 'none'], naming });
    assert.equal(Buffer.from(disk.bytesOf('/backup/audit-mark')).toString(), '5');
  });

  it('has of what names records only what was there before the end that it goes up to', () => {
    const disk = busy();
    const path = join(FOLDER, 'audit/day');
    const log = disk.create(path);
    log.write(0, Buffer.from('500 '));
    disk.onCall = (call, opened) => {
      if (call !== 'open' || !opened.startsWith(PATHS.journal)) return;
      disk.onCall = () => undefined;
      log.write(4, Buffer.from('501 '));
      disk.create(join(FOLDER, 'audit/next')).write(0, Buffer.from('502 '));
    };
    const naming = (): string[] => disk.names(join(FOLDER, 'audit')).map((name) => join('audit', name));
    copyFolder(disk, FOLDER, '/backup', { ...NOTHING, naming });
    assert.deepEqual(disk.names('/backup/audit'), ['day']);
    assert.equal(Buffer.from(disk.bytesOf('/backup/audit/day')).toString(), '500 ');
    assert.equal(Buffer.from(disk.bytesOf(path)).toString(), '500 501 ');
  });
});
