/** The source of the page: the files that a build is made of, and one text that names their content. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { filesIn } from './page-files.ts';

/** Where the page stands in the project. */
export const WEB_FOLDER = 'web';
/** Where its build stands. */
export const DIST_FOLDER = 'dist';
/** Without this file there is nothing that could be built. */
const CONFIG_FILE = 'vite.config.ts';
/** Everything that a build reads beside the packages, which the lock file names. */
const SOURCES = [WEB_FOLDER, 'client/src', 'src/page/builder.ts', 'package-lock.json'];
/** The output of builds, and what tools leave. */
const NOT_SOURCE = new RegExp(`(^|/)(${DIST_FOLDER}|\\.[^/]*|node_modules)(/|$)`);

/**
 * SHA-256 of the names and contents of all sources of the page, in hexadecimal. `undefined` where the project came
 * without them, as a published package does. Takes some milliseconds.
 */
export function pageSourceOf(project: string): string | undefined {
  if (!existsSync(join(project, WEB_FOLDER, CONFIG_FILE))) return undefined;
  const digest = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesOf(project, source))) {
    const content = readFileSync(join(project, path));
    digest.update(`${path}\n${content.length}\n`).update(content);
  }
  return digest.digest('hex');
}

/** The files of a folder, or the file itself, from the root of the project, in one order on every machine. */
function filesOf(project: string, source: string): string[] {
  const start = join(project, source);
  if (!existsSync(start)) return [];
  if (/\.\w+$/.test(source)) return [source];
  return filesIn(start)
    .map((path) => relative(project, path).split(sep).join('/'))
    .filter((path) => !NOT_SOURCE.test(path))
    .sort();
}
