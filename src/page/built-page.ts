/**
 * The page that a start serves: the build of this source, made now when there is none. The service starts
 * whatever becomes of it: with the build that is there, or without the page.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type PageFiles, readPageFiles, stampOf } from './page-files.ts';
import { DIST_FOLDER, pageSourceOf, WEB_FOLDER } from './page-source.ts';

const BUILDER = join(import.meta.dirname, 'builder.ts');
/** A build takes a second or two; one that takes longer than this is given up. */
const LONGEST_BUILD_MS = 60_000;
/** Another start may be putting its build into place. */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 50;
const LONGEST_WORDS = 300;

/** How the page is found and made; parts of it can be replaced by tests. */
export interface PageMaking {
  readonly project: string;
  /** Whether the package that builds is there. */
  readonly canBuild: () => boolean;
  /** Builds into the project's folder. Gives one line that says how long it took; rejects with the reason in words. */
  readonly build: () => Promise<string>;
  /** Takes one line for whoever started the service. */
  readonly say: (line: string) => void;
}

/** The files of the page, built before when that has to be; `undefined` without a page. Never rejects. */
export async function builtPage(making: PageMaking): Promise<PageFiles | undefined> {
  try {
    await makeCurrent(making);
    return await readWhenPlaced(join(making.project, WEB_FOLDER, DIST_FOLDER));
  } catch (error) {
    making.say(`the page cannot be read: ${wordsOf(error)}; the service starts without it`);
    return undefined;
  }
}

/** The way of a start: the build runs in a process of its own. */
export function pageMaking(project: string, say: (line: string) => void): PageMaking {
  return { project, canBuild, build: () => buildInChild(project), say };
}

async function makeCurrent({ project, canBuild, build, say }: PageMaking): Promise<void> {
  const source = pageSourceOf(project);
  const built = stampOf(join(project, WEB_FOLDER, DIST_FOLDER));
  // A published package brings its build and no source.
  if (built === (source ?? built) && built !== undefined) return;
  const otherwise = built === undefined ? 'the service starts without it' : 'an earlier build is served';
  if (source === undefined || !canBuild()) {
    const missing = source === undefined ? 'its source is not here' : 'the package vite is not here';
    say(`the page is not built, as ${missing}; ${otherwise}`);
    return;
  }
  try {
    say(await build());
  } catch (error) {
    say(`the page could not be built: ${wordsOf(error)}; ${otherwise}`);
  }
}

async function readWhenPlaced(folder: string): Promise<PageFiles | undefined> {
  for (let look = 1; look < LOOKS; look += 1) {
    const files = readPageFiles(folder);
    if (files !== undefined || stampOf(folder) === undefined) return files;
    await setTimeout(BETWEEN_LOOKS_MS);
  }
  return readPageFiles(folder);
}

function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

async function buildInChild(project: string): Promise<string> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', BUILDER], {
    cwd: project,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_BUILD_MS,
    killSignal: 'SIGKILL',
  });
  const output = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out = (output.out + text).slice(-LONGEST_WORDS);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.error = (output.error + text).slice(0, LONGEST_WORDS);
  });
  const [code, signal] = await once(child, 'close');
  if (code === 0) return lastLineOf(output.out);
  throw new Error(signal === null ? reasonIn(output.error) : `the build was ended by ${signal}`);
}

function lastLineOf(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** The builder says the reason in its first line. Node names an error behind the line of the source that threw it. */
function reasonIn(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find((line) => line !== '') ?? 'no reason was given';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n', 1).join('') : String(error);
}
