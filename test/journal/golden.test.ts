import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { LIVE } from '../../src/engine/live.ts';
import { openFileJournal } from '../../src/journal/file-journal.ts';
import { recover } from '../../src/journal/recovery.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { scratchFolder } from './image.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const scratch = scratchFolder();
after(() => rmSync(scratch, { recursive: true }));

const versions = readdirSync(GOLDEN).filter((name) => /^v\d+$/.test(name));

describe('journals of every released version', () => {
  it('are kept', () => {
    assert.ok(versions.includes('v1'));
  });

  for (const version of versions) {
    it(`are whole and fold into the recorded state: ${version}`, async () => {
      const folder = join(scratch, version);
      cpSync(join(GOLDEN, version), folder, { recursive: true });
      const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
      const found = verifyJournal(folder);
      assert.deepEqual([found.damage, found.head.seq, found.head.hash], [undefined, expected.seq, expected.hash]);

      const journal = await openFileJournal({ folder });
      try {
        const { replica } = recover(journal, undefined, LIVE);
        assert.equal(replica.hash(), expected.stateHash);
      } finally {
        await journal.close();
      }
    });
  }
});
