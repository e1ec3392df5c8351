/**
 * The files of a running member beside its journal: it brings the imported ones of the leader to its folder, says which
 * it lacks, and keeps copies of the audit trails of the others.
 */
import { type DataFolder, trailCopy } from '../../../folder/data-folder.ts';
import type { SpanEntry } from '../../../folder/span-store.ts';
import type { CredentialKeys } from '../../../gateway/credentials/key-file.ts';
import { CommandFailed, EXIT_CONFIG } from '../../../os/command-failed.ts';
import { addressOfMember, type MemberPlace } from '../member-place.ts';
import { instrumentsAgreedOn, nowAgreesOn } from '../membership.ts';
import { askWith } from './ask-member.ts';
import { FileCarrier } from './file-carrier.ts';
import { OwnFiles } from './own-files.ts';
import { TrailCopy } from './trail-copies.ts';

export interface MemberFilesParts {
  readonly place: MemberPlace;
  readonly folder: DataFolder;
  readonly keys: CredentialKeys;
  /** The wall clock in milliseconds. */
  readonly wall: () => number;
  /** The member that leads, by its name; `undefined` while none is known, and for this member. */
  readonly leader: () => string | undefined;
  /** The digests of the SPAN files that the state names. */
  readonly named: () => readonly string[];
  /** Makes the SPAN files to use those of the leader. */
  readonly followEntries: (entries: readonly SpanEntry[]) => void;
  /** Receives what an operator has to know, once. */
  readonly note: (words: string) => void;
}

export class MemberFiles {
  readonly own: OwnFiles;
  private readonly parts: MemberFilesParts;
  private readonly carrier: FileCarrier;
  private readonly copies: readonly TrailCopy[];
  private running: Promise<void> | undefined;
  private noted = new Set<string>();

  constructor(parts: MemberFilesParts) {
    const { folder, place, keys, wall, followEntries } = parts;
    this.parts = parts;
    this.own = new OwnFiles(folder.folder, wall);
    const ask = askWith(keys, wall);
    this.copies = this.others().map(({ name, url }) => new TrailCopy(trailCopy(folder, name), url, ask));
    this.carrier = new FileCarrier({
      folder,
      own: this.own,
      ask,
      agreed: () => instrumentsAgreedOn(folder.folder),
      agree: (digest) => nowAgreesOn(folder.folder, place.file.name, digest),
      followEntries,
    });
  }

  /**
   * Brings the files of the member that leads, if one does and answers. Throws `CommandFailed` when this member has
   * others, which an operator imported here alone.
   */
  async join(): Promise<void> {
    await this.own.refresh();
    for (const { url } of this.others()) {
      const list = await this.carrier.listOf(url).catch(() => undefined);
      if (list?.leads !== true) continue;
      const { brought, conflicts } = await this.carrier.carry(url, list);
      if (brought.length > 0) this.parts.note(`${brought.length} imported files were brought from ${url}`);
      if (conflicts.length === 0) return;
      const words = ['The imported files are not those of the leader; imports are made there:', ...conflicts];
      throw new CommandFailed(words.join('\n  '), EXIT_CONFIG);
    }
  }

  /** Looks for what is new here and at the leader. One look at a time; it does not reject. */
  look(): Promise<void> {
    this.running ??= this.round()
      .then(
        (words) => this.report(words),
        (error: unknown) => this.report([error instanceof Error ? error.message : String(error)]),
      )
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  /** Why this member cannot lead; `undefined` when it has every file that its records name. */
  lacks(): string | undefined {
    const missing = this.missing();
    if (missing.length === 0) return undefined;
    return `the SPAN file ${missing[0]?.slice(0, 12)} is not here`;
  }

  private missing(): readonly string[] {
    return this.parts.named().filter((digest) => !this.carrier.hasSpanFile(digest));
  }

  /** Gives what an operator has to know. */
  private async round(): Promise<readonly string[]> {
    await this.own.refresh();
    // A member that does not answer keeps its lines until it does.
    for (const copy of this.copies) await copy.fetch().catch(() => undefined);
    const leader = addressOfMember(this.parts.place.file, this.parts.leader());
    const words: string[] = [];
    if (leader !== undefined) {
      const { brought, conflicts } = await this.carrier.carry(leader, await this.carrier.listOf(leader));
      words.push(...conflicts);
      if (brought.length > 0) words.push(`brought from the leader: ${brought.join(', ')}`);
      if (brought.some((path) => !path.startsWith('span/'))) words.push('the next start of this member uses them');
    }
    for (const { url } of this.others()) {
      const missing = this.missing();
      // One of them has it: the leader that used it, or a member that had it from there.
      if (missing.length > 0) await this.carrier.bringSpanFiles(url, missing).catch(() => undefined);
    }
    const lacks = this.lacks();
    return lacks === undefined ? words : [...words, `this member cannot lead: ${lacks}`];
  }

  private report(words: readonly string[]): void {
    for (const one of words) if (!this.noted.has(one)) this.parts.note(one);
    this.noted = new Set(words);
  }

  private others(): { readonly name: string; readonly url: string }[] {
    const { file, self } = this.parts.place;
    const others = file.members.filter(({ name }) => name !== self.name);
    return others.map(({ name, publicUrl }) => ({ name, url: publicUrl.replace(/\/$/, '') }));
  }
}
