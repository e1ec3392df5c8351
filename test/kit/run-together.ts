import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..');

/** The test files of these folders, in the order of their names. `folders`: from the folder of the project on. */
export function testFilesOf(folders: readonly string[]): string[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: ROOT },
  ).sort();
}

/**
 * Runs the test files of these folders in this process, one after the other: the project is loaded once, and not once a
 * file. So none of them may have a hook before or after each test outside of a `describe`, which would be of all files.
 */
export async function runTogether(...folders: readonly string[]): Promise<void> {
  for (const file of testFilesOf(folders)) await import(pathToFileURL(join(ROOT, file)).href);
}
