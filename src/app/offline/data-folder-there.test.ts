import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataFolder } from '../../folder/data-folder.ts';
import { EXIT_FAILED } from '../../os/command-failed.ts';
import { compare } from '../branches/compare-folders.ts';
import { EXIT_DAMAGED, exitCodeOf } from '../exit-codes.ts';
import { backUp, restore, verify } from './offline-commands.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sauda-there-'));
after(() => rmSync(scratch, { recursive: true }));

/** The commands that read a data folder whole. */
const COMMANDS: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  verify: (folder) => verify(dataFolder(folder), true, { auditAnchor: '', auditAnchorKey: '' }),
  backup: (folder) => backUp(dataFolder(folder), join(scratch, 'copy')),
  restore: (folder) => restore(dataFolder(join(scratch, 'restored')), folder),
  compare: (folder) => compare({ folders: [folder] }),
};

for (const [name, command] of Object.entries(COMMANDS)) {
  test(`${name} reports a mistyped folder, and a lost journal as damage`, async () => {
    const empty = join(scratch, name);
    mkdirSync(empty);
    for (const folder of [join(scratch, 'nowhere'), empty]) {
      await assert.rejects(command(folder), { message: `${folder} is not a data folder`, exitCode: EXIT_FAILED });
    }
    for (const [index, file] of ['identity', 'secret.key', 'high-water-mark'].entries()) {
      const lost = join(scratch, `${name}-${index}`);
      mkdirSync(lost);
      writeFileSync(join(lost, file), 'something');
      await assert.rejects(command(lost), (error) => exitCodeOf(error) === EXIT_DAMAGED, file);
    }
  });
}
