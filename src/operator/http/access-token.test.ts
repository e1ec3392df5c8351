import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CommandFailed, EXIT_CONFIG } from '../../os/command-failed.ts';
import { DemoFileError, readDemoFile, writeDemoFile } from '../demo/demo-file.ts';
import { ensureAccessToken, readAccessToken } from './access-token.ts';

test('a token and secrets of demo users that others can read are refused, not used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-token-'));
  const [token, demo] = [join(folder, 'operator.token'), join(folder, 'demo-users.json')];
  try {
    const made = ensureAccessToken(token);
    writeDemoFile(demo, { complete: true, users: [] });
    assert.equal(statSync(token).mode & 0o777, 0o600);
    for (const mode of [0o640, 0o604, 0o660]) {
      for (const path of [token, demo]) chmodSync(path, mode);
      const isRefused = (error: unknown): boolean =>
        error instanceof CommandFailed &&
        error.exitCode === EXIT_CONFIG &&
        /users other than its owner.*chmod go= .*remove/.test(error.message);
      assert.throws(() => readAccessToken(token), isRefused);
      assert.throws(() => ensureAccessToken(token), isRefused);
      assert.throws(
        () => readDemoFile(demo),
        (error) => error instanceof DemoFileError && /chmod go= /.test(error.message),
      );
    }
    for (const path of [token, demo]) chmodSync(path, 0o600);
    assert.equal(readAccessToken(token), made);
    assert.deepEqual(readDemoFile(demo), { complete: true, users: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
