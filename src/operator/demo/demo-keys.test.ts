import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIRST_DAY } from '../../../test/kit/money/listed.ts';
import { World } from '../../../test/kit/money/world.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import { DAY_MS, type EpochMs, istDay, wallOf } from '../../base/time.ts';
import type { Command } from '../../core/command.ts';
import type { Reply } from '../../core/reply.ts';
import { issueCredentials } from '../operations/issued-credentials.ts';
import { KeyOperations } from '../operations/key-operations.ts';
import { readDemoFile, writeDemoFile } from './demo-file.ts';
import { renewDemoKeys } from './demo-keys.ts';

class PowerCut extends Error {}

/**
 * A data folder of which the demo users were made and shown, and operations that lose power after `budget` renewals.
 */
class Folder {
  readonly folder = mkdtempSync(join(tmpdir(), 'sauda-demo-'));
  readonly path = join(this.folder, 'demo-users.json');
  readonly users = ['SD1001', 'SD1002', 'SD1003'].map((userId) => issueCredentials(userId, false));
  readonly world = new World(testPorts(), FIRST_DAY);
  budget = Number.POSITIVE_INFINITY;
  readonly logged: string[] = [];
  readonly keys: KeyOperations;

  constructor() {
    for (const { userId } of this.users) this.world.user(userId, 0);
    writeDemoFile(this.path, { complete: true, users: this.users });
    const submit = (command: Command): Reply => {
      this.budget -= 1;
      if (this.budget < 0) throw new PowerCut();
      return this.world.submit(command).reply;
    };
    const engine = worldEngine(this.world, { submit });
    const withApiKey = (_userId: string, _sealed: string, apiKey: string) => apiKey;
    const log = () => assert.fail('not an act');
    this.keys = new KeyOperations({
      engine,
      withApiKey,
      enrol: () => assert.fail('nothing is reset'),
      startRenewsDemo: () => true,
      now: () => wallOf(this.world.at),
      log,
    });
  }

  start(): Promise<void> {
    return renewDemoKeys(this.path, this.keys, (message) => this.logged.push(message));
  }

  later(days: number): void {
    this.world.at = (this.world.at + days * DAY_MS) as EpochMs;
  }

  /** The keys that the books hold for the users. */
  inForce(): string[] {
    const { accounts, cards } = this.world.state;
    return [...accounts].map(({ card }) => cards.read(card).sealedCredentials);
  }
}

async function inFolder(body: (folder: Folder) => Promise<void>): Promise<void> {
  const folder = new Folder();
  try {
    await body(folder);
  } finally {
    rmSync(folder.folder, { recursive: true });
  }
}

test('keys of demo users are renewed by a start in their last 30 days, and shown', () =>
  inFolder(async (folder) => {
    folder.later(334);
    await folder.start();
    assert.deepEqual(readDemoFile(folder.path), { complete: true, users: folder.users });
    folder.later(1);
    await folder.start();
    const renewed = readDemoFile(folder.path);
    assert.deepEqual([renewed?.complete, renewed?.unshown, renewed?.renewing], [true, true, undefined]);
    const keys = renewed?.users.map(({ apiKey }) => apiKey) ?? [];
    assert.deepEqual(folder.inForce(), keys);
    assert.equal(new Set([...keys, ...folder.users.map(({ apiKey }) => apiKey)]).size, 6);
    const others = (user: object) => ({ ...user, apiKey: '' });
    assert.deepEqual(renewed?.users.map(others), folder.users.map(others), 'nothing else is another');
    for (const { apiKeyIssuedOn } of folder.world.state.accounts) assert.equal(apiKeyIssuedOn, istDay(folder.world.at));
    await folder.start();
    assert.deepEqual(folder.inForce(), keys, 'once is enough');
  }));

test('keys of demo users that have ended are renewed too', () =>
  inFolder(async (folder) => {
    folder.later(1_000);
    await folder.start();
    assert.deepEqual(
      folder.inForce(),
      readDemoFile(folder.path)?.users.map(({ apiKey }) => apiKey),
    );
  }));

test('a renewal that is cut off is completed by the next start, with the keys that it wrote down', async () => {
  for (let budget = 0; budget < 3; budget += 1) {
    await inFolder(async (folder) => {
      folder.later(340);
      folder.budget = budget;
      await assert.rejects(folder.start(), PowerCut);
      const written = readDemoFile(folder.path);
      assert.equal(written?.renewing, true);
      folder.budget = Number.POSITIVE_INFINITY;
      await folder.start();
      assert.deepEqual(
        folder.inForce(),
        written?.users.map(({ apiKey }) => apiKey),
        `cut off after ${budget}`,
      );
      assert.equal(readDemoFile(folder.path)?.renewing, undefined);
    });
  }
});

test('renewDemoKeys reports a write that the disk refuses, and keeps the keys until a later start', () =>
  inFolder(async (folder) => {
    folder.later(340);
    folder.budget = 0;
    const draft = `${folder.path}.${process.pid}.new`;
    mkdirSync(draft);
    await folder.start();
    assert.deepEqual(readDemoFile(folder.path), { complete: true, users: folder.users });
    assert.match(folder.logged.join(), /demo-users\.json could not be written, so a later start renews the API keys/);
    rmSync(draft, { recursive: true });
    folder.budget = Number.POSITIVE_INFINITY;
    await folder.start();
    assert.equal(folder.logged.length, 1);
    assert.notDeepEqual(readDemoFile(folder.path)?.users, folder.users);
  }));

test('a folder without demo users, or whose users are not complete, is left alone', () =>
  inFolder(async (folder) => {
    folder.later(340);
    folder.budget = 0;
    writeDemoFile(folder.path, { complete: false, users: folder.users });
    await folder.start();
    rmSync(folder.path);
    await folder.start();
    assert.equal(readDemoFile(folder.path), undefined);
  }));
