import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, it } from 'node:test';
import { openSqliteJournal } from '../../src/journal/sqlite-journal.ts';
import { scratchFolder } from './image.ts';
import { fill, sampleGroup } from './sample.ts';

const folder = scratchFolder();
after(() => rmSync(folder, { recursive: true }));

it('rejects a commit that failed and every one after it, also when the cause is gone; a new start finds what was durable', async () => {
  const journal = await openSqliteJournal({ folder });
  await fill(journal, 10);
  const intruder = new DatabaseSync(join(folder, 'journal.db'));
  intruder.exec('BEGIN IMMEDIATE');
  await assert.rejects(journal.append(sampleGroup(11, 1)), { name: 'StorageFailed', message: /database is locked/ });
  intruder.exec('ROLLBACK');
  intruder.close();
  await assert.rejects(journal.append(sampleGroup(11, 1)), { name: 'StorageFailed', message: /database is locked/ });
  assert.equal(journal.head().seq, 10);
  await journal.close();

  const next = await openSqliteJournal({ folder });
  assert.equal(next.head().seq, 10);
  assert.equal((await next.append(sampleGroup(11, 1))).seq, 11);
  await next.close();
});
