import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { trailFolder } from '../audit/trail-file.ts';
import { journalPaths } from '../journal/upkeep/examine.ts';
import type { KeptFile, KeptFiles } from '../operator/operations/service/status-operations.ts';

/** The files are looked at again when the last look is older than this, in milliseconds. */
const FRESH_MS = 5_000;
/** The newest files of a folder that are named one by one. */
const MOST_NAMED = 10;

/** Looks at the files of the journal, its snapshots and the audit trail; those who ask at once share one look. */
export function keptFilesOf(data: string): () => Promise<KeptFiles> {
  let last: { readonly at: number; readonly files: Promise<KeptFiles> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > FRESH_MS)
      last = { at: performance.now(), files: look(data) };
    return last.files;
  };
}

async function look(data: string): Promise<KeptFiles> {
  const paths = journalPaths(data);
  const folders = [folderOf(paths.journal), folderOf(paths.snapshots), folderOf(trailFolder(data))] as const;
  const [segments, snapshots, trail] = await Promise.all(folders);
  return { segments, snapshots, trail };
}

/** The files of a folder; one that is removed meanwhile does not count. */
async function folderOf(folder: string): Promise<KeptFiles['segments']> {
  const names = await readdir(folder).catch(() => []);
  const files: KeptFile[] = [];
  for (const name of names.sort().reverse()) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) files.push({ name, bytes: found.size, changedAt: Math.floor(found.mtimeMs) });
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { count: files.length, bytes, newest: files.slice(0, MOST_NAMED) };
}
