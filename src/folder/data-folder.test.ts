import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CONFIG_FILE } from '../config.ts';
import { dataFolder, filesBesideJournal } from './data-folder.ts';

test('a backup has every file that a data folder names, and the settings among them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-data-folder-'));
  try {
    const { folder: own, spanFiles, audit, tapes, ...files } = dataFolder(folder);
    for (const path of [spanFiles, audit, tapes]) mkdirSync(path);
    const tape = join(tapes, `${'a'.repeat(64)}.tape`);
    const paths = [...Object.values(files), join(spanFiles, 'a'), join(audit, 'b'), tape, join(folder, CONFIG_FILE)];
    for (const path of paths) writeFileSync(path, '');
    const { first, needed, naming } = filesBesideJournal(dataFolder(own));
    const named = [...first(), ...needed(), ...naming()].map((name) => join(folder, name));
    assert.deepEqual(named.sort(), [...new Set(paths)].sort());
    assert.deepEqual(naming(), [join('audit', 'b')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
