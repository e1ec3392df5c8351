/**
 * A lane in a folder of one machine, for several processes: for trying a cluster out, and for tests. A message is a
 * file with the number of its position. It is written and flushed under another name first; its own name is then made
 * as a link, which the system makes once. So nobody waits for a lock that a stopped process holds, and no message is
 * ever there in part.
 */

import { type FileHandle, link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isAbsent } from '../../base/system-fault.ts';
import { isOtherProcess, makeFolder, OWNER_ONLY } from '../../os/durable-file.ts';
import { AppendTurn } from './append-turn.ts';
import { inTime } from './in-time.ts';
import {
  type AppendOutcome,
  appendPatienceMs,
  type Lane,
  type LaneMessage,
  LaneTrimmed,
  LaneUnreachable,
  READ_BYTES,
} from './lane.ts';

/** Messages of one folder of files, and the folders that are kept: days of an idle leader, hours of a busy one. */
const SHELF_MESSAGES = 10_000;
const KEPT_SHELVES = 200;
const SHELF = /^shelf-(\d{12})$/;
const DRAFT = /^message-\d+\.(\d+)\.new$/;
const UNKNOWN: AppendOutcome = { type: 'Unknown' };
const CONFLICT: AppendOutcome = { type: 'Conflict' };

/** How much of a lane is kept, for tests that cannot write days of it. */
export interface FileLaneSize {
  readonly shelfMessages: number;
  readonly keptShelves: number;
}

const FULL_SIZE: FileLaneSize = { shelfMessages: SHELF_MESSAGES, keptShelves: KEPT_SHELVES };
let drafts = 0;

/** The lane of a folder, which is made when it is not there. All processes give the same size. */
export async function openFileLane(folder: string, name: string, size = FULL_SIZE): Promise<Lane> {
  makeFolder(folder);
  for (const file of await readdir(folder)) {
    const process = Number(DRAFT.exec(file)?.[1]);
    if (process > 0 && process !== globalThis.process.pid && !isOtherProcess(process)) {
      await rm(join(folder, file), { force: true });
    }
  }
  return new FileLane(folder, name, size);
}

class FileLane implements Lane {
  readonly name: string;
  private readonly folder: string;
  private readonly size: FileLaneSize;
  private readonly turn: AppendTurn;
  private readonly ended = new AbortController();

  constructor(folder: string, name: string, size: FileLaneSize) {
    this.folder = folder;
    this.name = name;
    this.size = size;
    this.turn = new AppendTurn(name);
  }

  append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    const patience = appendPatienceMs(bytes.length);
    return this.turn.take(bytes, () =>
      inTime(this.store(expectedLast, bytes), this.ended.signal, () => UNKNOWN, patience),
    );
  }

  read(after: number): Promise<readonly LaneMessage[]> {
    return this.reach(this.behind(after));
  }

  last(): Promise<number> {
    return this.reach(this.end());
  }

  close(): Promise<void> {
    this.ended.abort();
    return Promise.resolve();
  }

  private async reach<T>(work: Promise<T>): Promise<T> {
    try {
      return await inTime(work, this.ended.signal, () => {
        throw new LaneUnreachable(`lane ${this.name} did not answer in time`);
      });
    } catch (error) {
      if (isSystemError(error)) throw new LaneUnreachable(`lane ${this.name}: ${error.message}`);
      throw error;
    }
  }

  private async store(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    drafts += 1;
    const draft = join(this.folder, `message-${drafts}.${process.pid}.new`);
    try {
      await writeFlushed(draft, bytes);
      return await this.publish(draft, expectedLast);
    } catch (error) {
      if (isSystemError(error)) return UNKNOWN;
      throw error;
    } finally {
      await rm(draft, { force: true }).catch(ignoreSystemErrors);
    }
  }

  /** Gives a flushed draft its name as a message, if the end is where its writer expects it. */
  private async publish(draft: string, expectedLast: number): Promise<AppendOutcome> {
    const position = expectedLast + 1;
    // The folder comes before the look at the end: a folder that was let go of in between takes no link any more.
    const shelf = this.shelfOf(position);
    await this.makeShelf(shelf);
    if (!(await this.isTaken(expectedLast))) return CONFLICT;
    try {
      await link(draft, this.pathOf(position));
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return CONFLICT;
      throw error;
    }
    await flushFolder(shelf);
    if (position % this.size.shelfMessages === 0) await this.letGo(position / this.size.shelfMessages);
    return { type: 'Stored', position };
  }

  private async makeShelf(shelf: string): Promise<void> {
    try {
      await mkdir(shelf, { mode: 0o700 });
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return;
      throw error;
    }
    await flushFolder(this.folder);
  }

  /** True when a message is at the position, or when nothing was ever after position 0. */
  private async isTaken(position: number): Promise<boolean> {
    if (position === 0) return (await this.shelves()).every((shelf) => shelf === 0);
    return exists(this.pathOf(position));
  }

  /** Lets go of the oldest folders, as the folder with the number `newest` begins. */
  private async letGo(newest: number): Promise<void> {
    for (const shelf of await this.shelves()) {
      if (shelf > newest - this.size.keptShelves) return;
      await rm(this.shelfPath(shelf), { recursive: true, force: true });
    }
  }

  private async behind(after: number): Promise<readonly LaneMessage[]> {
    const found: LaneMessage[] = [];
    let bytes = 0;
    for (let position = after + 1; bytes < READ_BYTES; position += 1) {
      const message = await readMessage(this.pathOf(position));
      if (message === undefined) break;
      found.push({ position, bytes: message });
      bytes += message.length;
    }
    if (found.length === 0) await this.checkBegin(after);
    // Its writer may be between the link and its flush: a message that somebody has read does not go away.
    else await flushFolder(this.shelfOf(after + found.length));
    return found;
  }

  private async checkBegin(after: number): Promise<void> {
    const [first = 0] = await this.shelves();
    if (after + 1 < first * this.size.shelfMessages) {
      throw new LaneTrimmed(`lane ${this.name} begins at ${first * this.size.shelfMessages}, not after ${after}`);
    }
  }

  private async end(): Promise<number> {
    for (const shelf of (await this.shelves()).reverse()) {
      const names = await readdir(this.shelfPath(shelf));
      if (names.length > 0) return names.reduce((most, name) => Math.max(most, Number(name)), 0);
    }
    return 0;
  }

  /** The numbers of the folders that are there, the lowest first. */
  private async shelves(): Promise<number[]> {
    const names = await readdir(this.folder);
    const found = names.flatMap((name) => SHELF.exec(name)?.[1] ?? []);
    return found.map(Number).sort((a, b) => a - b);
  }

  private shelfPath(shelf: number): string {
    return join(this.folder, `shelf-${String(shelf).padStart(12, '0')}`);
  }

  private shelfOf(position: number): string {
    return this.shelfPath(Math.floor(position / this.size.shelfMessages));
  }

  private pathOf(position: number): string {
    return join(this.shelfOf(position), String(position));
  }
}

async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  await withFile(path, 'wx', async (file) => {
    await file.writeFile(bytes);
    await file.datasync();
  });
}

async function flushFolder(folder: string): Promise<void> {
  // Windows has no such call and orders names itself.
  if (process.platform !== 'win32') await withFile(folder, 'r', (file) => file.sync());
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags, OWNER_ONLY);
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

async function readMessage(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** A draft that cannot be removed is removed at a later opening. */
function ignoreSystemErrors(error: unknown): void {
  if (!isSystemError(error)) throw error;
}
