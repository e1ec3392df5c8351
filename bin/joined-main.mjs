// Finds the program that the launcher runs: the source files, joined into a few. Plain JavaScript for Node 20 and later.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders of all files that the program is made of. */
export const SOURCES = ['src', join('client', 'src')];
/** A package that is joined too, as a start would load 373 files of it. Of its files the unused ones are left out. */
export const JOINED_PACKAGE = 'typebox';
const BUILDER = fileURLToPath(new URL('join.mjs', import.meta.url));
/** It joins the files, and comes with the tools of the page. */
const JOINER = 'rolldown';
/** To join the files takes a second or two; an attempt that takes longer than this is given up. */
const LONGEST_BUILD_MS = 60_000;

/**
 * The file that `node` is to run for a project: its joined source, which is made now when this source was not joined
 * before. Starts with it take a fifth less time, and the service takes less memory. The source itself where the package
 * that joins is missing, and, with a line that says why, where joining it fails.
 */
export function mainOf(project, node) {
  const source = join(project, 'src', 'main.ts');
  if (!existsSync(join(project, manifestOf(JOINER)))) return source;
  try {
    const folder = join(project, 'node_modules', '.cache', 'joined', digestOf(project));
    if (!existsSync(folder)) makeJoined(project, node, folder);
    markUsed(folder);
    return join(folder, 'main.mjs');
  } catch (error) {
    console.error(`The source files could not be joined, so they run as they are: ${error.message}`);
    return source;
  }
}

/** The name of what would be joined: of its place, which is in it, and of all that it is made of. */
function digestOf(project) {
  const files = SOURCES.flatMap((folder) => filesIn(project, folder));
  const digest = createHash('sha256').update(project);
  for (const file of [...files, join('bin', 'join.mjs'), manifestOf(JOINER), manifestOf(JOINED_PACKAGE)]) {
    const content = readFileSync(join(project, file));
    digest.update(`\n${file}\n${content.length}\n`).update(content);
  }
  return digest.digest('hex').slice(0, 32);
}

/** It has the version of a package. */
function manifestOf(name) {
  return join('node_modules', name, 'package.json');
}

function filesIn(project, folder) {
  return readdirSync(join(project, folder), { recursive: true })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .sort()
    .map((path) => join(folder, path));
}

function makeJoined(project, node, folder) {
  // Where nothing can be written, no start waits for an attempt.
  mkdirSync(join(folder, '..'), { recursive: true });
  const { status, stderr, error } = spawnSync(node, [BUILDER, project, folder], {
    encoding: 'utf8',
    timeout: LONGEST_BUILD_MS,
    killSignal: 'SIGKILL',
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(stderr.trim().split('\n', 1).join('') || `${BUILDER} ended with ${status}`);
}

/** What is used stays when others are removed. */
function markUsed(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // Another user of the machine has made it; nothing depends on the mark of one start.
  }
}
