/**
 * The files of a running member beside its journal: it brings the imported ones of the leader to its folder, says which
 * it lacks, and keeps copies of the audit trails of the others.
 */
import { messageOf } from '../../../base/system-fault.ts';
import { type DataFolder, trailCopy } from '../../../folder/data-folder.ts';
import type { SpanEntry } from '../../../folder/span-store.ts';
import { CommandFailed, EXIT_CONFIG } from '../../../os/command-failed.ts';
import { NoRoom } from '../../../os/disk-room.ts';
import { notePlayed } from '../../tapes/followed-tapes.ts';
import { addressOfMember, type MemberPlace } from '../member-place.ts';
import { instrumentsAgreedOn, nowAgreesOn } from '../membership.ts';
import type { AskMember, FileList } from './ask-member.ts';
import { FileCarrier } from './file-carrier.ts';
import { INSTRUMENTS, OwnFiles } from './own-files.ts';
import { TrailCopy } from './trail-copies.ts';

export interface MemberFilesParts {
  readonly place: MemberPlace;
  readonly folder: DataFolder;
  readonly ask: AskMember;
  /** The wall clock in milliseconds. */
  readonly wall: () => number;
  /** The member that leads, by its name; `undefined` while none is known, and for this member. */
  readonly leader: () => string | undefined;
  /** True while this member leads. */
  readonly leads: () => boolean;
  /** The digests of the SPAN files that the state names. */
  readonly named: () => readonly string[];
  /** Makes the SPAN files to use those of the leader. */
  readonly followEntries: (entries: readonly SpanEntry[]) => void;
  /** Why the market of this member cannot go on with the history; `undefined` when it can. */
  readonly marketFault: () => string | undefined;
  /** Receives what an operator has to know, once. */
  readonly note: (words: string) => void;
  /** The free bytes of the disk of a folder; as the system says when absent. */
  readonly free?: (folder: string) => number;
}

export class MemberFiles {
  readonly own: OwnFiles;
  private readonly parts: MemberFilesParts;
  private readonly carrier: FileCarrier;
  /** By the names of the members. */
  private readonly copies: ReadonlyMap<string, TrailCopy>;
  /** The work that goes on, by its name: each at its own pace, one of a kind at a time. */
  private readonly running = new Map<string, Promise<void>>();
  private noted = new Set<string>();
  /** The tapes of the leader that were noted last, as text. */
  private played = '';
  /** The digest of the instruments that this leader agreed on: a member that led never follows again. */
  private agreed = '';
  /** False while trails are not copied for want of room, which is noted once. */
  private hasRoom = true;

  constructor(parts: MemberFilesParts) {
    const { folder, place, ask, wall, followEntries, free } = parts;
    this.parts = parts;
    this.own = new OwnFiles(folder.folder, wall);
    this.copies = new Map(
      this.others().map(({ name, url }) => [name, new TrailCopy(trailCopy(folder, name), url, ask, free)]),
    );
    this.carrier = new FileCarrier({
      folder,
      own: this.own,
      ask,
      agreed: () => instrumentsAgreedOn(folder.folder),
      agree: (digest) => nowAgreesOn(folder.folder, place.file.name, digest),
      followEntries,
      ...(free && { free }),
    });
  }

  /**
   * Brings the files of the member that leads, if one does and answers. Rejects when one of them does not come, and
   * throws `CommandFailed` when this member has others, which an operator imported here alone.
   */
  async join(): Promise<void> {
    await this.own.refresh();
    for (const { url } of this.others()) {
      const list = await this.carrier.listOf(url).catch(() => undefined);
      if (list?.leads !== true) continue;
      this.keepPlayed(list);
      const { brought, conflicts, failures } = await this.carrier.carry(url, list);
      if (failures.length > 0) throw new Error(failures.join('; '));
      if (brought.length > 0) this.parts.note(`${brought.length} imported files were brought from ${url}`);
      if (conflicts.length === 0) return;
      const words = ['The imported files are not those of the leader; imports are made there:', ...conflicts];
      throw new CommandFailed(words.join('\n  '), EXIT_CONFIG);
    }
  }

  /**
   * Looks for what is new here, at the leader and in the trails of the others. A member that is slow holds up nobody
   * but itself: its look goes on, and the others begin again. Resolves when all that go on are over; it does not
   * reject.
   */
  async look(): Promise<void> {
    const files = this.once('files', async () => this.report(await this.round().catch(wordsOf)));
    // A member that does not answer keeps its lines until it does.
    const trails = [...this.copies].map(([name, copy]) => this.once(`trail ${name}`, () => this.copyTrail(copy)));
    await Promise.all([files, ...trails]);
  }

  private async copyTrail(copy: TrailCopy): Promise<void> {
    try {
      await copy.fetch();
      this.hasRoom = true;
    } catch (error) {
      if (!(error instanceof NoRoom)) return;
      if (this.hasRoom) this.parts.note(`audit trails of other members are not copied: ${error.message}`);
      this.hasRoom = false;
    }
  }

  private once(name: string, work: () => Promise<void>): Promise<void> {
    const known = this.running.get(name);
    if (known !== undefined) return known;
    const begun = work()
      .catch(() => undefined)
      .finally(() => this.running.delete(name));
    this.running.set(name, begun);
    return begun;
  }

  /** Why this member cannot lead; `undefined` when it has every file that its records name, and its market goes on. */
  lacks(): string | undefined {
    const missing = this.missing();
    if (missing.length === 0) return this.parts.marketFault();
    return `the SPAN file ${missing[0]?.slice(0, 12)} is not here`;
  }

  private missing(): readonly string[] {
    return this.parts.named().filter((digest) => !this.carrier.hasSpanFile(digest));
  }

  /** The instruments of a leader are those that all agree on, also once it follows another one. */
  private agreeOnOwn(): void {
    const { folder, place } = this.parts;
    const digest = this.own.get(INSTRUMENTS)?.digest;
    if (digest === undefined || digest === this.agreed) return;
    if (digest !== instrumentsAgreedOn(folder.folder)) nowAgreesOn(folder.folder, place.file.name, digest);
    this.agreed = digest;
  }

  /** Notes the tapes that the leader follows: the past of the market here is that of theirs. */
  private keepPlayed({ played }: FileList): void {
    const text = JSON.stringify(played);
    if (played === undefined || text === this.played) return;
    notePlayed(this.parts.folder, played);
    this.played = text;
  }

  /** Gives what an operator has to know. */
  private async round(): Promise<readonly string[]> {
    await this.own.refresh();
    if (this.parts.leads()) this.agreeOnOwn();
    const leader = addressOfMember(this.parts.place.file, this.parts.leader());
    const words: string[] = [];
    if (leader !== undefined) {
      const list = await this.carrier.listOf(leader).catch(wordsOf);
      if (!isWords(list)) this.keepPlayed(list);
      const { brought, conflicts, failures } = isWords(list)
        ? { brought: [], conflicts: [], failures: list }
        : await this.carrier.carry(leader, list);
      words.push(...conflicts, ...failures);
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

function wordsOf(error: unknown): readonly string[] {
  return [messageOf(error)];
}

function isWords(list: FileList | readonly string[]): list is readonly string[] {
  return Array.isArray(list);
}
