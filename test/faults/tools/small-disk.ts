import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const mounts: string[] = [];

/** A small file system in memory, in a folder of its own under `scratch`. Needs root. */
export function smallDisk(scratch: string, name: string, megabytes: number): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]);
  mounts.push(folder);
  return folder;
}

/** Lets go of all of them, also while a process that is just being killed still has files of one open. */
export function unmountSmallDisks(): void {
  for (const folder of mounts.splice(0).toReversed()) execFileSync('umount', ['--lazy', folder]);
}

/** Takes all the room of a disk; returns what gives it back. */
export function fill(folder: string): () => void {
  const path = join(folder, 'filler');
  const file = openSync(path, 'w');
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
    try {
      for (;;) writeSync(file, new Uint8Array(bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
  closeSync(file);
  return () => rmSync(path);
}
