/**
 * Brings the imported files of the leader to a member: what is missing is fetched in pieces, checked by its digest, and
 * put in its place whole. A fetch that broke goes on where it stopped. Files of records that the journal names are
 * fetched from whichever member has them.
 */
import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DataFolder } from '../../../folder/data-folder.ts';
import type { SpanEntry } from '../../../folder/span-store.ts';
import { holding, IMPORTING } from '../../../journal/disk/writer-lock.ts';
import { flushFile, makeFolder, syncFolder } from '../../../os/durable-file.ts';
import { type AskMember, type FileList, fileListOf, pieceOf } from './ask-member.ts';
import { appendTo, sizeOf } from './file-pieces.ts';
import { type CarriedFile, digestOf, INSTRUMENTS, type OwnFiles } from './own-files.ts';

/** A file above this is brought by hand. In bytes. */
const MOST_FILE_BYTES = 4 * 1_073_741_824;

export interface CarrierParts {
  readonly folder: DataFolder;
  readonly own: OwnFiles;
  readonly ask: AskMember;
  /** The digest of the instruments that this member last had from a leader or like one; blank before the first. */
  readonly agreed: () => string;
  readonly agree: (digest: string) => void;
  /** Makes the SPAN files to use those of the leader. */
  readonly followEntries: (entries: readonly SpanEntry[]) => void;
}

/** The result of a round. */
export interface Carried {
  /** The names of the files that were brought. */
  readonly brought: readonly string[];
  /** Files that this member has otherwise than the leader, in sentences: an operator imported them here alone. */
  readonly conflicts: readonly string[];
}

export class FileCarrier {
  private readonly parts: CarrierParts;

  constructor(parts: CarrierParts) {
    this.parts = parts;
  }

  /** The list of a member. Rejects when it does not answer. */
  async listOf(publicUrl: string): Promise<FileList> {
    return fileListOf(await this.parts.ask(publicUrl, { want: 'list', from: 0 }));
  }

  /** Brings what a leader has and this member has not. Rejects when the leader does not answer, or not as it should. */
  async carry(publicUrl: string, { files, entries }: FileList): Promise<Carried> {
    const { own, followEntries } = this.parts;
    await own.refresh();
    const brought: string[] = [];
    const conflicts: string[] = [];
    for (const file of files) {
      const need = this.need(file);
      if (need === 'Fetch' && (await this.bring(publicUrl, file))) brought.push(file.path);
      else if (need !== 'None') conflicts.push(`${file.path} is another one than that of the leader`);
    }
    for (const { path } of own.list()) {
      const isSpan = path.startsWith('span/');
      if (!isSpan && !files.some((file) => file.path === path)) conflicts.push(`the leader has no ${path}`);
    }
    // A file is used on a day once it is here.
    if (entries.every(({ digest }) => this.hasSpanFile(digest))) followEntries(entries);
    return { brought, conflicts };
  }

  /** Brings SPAN files by their digests from a member that has them. Rejects as `carry`. */
  async bringSpanFiles(publicUrl: string, digests: readonly string[]): Promise<void> {
    const wanted = new Set(digests.map(spanPath));
    const { files } = await this.listOf(publicUrl);
    for (const file of files) if (wanted.has(file.path)) await this.bring(publicUrl, file);
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
    await this.fetch(publicUrl, file, draft);
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
        throw new Error(`${publicUrl} sends another size of ${path} than it lists`);
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
    flushFile(draft);
    renameSync(draft, place);
    syncFolder(dirname(place));
    return true;
  }
}

function spanPath(digest: string): string {
  return `span/${digest}.spn.gz`;
}
