/**
 * The imported files of a data folder by their digests: instruments, SPAN files and tapes. They are listed and read in
 * pieces for other members. A file is hashed once, in pieces, so that no turn of the loop is long. Digests of files
 * that never change are kept over starts.
 */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { notedDigests } from '../../../folder/data-folder.ts';
import { namesIn } from '../../../os/durable-file.ts';
import { bytesAt, PIECE_BYTES } from './file-pieces.ts';
import { type HashedFile, NotedDigests } from './noted-digests.ts';

/** An imported file, named by its place below the data folder. */
export type CarriedFile = Omit<HashedFile, 'stamp'>;

export const INSTRUMENTS = 'instruments.json';
/** Names of files that never change once they have them. */
const IMMUTABLE = /^(?:span\/[0-9a-f]{64}\.spn\.gz|tapes\/[0-9a-f]{64}\.tape)$/;
const FOLDERS = ['span', 'tapes'] as const;
/** A folder that changed so short ago may change again without a later time of change. In milliseconds. */
const UNSURE_MS = 2_000;

/** True for the name of a file that members bring to each other. */
export function isCarried(path: string): boolean {
  return path === INSTRUMENTS || IMMUTABLE.test(path);
}

export class OwnFiles {
  private readonly folder: string;
  private readonly wall: () => number;
  private readonly noted: NotedDigests;
  /** The files of earlier starts that never change, by name. */
  private readonly earlier: ReadonlyMap<string, HashedFile>;
  private files = new Map<string, HashedFile>();
  private stamps = '';
  private running: Promise<void> | undefined;

  constructor(folder: string, wall: () => number) {
    this.folder = folder;
    this.wall = wall;
    this.noted = new NotedDigests(notedDigests({ folder }));
    this.earlier = new Map(this.noted.files().map((file) => [file.path, file]));
  }

  /** Looks for files that came or changed since the last call. Rejects with what the disk refuses. */
  refresh(): Promise<void> {
    this.running ??= this.look().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** The files as they were last looked at, by name. */
  list(): CarriedFile[] {
    const rows = [...this.files.values()].map(({ path, bytes, digest }) => ({ path, bytes, digest }));
    return rows.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  get(path: string): CarriedFile | undefined {
    return this.files.get(path);
  }

  /** True while a file on the disk is the one that was last looked at, or neither is there. */
  isCurrent(path: string): boolean {
    return stampOf(join(this.folder, path))?.text === this.files.get(path)?.stamp;
  }

  /** A piece of the file with a digest, from an offset on; blank at its end, `undefined` for an unknown digest. */
  piece(digest: string, from: number): Buffer | undefined {
    const file = [...this.files.values()].find((one) => one.digest === digest);
    if (file === undefined) return undefined;
    return bytesAt(join(this.folder, file.path), from, Math.min(PIECE_BYTES, file.bytes - from));
  }

  private async look(): Promise<void> {
    const places = [INSTRUMENTS, ...FOLDERS].map((name) => stampOf(join(this.folder, name)));
    const stamps = places.map((place) => place?.text).join();
    if (stamps === this.stamps) return;
    const found = new Map<string, HashedFile>();
    for (const path of this.names()) {
      const known = await this.known(path);
      if (known !== undefined) found.set(path, known);
    }
    this.files = found;
    this.noted.note([...found.values()].filter(({ path }) => IMMUTABLE.test(path)));
    const isUnsure = places.some((place) => place !== undefined && this.wall() - place.changed < UNSURE_MS);
    this.stamps = isUnsure ? '' : stamps;
  }

  private names(): string[] {
    const below = FOLDERS.flatMap((name) => namesIn(join(this.folder, name)).map((file) => `${name}/${file}`));
    return [INSTRUMENTS, ...below].filter(isCarried);
  }

  private async known(path: string): Promise<HashedFile | undefined> {
    const whole = join(this.folder, path);
    const known = this.files.get(path);
    if (known !== undefined && IMMUTABLE.test(path)) return known;
    const before = known ?? this.earlier.get(path);
    const stamp = stampOf(whole);
    if (stamp === undefined) return undefined;
    if (before?.stamp === stamp.text) return before;
    return { path, bytes: stamp.bytes, digest: await digestOf(whole), stamp: stamp.text };
  }
}

/** The SHA-256 of a file, in hex. Rejects with what the disk refuses. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) hash.update(piece as Buffer);
  return hash.digest('hex');
}

function stampOf(
  path: string,
): { readonly text: string; readonly bytes: number; readonly changed: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return { text: `${found.mtimeMs} ${found.size} ${found.ino}`, bytes: found.size, changed: found.mtimeMs };
}
