/**
 * Builds the page: `npm run build`, and the child of a start that finds no build of its source. The build is made and
 * packed in a folder of its own and put in its place whole, so starts at the same time do not spoil each other's.
 */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { filesIn, PACKINGS, STAMP_FILE, stampOf } from './page-files.ts';
import { DIST_FOLDER, pageSourceOf, WEB_FOLDER } from './page-source.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..');
const WEB = join(PROJECT, WEB_FOLDER);
const DIST = join(WEB, DIST_FOLDER);
/** Begins the name of a folder that a build is made in. */
const UNFINISHED = '.build-';
/** A folder that a killed build left is older than this. */
const LEFT_AFTER_MS = 600_000;
/** Pictures and fonts are packed already. */
const PACKABLE = /\.(html|js|css|svg|json|webmanifest)$/;
/** Below this number of bytes packing saves less than its header costs. */
const WORTH_PACKING = 512;

/** Packs one text, by the name of its coding. The best quality: a build is made once and read many times. */
const PACK = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const;

async function buildPage(): Promise<void> {
  const source = pageSourceOf(PROJECT);
  if (source === undefined) throw new Error(`${WEB} holds no source of the page`);
  const made = mkdtempSync(join(WEB, UNFINISHED));
  try {
    removeLeftOvers(statSync(made).mtimeMs);
    await build({
      root: WEB,
      configFile: join(WEB, 'vite.config.ts'),
      configLoader: 'native',
      logLevel: 'silent',
      build: { outDir: made },
    });
    await packAll(made);
    writeFileSync(join(made, STAMP_FILE), `${source}\n`);
    // One user may build and another run the service.
    chmodSync(made, 0o755);
    putInPlace(made, source);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function packAll(folder: string): Promise<void> {
  const paths = filesIn(folder).filter((path) => PACKABLE.test(path) && statSync(path).size >= WORTH_PACKING);
  await Promise.all(
    paths.flatMap((path) => {
      const bytes = readFileSync(path);
      return PACKINGS.map(async ({ coding, ending }) => writeFile(path + ending, await PACK[coding](bytes)));
    }),
  );
}

/** Of two builds that end at once the one that comes later gives way when both are of the same source. */
function putInPlace(made: string, source: string): void {
  const before = `${made}-before`;
  try {
    renameSync(DIST, before);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  try {
    renameSync(made, DIST);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error)) || stampOf(DIST) !== source) throw error;
  } finally {
    rmSync(before, { recursive: true, force: true });
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/** Removes what builds left that were killed; one that runs is younger. */
function removeLeftOvers(now: number): void {
  for (const name of readdirSync(WEB)) {
    const path = join(WEB, name);
    if (!name.startsWith(UNFINISHED)) continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && now - stat.mtimeMs > LEFT_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** The first fault of a build in one line: its words, and the place in the source. */
function reasonOf(error: unknown): string {
  const { errors: [first] = [error] } = error as { readonly errors?: readonly unknown[] };
  const text = stripVTControlCharacters(isWorded(first) ? first.message : String(first));
  const place = /\[ (\S+:\d+:\d+) \]/.exec(text)?.[1];
  return `${text.split('\n', 1).join('').trim()}${place === undefined ? '' : ` (${place})`}`;
}

function isWorded(value: unknown): value is { readonly message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

const began = performance.now();
try {
  await buildPage();
  console.log(`the page is built in ${((performance.now() - began) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
