import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { scratchFolder } from '../../kit/journal/image.ts';
import { fill } from '../../kit/journal/sample.ts';

const folder = scratchFolder();
after(() => rmSync(folder, { recursive: true }));

async function writer(): Promise<{ child: ChildProcess; said: unknown }> {
  const child = fork(new URL('./lock-child.ts', import.meta.url), [folder]);
  const [said] = await once(child, 'message');
  return { child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

it('lets one process write, refuses the second with a clear message, and frees the folder when the first is killed', async () => {
  const first = await writer();
  assert.deepEqual(first.said, { opened: true, seq: 10 });

  const second = await writer();
  const message = `FolderInUse: ${folder} is in use: another running service writes to it (it holds ${folder}/writer.lock). Stop it first.`;
  assert.deepEqual(second.said, { opened: false, message });
  await assert.rejects(openFileJournal({ folder }), { name: 'FolderInUse' });

  const beside = verifyJournal(folder);
  assert.deepEqual([beside.damage, beside.records], [undefined, 10]);

  await kill(first.child);
  const third = await writer();
  assert.deepEqual(third.said, { opened: true, seq: 20 });
  await kill(third.child);
});

it('refuses a second journal of the same process too', async () => {
  const journal = await openFileJournal({ folder });
  await assert.rejects(openFileJournal({ folder }), { name: 'FolderInUse' });
  // On POSIX a lock ends when its process closes any handle of the file.
  const other = await writer();
  await kill(other.child);
  assert.match(JSON.stringify(other.said), /FolderInUse/, 'the refusal took nothing from the first');
  assert.equal(statSync(join(folder, 'writer.lock')).size, 0, 'a lock takes no room: a full disk stops nobody');
  assert.deepEqual(readdirSync(folder).sort(), ['high-water-mark', 'journal', 'writer.lock']);
  await fill(journal, 30);
  await journal.close();
  const again = await openFileJournal({ folder });
  assert.equal(again.head().seq, 30);
  await again.close();
});
