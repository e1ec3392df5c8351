import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { groupOf } from '../../../../test/kit/cluster/test-cluster.ts';
import { createKeyFile, newKeys } from '../../../gateway/credentials/key-file.ts';
import { FolderInUse, WriterLock } from '../../../journal/disk/writer-lock.ts';
import { openFileJournal } from '../../../journal/file-journal.ts';
import { CommandFailed } from '../../../os/command-failed.ts';
import { ROOM_KEPT } from '../../../os/disk-room.ts';
import { expectNoMember, joinAtStart, joinCluster } from '../membership.ts';
import { provision } from '../provision.ts';
import { differences, sharedFilesOf } from './shared-files.ts';

function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-shared-'));
  return body(folder).finally(() => rmSync(folder, { recursive: true }));
}

test('a provisioned folder has the same files, and each file that differs is named', () =>
  inFolder(async (folder) => {
    const [from, to] = [join(folder, 'one'), join(folder, 'two')];
    await assert.rejects(provision(from, to), CommandFailed);
    rmSync(from, { recursive: true, force: true });
    createKeyFile(join(folder, 'secret.key'), newKeys());
    writeFileSync(join(folder, 'identity'), 'an identity\n');
    await assert.rejects(provision(folder, to), /is not the archive of a member/);
    joinCluster(folder, 'three');
    await assert.rejects(
      provision(folder, to, () => ROOM_KEPT),
      /has 256 MiB free, and 257 MiB are needed/,
    );
    assert.deepEqual(readdirSync(to), []);
    await provision(folder, to);
    assert.throws(() => expectNoMember(to), /the archive of a member of the cluster three/);
    const own = sharedFilesOf(folder);
    assert.notEqual(own.keys, '');
    assert.deepEqual(differences('two', own, sharedFilesOf(to)), []);
    await assert.rejects(provision(folder, to), /a data folder already/);
    writeFileSync(join(to, 'identity'), 'another identity\n');
    assert.deepEqual(differences('two', own, sharedFilesOf(to)), [
      'two has another identity: take the files of the member that is right',
    ]);
    const blank = sharedFilesOf(join(folder, 'none'));
    assert.match(differences('two', blank, own)[0] ?? '', /sauda cluster provision/);
    assert.deepEqual(differences('two', own, blank), []);
  }));

test('a copy of a history has its membership before its identity, so no part of it is started alone', () =>
  inFolder(async (folder) => {
    const [from, to] = [join(folder, 'one'), join(folder, 'two')];
    const journal = await openFileJournal({ folder: from });
    await journal.append(groupOf(0, 1, 1));
    await journal.close();
    createKeyFile(join(from, 'secret.key'), newKeys());
    writeFileSync(join(from, 'identity'), 'an identity\n');
    joinCluster(from, 'three');
    await provision(from, to);
    assert.throws(() => expectNoMember(to), /the archive of a member of the cluster three/);
    const [membership, identity] = ['membership.json', 'identity'].map((name) => statSync(join(to, name)).ctimeMs);
    assert.ok((membership ?? 0) <= (identity ?? 0));
  }));

test('a member is not started on the folder of a running service, which stays one of one machine', () =>
  inFolder(async (folder) => {
    const running = new WriterLock(folder);
    assert.throws(() => joinAtStart(folder, 'three'), FolderInUse);
    running.release();
    expectNoMember(folder);
    joinAtStart(folder, 'three');
    assert.throws(() => expectNoMember(folder), /of the cluster three/);
  }));
