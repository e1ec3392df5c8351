import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { Random } from '../../../src/base/random.ts';
import { makeReady, openFileJournal } from '../../../src/journal/file-journal.ts';
import { openFrame } from '../../../src/journal/segments/layout.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { commit, FOLDER, open, PATHS, scratchFolder, segmentsOf } from '../../kit/journal/image.ts';
import { sampleGroup } from '../../kit/journal/sample.ts';

const folder = scratchFolder();
after(() => rmSync(folder, { recursive: true }));

/** In blocks of 512 bytes: a journal begins below it and soon wants to grow past it. */
const BLOCKS = 10_500;

it('rejects a commit that failed and every one after it; a new start finds what was durable', async () => {
  const child = fileURLToPath(new URL('./limited-child.ts', import.meta.url));
  const shell = spawn('sh', ['-c', `ulimit -f ${BLOCKS}; exec "$@"`, 'sh', process.execPath, child, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [said] = (await once(shell, 'message')) as [{ seq: number; failures: string[] }];
  if (shell.exitCode === null) await once(shell, 'exit');
  assert.ok(said.seq > 0);
  assert.equal(said.failures.length, 3);
  for (const failure of said.failures) assert.match(failure, /^StorageFailed: .*EFBIG/);

  const next = await openFileJournal({ folder });
  const { seq } = next.head();
  assert.ok(seq === said.seq || seq === said.seq + 1_000, `${seq} after ${said.seq}`);
  assert.equal((await next.append(sampleGroup(seq + 1, 1))).seq, seq + 1);
  await next.close();
  assert.equal(verifyJournal(folder).damage, undefined);
});

describe('a disk that fails', () => {
  const seed = 20261121;

  for (const code of ['EIO', 'ENOSPC'] as const) {
    it(`ends the writer at the first flush that fails with ${code}; acknowledged groups are there after a cut of the power`, () => {
      const random = new Random(seed);
      for (let number = 0; number < 100; number += 1) {
        const disk = new FaultyDisk();
        const committer = open(disk);
        const told = commit(committer, 1, 1 + random.below(40));
        disk.fault = { call: 'flush', code, forever: false };
        assert.throws(() => committer.commit(openFrame(sampleGroup(told.seq + 1, 5))), { code });
        disk.end(random.chance(50) ? 'kill' : 'power', random);
        const { head } = makeReady(disk, PATHS).start;
        assert.ok(head.seq === told.seq || head.seq === told.seq + 5, `seed ${seed}, case ${number}: ${head.seq}`);
        // The records that were found are on the disk now: a second cut takes nothing away.
        disk.end('power', random);
        assert.deepEqual(makeReady(disk, PATHS).start.head, head, `seed ${seed}, case ${number}`);
      }
    });
  }

  it('ends the writer at the first write that fails', () => {
    const disk = new FaultyDisk();
    const committer = open(disk);
    commit(committer, 1, 3);
    disk.fault = { call: 'write', code: 'EIO', forever: false };
    assert.throws(() => committer.commit(openFrame(sampleGroup(4, 5))), { code: 'EIO' });
    disk.end('kill', new Random(seed));
    const ready = makeReady(disk, PATHS);
    assert.equal(ready.start.head.seq, 3);
    assert.match(
      ready.notes.at(-1) ?? '',
      /offset 1\d{3}: the group of sequence 4 is not whole and was never acknowledged: it is cut off; last good sequence 3/,
    );
    assert.equal(verifyJournal(FOLDER, { disk }).damage, undefined);
  });
});

it('says so when the storage fails while no commit runs', async () => {
  const data = scratchFolder();
  try {
    const failures: Error[] = [];
    const journal = await openFileJournal({ folder: data, onFailure: (error) => failures.push(error) });
    await journal.append(sampleGroup(1, 3));
    // The thread finds its segment gone when it makes room or flushes the mark; nothing is appended any more.
    rmSync(join(data, 'high-water-mark'));
    for (let tries = 0; failures.length === 0 && tries < 100; tries += 1) await delay(50);
    assert.match(String(failures[0]), /^StorageFailed: .*another process/);
    await assert.rejects(journal.append(sampleGroup(4, 1)), { name: 'StorageFailed' });
    await journal.close();
    assert.equal(failures.length, 1);
  } finally {
    rmSync(data, { recursive: true });
  }
});

it('says so when the storage fails in an orderly end', async () => {
  const data = scratchFolder();
  try {
    const failures: unknown[] = [];
    const journal = await openFileJournal({ folder: data, onFailure: (error) => failures.push(error) });
    await journal.append(sampleGroup(1, 3));
    rmSync(join(data, 'high-water-mark'));
    await journal.close().catch((error: unknown) => failures.push(error));
    assert.equal(failures.length, 1);
    assert.match(String(failures[0]), /^StorageFailed: /);
  } finally {
    rmSync(data, { recursive: true });
  }
});

describe('a full disk', () => {
  /** A committer whose disk gives no room from here on. */
  function filled() {
    const disk = new FaultyDisk();
    const committer = open(disk);
    let seq = commit(committer, 1, 3).seq;
    disk.fault = { call: 'write', code: 'ENOSPC', forever: true };
    return {
      disk,
      committer,
      add: (count: number) => {
        // Only new room is refused: what lies in the zeros that stand ready is written.
        disk.fault = undefined;
        const head = committer.commit(openFrame(sampleGroup(seq + 1, count)));
        disk.fault = { call: 'write', code: 'ENOSPC', forever: true };
        if (head !== undefined) seq = head.seq;
        return head;
      },
    };
  }

  it('is known before a group needs the room, and what was taken until then is committed', () => {
    const { committer, disk, add } = filled();
    assert.equal(committer.isFull(), false);
    assert.equal(add(20)?.seq, 23);
    committer.prepare();
    assert.equal(committer.isFull(), true);
    assert.equal(add(10)?.seq, 33);
    committer.prepare();
    assert.equal(committer.isFull(), true);
    disk.fault = undefined;
    assert.equal(committer.passSecond(), undefined);
    assert.equal(committer.isFull(), false);
    committer.close();
    assert.deepEqual(
      [verifyJournal(FOLDER, { disk }).damage, verifyJournal(FOLDER, { disk }).records],
      [undefined, 33],
    );
  });

  it('keeps a group for which there is no room, writes nothing of it, and goes on when there is room again', () => {
    const { committer, disk } = filled();
    assert.equal(committer.commit(openFrame(sampleGroup(4, 400))), undefined);
    assert.equal(committer.isFull(), true);
    const meanwhile = verifyJournal(FOLDER, { disk });
    assert.deepEqual([meanwhile.damage, meanwhile.records], [undefined, 3]);
    assert.equal(committer.passSecond(), undefined);
    disk.fault = undefined;
    assert.equal(committer.passSecond()?.seq, 403);
    assert.equal(committer.isFull(), false);
    committer.close();
    assert.deepEqual(
      [verifyJournal(FOLDER, { disk }).damage, verifyJournal(FOLDER, { disk }).records],
      [undefined, 403],
    );
  });

  for (const call of ['create', 'rename'] as const) {
    it(`that gives no new segment at ${call} lets the old one grow, and the next come when there is room`, () => {
      const disk = new FaultyDisk();
      const committer = open(disk);
      let seq = commit(committer, 1, 3).seq;
      disk.fault = { call, code: 'ENOSPC', forever: true };
      while (!committer.isFull()) {
        seq = committer.commit(openFrame(sampleGroup(seq + 1, 20)))?.seq ?? 0;
        committer.prepare();
      }
      seq = committer.commit(openFrame(sampleGroup(seq + 1, 20)))?.seq ?? 0;
      assert.equal(verifyJournal(FOLDER, { disk }).head.seq, seq);
      assert.equal(segmentsOf(disk).length, 1);
      disk.fault = undefined;
      committer.passSecond();
      assert.equal(committer.isFull(), false);
      seq = commit(committer, seq + 1, 20).seq;
      assert.equal(segmentsOf(disk).length, 2);
      disk.end('power', new Random(1));
      assert.equal(makeReady(disk, PATHS).start.head.seq, seq);
      assert.deepEqual(
        disk.names(PATHS.journal).filter((name) => name.endsWith('.new')),
        [],
      );
    });
  }

  it('that ends with the power cut off loses nothing that was acknowledged', () => {
    const seed = 7;
    const random = new Random(seed);
    for (let number = 0; number < 50; number += 1) {
      const { committer, disk } = filled();
      assert.equal(committer.commit(openFrame(sampleGroup(4, 400))), undefined);
      if (random.chance(50)) committer.passSecond();
      disk.end('power', random);
      assert.equal(makeReady(disk, PATHS).start.head.seq, 3, `seed ${seed}, case ${number}`);
    }
  });
});
