/**
 * Finds how many files the history has and how large they are, for the operator's page: it asks every few seconds, and
 * there may be very many.
 */
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
  const paths = journalPaths(data);
  const segments = new LookedAtFolder(paths.journal);
  const snapshots = new LookedAtFolder(paths.snapshots);
  const trail = new LookedAtFolder(trailFolder(data));
  const look = async (): Promise<KeptFiles> => {
    const found = await Promise.all([segments.look(), snapshots.look(), trail.look()]);
    return { segments: found[0], snapshots: found[1], trail: found[2] };
  };
  let last: { readonly at: number; readonly files: Promise<KeptFiles> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), files: look() };
    return last.files;
  };
}

/** A folder in which only the newest files change, by name: each of the others is looked at once. */
class LookedAtFolder {
  private readonly folder: string;
  /** The sizes in bytes, by name, of the files that came before the newest when they were looked at. */
  private older: ReadonlyMap<string, number> = new Map();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The files of the folder; one that is removed meanwhile does not count. */
  async look(): Promise<KeptFiles['segments']> {
    const names = await readdir(this.folder).catch(() => []);
    const newest: KeptFile[] = [];
    const older = new Map<string, number>();
    for (const name of names.sort().reverse()) {
      if (newest.length < MOST_NAMED) {
        const file = await fileAt(this.folder, name);
        if (file !== undefined) newest.push(file);
      } else {
        const bytes = this.older.get(name) ?? (await fileAt(this.folder, name))?.bytes;
        if (bytes !== undefined) older.set(name, bytes);
      }
    }
    this.older = older;
    const sizes = [...older.values(), ...newest.map(({ bytes }) => bytes)];
    return { count: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0), newest };
  }
}

async function fileAt(folder: string, name: string): Promise<KeptFile | undefined> {
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found?.isFile() ? { name, bytes: found.size, changedAt: Math.floor(found.mtimeMs) } : undefined;
}
