/**
 * The built page as it stands on disk: `index.html`, `operator.html` and what they load, each packed beforehand. The
 * folder is read once into memory, so a request never names a file of the disk.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

/** The codings of packed files, best first, and the endings under which a build writes them beside their files. */
export const PACKINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
] as const;

/** A way in which HTTP packs a body. Source: RFC 9110 section 8.4.1. */
export type Coding = (typeof PACKINGS)[number]['coding'];

/** A coding with a weight above 0, in small letters. Source: RFC 9110 section 12.4.2. */
const WANTED = /^\s*(br|gzip)\s*(?:;\s*q=(?:1(?:\.0{0,3})?|0\.(?!0{1,3}\s*$)\d{1,3})\s*)?$/;

/** Served by the operator's port alone. */
export const OPERATORS_PAGE = '/operator.html';

/** The file of a build that names the source it was made of. */
export const STAMP_FILE = 'source.txt';

/** Types by the ending of a name. A file with another ending is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

/** Files of this folder have a hash of their content in their names. */
const HASHED = '/assets/';

/** One file of the page. */
export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly packed: ReadonlyMap<Coding, Buffer>;
  /** Its name changes with its content, so stores may keep it for ever. */
  readonly isHashed: boolean;
}

/** The files of the page by their paths on the web: `/index.html`, `/assets/index-4f2a.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** A file as a client gets it that reads these codings. */
export interface SentFile {
  readonly bytes: Buffer;
  /** `undefined` for bytes as they are. */
  readonly coding: Coding | undefined;
}

/** The source that a folder's build was made of; `undefined` for a folder without a whole build. */
export function stampOf(folder: string): string | undefined {
  const path = join(folder, STAMP_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

/** The files in a folder, however deep. Links are not followed: they may lead out of the folder. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * Reads a built page. `undefined` when the folder holds none, or another start puts its build there at this moment.
 * Throws what the disk refuses.
 */
export function readPageFiles(folder: string): PageFiles | undefined {
  const stamp = stampOf(folder);
  if (stamp === undefined) return undefined;
  const files = readAll(folder);
  return files?.has('/index.html') && stampOf(folder) === stamp ? files : undefined;
}

/** Whether a client reads answers packed so, by its `Accept-Encoding`. Source: RFC 9110 section 12.5.3. */
export function acceptsCoding(acceptEncoding: string, wanted: Coding): boolean {
  return acceptEncoding
    .toLowerCase()
    .split(',')
    .some((coding) => WANTED.exec(coding)?.[1] === wanted);
}

/** The smallest form of a file that a client reads. */
export function smallest({ plain, packed }: PageFile, accepts: (coding: Coding) => boolean): SentFile {
  for (const { coding } of PACKINGS) {
    const bytes = packed.get(coding);
    if (bytes !== undefined && accepts(coding)) return { bytes, coding };
  }
  return { bytes: plain, coding: undefined };
}

function readAll(folder: string): PageFiles | undefined {
  try {
    const served = filesIn(folder).filter((path) => Object.hasOwn(TYPES, extname(path)));
    return new Map(served.map((path) => [webPath(folder, path), readOne(folder, path)]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function webPath(folder: string, path: string): string {
  return `/${relative(folder, path).split(sep).join('/')}`;
}

function readOne(folder: string, path: string): PageFile {
  const packed = new Map<Coding, Buffer>();
  for (const { coding, ending } of PACKINGS) {
    if (existsSync(path + ending)) packed.set(coding, readFileSync(path + ending));
  }
  return {
    type: TYPES[extname(path)] ?? '',
    plain: readFileSync(path),
    packed,
    isHashed: webPath(folder, path).startsWith(HASHED),
  };
}
