/**
 * Copies of the audit trails of the other members, each a trail of its own below the data folder: addresses, refused
 * requests and acts of operators are lost with no single disk. Files of a trail only grow, so a copy goes on from its
 * own end; lines wait in the files of the member that wrote them for as long as nobody fetches them.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dayFile, dayOfFile } from '../../../audit/trail-file.ts';
import { FEWEST_YEARS, yearsBefore } from '../../../audit/trail-log.ts';
import { isJsonObject } from '../../../base/json.ts';
import { formatIsoDay, type IstDay, parseIsoDay } from '../../../base/time.ts';
import { expectRoom } from '../../../os/disk-room.ts';
import { flushFileAside, makeFolder, namesIn, syncFolder } from '../../../os/durable-file.ts';
import { type AskMember, notOfMember, pieceOf } from './ask-member.ts';
import { appendTo, bytesAt, PIECE_BYTES, sizeOf } from './file-pieces.ts';

/** A piece begins this number of bytes before the copy's end, where both must be the same. */
const OVERLAP_BYTES = 4_096;
/** The most pieces of one member in one look, so that others get their turn. */
const MOST_PIECES = 64;

/** A file of a trail: its day, and its size in bytes. */
export interface TrailDayFile {
  readonly day: string;
  readonly bytes: number;
}

/** The files of a trail from a day on, in order. */
export function trailFilesFrom(folder: string, from: number): TrailDayFile[] {
  return [...namesIn(folder)].sort().flatMap((name) => {
    const day = dayOfFile(name);
    return day === undefined || day < from ? [] : [{ day: formatIsoDay(day), bytes: sizeOf(join(folder, name)) }];
  });
}

/** A piece of the file of a day, from an offset on; blank at its end and for a day without a file. */
export function trailPiece(folder: string, day: string, from: number): Buffer {
  const parsed = parseIsoDay(day);
  const path = parsed === undefined ? '' : join(folder, dayFile(parsed));
  return parsed === undefined ? Buffer.alloc(0) : bytesAt(path, from, PIECE_BYTES);
}

export class TrailCopy {
  private readonly folder: string;
  private readonly ask: (want: string, from: number) => Promise<unknown>;
  private readonly free: ((folder: string) => number) | undefined;
  /** The first day whose file may lack lines here. */
  private from = 0;

  /**
   * `folder`: that of the copy. `publicUrl`: the member whose trail it is. `free`: the free bytes of the disk of a
   * folder; as the system says when absent.
   */
  constructor(folder: string, publicUrl: string, ask: AskMember, free?: (folder: string) => number) {
    this.folder = folder;
    this.free = free;
    this.ask = (want, from) => ask(publicUrl, { want, from });
  }

  /**
   * Fetches what the member has written since. Rejects when it does not answer, or not as it should, and with `NoRoom`
   * where lines would fill the disk: they wait in the files of the member.
   */
  async fetch(): Promise<void> {
    const files = daysOf(await this.ask('trail', this.from));
    if (files.length === 0) return;
    if (this.from === 0) this.removeBefore(parseIsoDay(files[0]?.day ?? ''));
    let left = MOST_PIECES;
    let isWhole = true;
    for (const { day, bytes } of files) {
      const parsed = parseIsoDay(day) as IstDay;
      const path = join(this.folder, dayFile(parsed));
      while (left > 0 && sizeOf(path) !== bytes) {
        left -= 1;
        if (!(await this.fetchPiece(path, day))) break;
      }
      isWhole &&= sizeOf(path) >= bytes;
      // The day before is looked at again: a clock that is set back adds lines to it.
      if (isWhole) this.from = Math.max(0, parsed - 1);
      if (left === 0) return;
    }
  }

  /** False when there is nothing more. */
  private async fetchPiece(path: string, day: string): Promise<boolean> {
    const end = sizeOf(path);
    const from = Math.max(0, end - OVERLAP_BYTES);
    const piece = pieceOf(await this.ask(day, from));
    const own = bytesAt(path, from, end - from);
    if (!piece.subarray(0, own.length).equals(own)) {
      // A power cut took lines from the member that this copy has: they stay, in a file of another name.
      renameSync(path, unusedName(`${path}.cut-${end}`));
      syncFolder(this.folder);
      return true;
    }
    if (piece.length <= own.length) return false;
    makeFolder(this.folder);
    expectRoom(this.folder, piece.length - own.length, this.free);
    appendTo(path, piece.subarray(own.length));
    await flushFileAside(path);
    if (end === 0) syncFolder(this.folder);
    return true;
  }

  /**
   * The member keeps its trail for some years only. Younger files stay, whatever it has: a member that lost its disk
   * begins with an empty trail, and this copy is the only one.
   */
  private removeBefore(first: IstDay | undefined): void {
    const days = namesIn(this.folder).flatMap((name) => dayOfFile(name) ?? []);
    const kept = yearsBefore(Math.max(...days) as IstDay, FEWEST_YEARS);
    for (const day of days) {
      if (first !== undefined && day < first && day < kept) rmSync(join(this.folder, dayFile(day)));
    }
  }
}

/** A name that no file has, so that a second cut at the same place takes nothing away. */
function unusedName(path: string): string {
  let name = path;
  for (let nth = 2; existsSync(name); nth += 1) name = `${path}-${nth}`;
  return name;
}

function daysOf(data: unknown): readonly TrailDayFile[] {
  if (isJsonObject(data) && Array.isArray(data.days) && data.days.every(isDay)) return data.days;
  throw notOfMember();
}

function isDay(value: unknown): value is TrailDayFile {
  if (!isJsonObject(value)) return false;
  return typeof value.day === 'string' && parseIsoDay(value.day) !== undefined && Number.isSafeInteger(value.bytes);
}
