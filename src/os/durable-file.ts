/**
 * Small files that survive a power cut: writing, making and removing a file whole or not at all, with flushes of the
 * file and its folder. Drafts of processes that are gone are removed here too. The journal and the audit trail have
 * writers of their own.
 */

import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, isAbsent } from '../base/system-fault.ts';

/** The mode of a file that only its owner may read. */
export const OWNER_ONLY = 0o600;
/** The mode of a file that everybody may read: it holds no secret. */
export const READABLE = 0o644;
/**
 * The bits of a mode by which users other than the owner may use a file or a folder, and those by which they may enter
 * a folder.
 */
const OTHERS = 0o077;
export const ENTER = 0o011;

/**
 * Replaces a small file whole: after a crash at any moment it holds either the old content or the new one, and once
 * this returns the new one survives a power cut. When it throws, nothing of the new content takes room. The file gets
 * `mode` whatever the process's umask takes away from others.
 */
export function writeDurably(path: string, content: string | Uint8Array, mode = OWNER_ONLY): void {
  const draft = writeDraft(path, content, mode);
  orWithout(draft, () => renameSync(draft, path));
  syncFolder(dirname(path));
}

/**
 * Makes a small file that does not exist yet, whole or not at all. False when it exists by now: then somebody else, who
 * came at the same moment, made it, and it is as they wrote it.
 */
export function createDurably(path: string, content: string, mode = OWNER_ONLY): boolean {
  const draft = writeDraft(path, content, mode);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    unlinkSync(draft);
    syncFolder(dirname(path));
  }
}

/** Copies a file of any size with its mode; once this returns, the copy survives a power cut. */
export function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  flushFile(to);
  syncFolder(dirname(to));
}

/**
 * Makes what was written to a file so far durable, while the caller's thread goes on: a disk that is busy for others
 * may take a second.
 */
export async function flushFileAside(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes what was written to a file so far durable. */
function flushFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Removes a file, if it is there; once this returns, it does not come back with a power cut. */
export function removeDurably(path: string): void {
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}

/** Writes the content beside its place and flushes it; the path of the draft. */
function writeDraft(path: string, content: string | Uint8Array, mode: number): string {
  const draft = `${path}.${process.pid}.new`;
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  orWithout(draft, () => {
    const file = openSync(draft, 'w', mode);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
  return draft;
}

/** Does work on a draft, which is removed when that fails: on a full disk it would keep the last room. */
function orWithout(draft: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A draft's name: that of its file, mostly with the number of the process that writes it. */
const DRAFT = /^(.+?)(?:\.(\d+))?\.new$/;

/**
 * Removes what processes that are gone left half written in a folder, of the files whose names `of` knows. A draft
 * without a process's number is one of whoever holds the folder's lock, who asks. Source: reliability P12.
 */
export function removeDrafts(folder: string, of: (name: string) => boolean): void {
  for (const name of namesIn(folder)) {
    const [, file = '', process] = DRAFT.exec(name) ?? [];
    if (file !== '' && of(file) && !isOtherProcess(Number(process))) rmSync(join(folder, name), { force: true });
  }
}

/** The names in a folder; none when it is not there. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/**
 * True when another process of that number runs. This one writes each draft in one turn, so one with its number is of
 * an earlier process.
 */
export function isOtherProcess(id: number): boolean {
  if (!(id > 0) || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** The text of a file, or `undefined` when there is none. Any other failure is thrown. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    // Node names no path where it opened a folder and could not read it.
    throw Object.assign(error as Error, { path });
  }
}

/**
 * True when users other than the owner may do to a file or a folder what `bits` of its mode say. Windows has no such
 * modes.
 */
export function isOpenToOthers(path: string, bits = OTHERS): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & bits) !== 0;
}

/** Why a file with a secret is not used: others than its owner may use it. `undefined` where only the owner may. */
export function exposure(path: string): string | undefined {
  if (!isOpenToOthers(path)) return undefined;
  return `${path} can be read by users other than its owner: forbid that with chmod go= ${path}`;
}

/**
 * Throws, with `code` and `path` as the system does, for a path that is not a file (`EISDIR`, `ENOTREG`: a device, a
 * pipe), has more bytes than `most` (`EFBIG`), or is not there. Nothing of it is opened: a pipe would wait for its
 * writer, a device may have no end.
 */
export function expectFile(path: string, most: number): void {
  const found = statSync(path);
  const code = found.isDirectory() ? 'EISDIR' : !found.isFile() ? 'ENOTREG' : found.size > most ? 'EFBIG' : undefined;
  if (code !== undefined) throw Object.assign(new Error(`${code}: ${path}`), { code, path });
}

/** Makes names in a folder durable. Windows has no such call and orders renames itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes a folder and those that it lies in, for their owner only, so that they last; nothing when it is there. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}
