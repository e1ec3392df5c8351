import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { journalContract } from '../../kit/journal/journal-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'sauda-journal-'));
after(() => rmSync(folder, { recursive: true }));

journalContract({ name: 'memory', lasts: false, open: () => Promise.resolve(new MemoryJournal()) });
journalContract({
  name: 'segment files',
  lasts: true,
  open: (place) => openFileJournal({ folder: join(folder, place) }),
});
