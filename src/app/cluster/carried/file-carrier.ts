/**
 * Brings the imported files of the leader to a member: what is missing is fetched in pieces, checked by its digest, and
 * put in its place whole. A fetch that broke goes on where it stopped. Files of records that the journal names are
 * fetched from whichever member has them.
 */
import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../../base/system-fault.ts';
import type { DataFolder } from '../../../folder/data-folder.ts';
import type { SpanEntry } from '../../../folder/span-store.ts';
import { holding, IMPORTING } from '../../../journal/disk/writer-lock.ts';
import { expectRoom } from '../../../os/disk-room.ts';
import { flushFileAside, makeFolder, syncFolder } from '../../../os/durable-file.ts';
import { type AskMember, type FileList, fileListOf, pieceOf } from './ask-member.ts';
import { appendTo, sizeOf } from './file-pieces.ts';
import { type CarriedFile, digestOf, INSTRUMENTS, type OwnFiles } from './own-files.ts';

/** A file above this is brought by hand. In bytes. */
const MOST_FILE_BYTES = 4 * 1_073_741_824;
/** A round that could not bring this number of files ends: a member that is away answers none of them. */
const MOST_FAILURES = 3;

export interface CarrierParts {
  readonly folder: DataFolder;
  readonly own: OwnFiles;
  readonly ask: AskMember;
  /** The digest of the instruments that this member last had from a leader or like one; blank before the first. */
  readonly agreed: () => string;
  readonly agree: (digest: string) => void;
  /** Makes the SPAN files to use those of the leader. */
  readonly followEntries: (entries: readonly SpanEntry[]) => void;
  /** The free bytes of the disk of a folder; as the system says when absent. */
  readonly free?: (folder: string) => number;
}

/** The result of a round. */
export interface Carried {
  /** The names of the files that were brought. */
  readonly brought: readonly string[];
  /** Files that this member has otherwise than the leader, in sentences: an operator imported them here alone. */
  readonly conflicts: readonly string[];
  /** The reasons why files were not brought, in sentences. They are tried again in the next round, after the others. */
  readonly failures: readonly string[];
}

export class FileCarrier {
  private readonly parts: CarrierParts;
  /** The files that could not be brought at the last try, by their digests: one of them holds no others up. */
  private readonly failed = new Set<string>();

  constructor(parts: CarrierParts) {
    this.parts = parts;
  }

  /** The list of a member. Rejects when it does not answer. */
  async listOf(publicUrl: string): Promise<FileList> {
    return fileListOf(await this.parts.ask(publicUrl, { want: 'list', from: 0 }));
  }

  /**
   * Brings what a leader has and this member has not. A file that does not come is among the failures. Rejects with
   * what the disk refuses.
   */
  async carry(publicUrl: string, { files, entries }: FileList): Promise<Carried> {
    const { own, followEntries } = this.parts;
    await own.refresh();
    const wanted: CarriedFile[] = [];
    const conflicts: string[] = [];
    const conflictOf = ({ path }: CarriedFile): string => `${path} is another one than that of the leader`;
    for (const file of files) {
      const need = this.need(file);
      if (need === 'Fetch') wanted.push(file);
      else if (need === 'Conflict') conflicts.push(conflictOf(file));
    }
    const { brought, refused, failures } = await this.bringEach(publicUrl, wanted);
    conflicts.push(...refused.map(conflictOf));
    for (const { path } of own.list()) {
      const isSpan = path.startsWith('span/');
      if (!isSpan && !files.some((file) => file.path === path)) conflicts.push(`the leader has no ${path}`);
    }
    // A file is used on a day once it is here.
    if (entries.every(({ digest }) => this.hasSpanFile(digest))) followEntries(entries);
    return { brought: brought.map(({ path }) => path), conflicts, failures };
  }

  /** Brings SPAN files by their digests from a member that has them. Rejects when it does not answer. */
  async bringSpanFiles(publicUrl: string, digests: readonly string[]): Promise<void> {
    const wanted = new Set(digests.map(spanPath));
    const { files } = await this.listOf(publicUrl);
    await this.bringEach(
      publicUrl,
      files.filter((file) => wanted.has(file.path)),
    );
  }

  /** Brings files, those that failed before after the others. `refused`: another file has come in their place. */
  private async bringEach(
    publicUrl: string,
    files: readonly CarriedFile[],
  ): Promise<{ brought: CarriedFile[]; refused: CarriedFile[]; failures: string[] }> {
    const { failed } = this;
    const made = { brought: [] as CarriedFile[], refused: [] as CarriedFile[], failures: [] as string[] };
    const order = [...failed];
    const placeOf = ({ digest }: CarriedFile): number => order.indexOf(digest);
    for (const file of files.toSorted((one, other) => placeOf(one) - placeOf(other))) {
      if (made.failures.length === MOST_FAILURES) break;
      try {
        const list = (await this.bring(publicUrl, file)) ? made.brought : made.refused;
        list.push(file);
        failed.delete(file.digest);
      } catch (error) {
        // At the end of the order, so that each of many such files has its turn.
        failed.delete(file.digest);
        failed.add(file.digest);
        made.failures.push(`${file.path} was not brought: ${messageOf(error)}`);
      }
    }
    return made;
  }

  hasSpanFile(digest: string): boolean {
    return this.parts.own.get(spanPath(digest)) !== undefined;
  }

  private need({ path, digest }: CarriedFile): 'None' | 'Fetch' | 'Conflict' {
    const known = this.parts.own.get(path)?.digest;
    if (path !== INSTRUMENTS) return known === undefined ? 'Fetch' : 'None';
    if (known === digest) {
      if (this.parts.agreed() !== digest) this.parts.agree(digest);
      return 'None';
    }
    // Another file may take its place only when no operator has imported this one here.
    return known === undefined || known === this.parts.agreed() ? 'Fetch' : 'Conflict';
  }

  /** Fetches a file and puts it in its place. False when another file has come there meanwhile. */
  private async bring(publicUrl: string, file: CarriedFile): Promise<boolean> {
    const { folder, own, agree } = this.parts;
    if (file.bytes > MOST_FILE_BYTES) throw new Error(`${file.path} has ${file.bytes} bytes: bring it by hand`);
    const place = join(folder.folder, file.path);
    const draft = `${place}.${process.pid}.new`;
    makeFolder(dirname(place));
    expectRoom(dirname(place), file.bytes - sizeOf(draft), this.parts.free);
    await this.fetch(publicUrl, file, draft);
    await flushFileAside(draft);
    const isPlaced = holding(folder.folder, () => this.place(file, draft, place), IMPORTING);
    if (isPlaced && file.path === INSTRUMENTS) agree(file.digest);
    await own.refresh();
    return isPlaced;
  }

  private async fetch(publicUrl: string, { path, bytes, digest }: CarriedFile, draft: string): Promise<void> {
    for (let from = sizeOf(draft); from < bytes; ) {
      const piece = pieceOf(await this.parts.ask(publicUrl, { want: digest, from }));
      if (piece.length === 0 || from + piece.length > bytes) {
        rmSync(draft, { force: true });
        throw new Error(`${publicUrl} sends ${path} with a size that differs from its list`);
      }
      appendTo(draft, piece);
      from += piece.length;
    }
    if (bytes === 0) appendTo(draft, Buffer.alloc(0));
    if ((await digestOf(draft)) === digest) return;
    rmSync(draft, { force: true });
    throw new Error(`${publicUrl} sends another ${path} than it lists`);
  }

  /** An import of instruments may have come since they were looked at. */
  private place({ path }: CarriedFile, draft: string, place: string): boolean {
    if (!this.parts.own.isCurrent(path)) {
      rmSync(draft, { force: true });
      return false;
    }
    renameSync(draft, place);
    syncFolder(dirname(place));
    return true;
  }
}

function spanPath(digest: string): string {
  return `span/${digest}.spn.gz`;
}
