/**
 * `sauda branch`: makes a data folder that has the history of another one up to a record, and goes on from there. It is
 * put together under another name, so that a crash leaves nothing that looks like a data folder. The parent is only
 * read.
 */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { must } from '../../base/assert.ts';
import { withoutControls } from '../../base/printable.ts';
import { hasCode, unlessAbsent } from '../../base/system-fault.ts';
import { type EpochMs, formatIstMoment, istDay, istInstant } from '../../base/time.ts';
import type { BranchPoint } from '../../core/branch/branch-point.ts';
import type { State } from '../../core/state.ts';
import { type BegunBranch, beginBranch } from '../../engine/branching.ts';
import { isDuty } from '../../engine/time/duty-commands.ts';
import { type DataFolder, dataFolder, filesOfBranch } from '../../folder/data-folder.ts';
import { readIdentity } from '../../folder/identity.ts';
import { readKeyFile } from '../../gateway/credentials/key-file.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import type { StoredJournal } from '../../journal/segments/stored-journal.ts';
import { copyFile, FolderNotEmpty } from '../../journal/upkeep/backup.ts';
import { type CopiedHistory, copyHistory } from '../../journal/upkeep/copy-history.ts';
import { examineBeside, journalPaths } from '../../journal/upkeep/examine.ts';
import { groupOf, instantOf, lastAtInstantOf, lastRecordBy } from '../../journal/upkeep/find-records.ts';
import { placeFault } from '../../operator/cli/copy-place.ts';
import type { BranchPlace, BranchWish } from '../../operator/cli/folder/branch-command.ts';
import { readDemoFile, writeDemoFile } from '../../operator/demo/demo-file.ts';
import { CommandFailed, EXIT_FAILED, orConfigFault } from '../../os/command-failed.ts';
import { isOtherProcess, makeFolder, syncFolder } from '../../os/durable-file.ts';
import type { BeginPart } from '../../os/progress.ts';
import { reporting } from '../../os/progress-report.ts';
import { wallClock } from '../../os/wall-clock.ts';
import { brokenLink } from '../exit-codes.ts';
import { type BranchPorts, freePorts, writeBranchSettings } from './branch-settings.ts';

/** The place where a branch leaves its parent: a record, and the instant of the market where one was asked for. */
interface Leave {
  readonly record: number;
  readonly at?: EpochMs;
}

/** Makes a branch and reports it. Throws `CommandFailed`, `FolderNotEmpty` and `JournalDamaged`. */
export async function branch(wish: BranchWish): Promise<string> {
  const from = dataFolder(resolve(wish.from));
  const to = placeOf(wish.to);
  expectParent(from);
  expectPlace(from, to);
  const ports = await freePorts(wish, to);
  return reporting(process.stderr, (begin) => {
    const draft = draftOf(to);
    try {
      const made = makeDraft({ from, to, draft, wish, ports, begin });
      becomes(draft, to);
      return branchText(made, to, ports);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
  });
}

/** Refuses a folder that no service of this version could go on with. */
function expectParent({ folder, identity, keys }: DataFolder): void {
  if (!orConfigFault(readIdentity(identity))) {
    throw new CommandFailed(`${folder} is not a data folder: has a service been started there?`, EXIT_FAILED);
  }
  if (readKeyFile(keys) === undefined) throw new CommandFailed(`${keys} is missing: nobody could log in`, EXIT_FAILED);
}

/** The folder that a link names: the branch takes the place of that one, and the link stays. */
function placeOf(path: string): string {
  const place = resolve(path);
  if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return place;
  if (existsSync(place)) return realpathSync(place);
  throw new CommandFailed(brokenLink(place), EXIT_FAILED);
}

function expectPlace({ folder }: DataFolder, to: string): void {
  const fault = placeFault(to, folder) ?? mountFault(to);
  if (fault !== undefined) throw new CommandFailed(fault, EXIT_FAILED);
  if (REAL_DISK.names(to).length > 0) throw new FolderNotEmpty(`${to} is not empty`);
}

/** The branch is put together beside its place, and no folder can take the place of a mount point. */
function mountFault(to: string): string | undefined {
  const isMount = existsSync(to) && statSync(to).dev !== statSync(dirname(to)).dev;
  return isMount ? `${to} is a mount point: name a folder in it` : undefined;
}

/** The name under which a branch is put together: hidden, with the number of this process. */
function draftOf(to: string): string {
  const [folder, prefix] = [dirname(to), `.${basename(to)}.branch-`];
  makeFolder(folder);
  for (const name of readdirSync(folder)) {
    const id = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0;
    if (id > 0 && !isOtherProcess(id)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  const draft = join(folder, `${prefix}${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  return draft;
}

interface Making {
  readonly from: DataFolder;
  readonly to: string;
  readonly draft: string;
  readonly wish: BranchWish;
  readonly ports: BranchPorts;
  readonly begin: BeginPart;
}

interface Made {
  readonly begun: BegunBranch;
  readonly copied: CopiedHistory;
}

function makeDraft({ from, to, draft, wish, ports, begin }: Making): Made {
  const source = journalPaths(from.folder);
  const target = journalPaths(draft);
  const { stored } = examineBeside(REAL_DISK, source);
  const leave = leaveOf(stored, wish.place);
  const copied = copyHistory(REAL_DISK, stored, { from: source, to: target, seq: leave.record }, begin);
  const pointOf = (state: State): BranchPoint =>
    pointOn(stored, state, { from: from.folder, to, record: leave.record });
  const begun = beginBranch(REAL_DISK, target, { ...wish, wall: wallClock(), at: leave.at, pointOf }, begin);
  const data = dataFolder(draft);
  copyBeside(from, draft);
  copyDemoUsers(from, data, { lastOrder: begun.state.lastOrder, isPast: leave.record < stored.head().seq });
  writeBranchSettings(from, data, ports);
  return { begun, copied };
}

/**
 * Finds the record and the instant. A record that work of the market follows at its instant brings that along: the
 * first start takes a second as done whose records are there. Throws `CommandFailed` for a place that the history does
 * not have.
 */
function leaveOf(stored: StoredJournal, place: BranchPlace | undefined): Leave {
  const last = stored.head().seq;
  if (last === 0) throw new CommandFailed(`${stored.name} has no record yet`, EXIT_FAILED);
  const end = instantOf(stored, last);
  if (place === undefined) return { record: last };
  const range = `the history has the records 1 to ${last}, from ${formatIstMoment(instantOf(stored, 1))} to ${formatIstMoment(end)}`;
  if ('record' in place) {
    const { record } = place;
    if (record < 1 || record > last) throw new CommandFailed(`there is no record ${record}: ${range}`, EXIT_FAILED);
    return { record: lastAtInstantOf(stored, record, ({ command }) => isDuty(command)) };
  }
  const at = istInstant(place.day ?? istDay(end), place.timeOfDay);
  const record = at > end ? last + 1 : lastRecordBy(stored, at);
  if (record >= 1 && record <= last) return { record, at };
  const side = record === 0 ? 'before the first record' : 'after the last record';
  throw new CommandFailed(`${formatIstMoment(at)} is ${side}: ${range}`, EXIT_FAILED);
}

/** The parent is the journal that the record belongs to: a branch that is cut before it began names its parent. */
function pointOn(
  stored: StoredJournal,
  { branches }: State,
  { from, to, record }: { readonly from: string; readonly to: string; readonly record: number },
): BranchPoint {
  const own = branches.at(-1);
  const { hash } = groupOf(stored, (own?.record ?? 0) + 1);
  const parent = withoutControls(own?.name ?? basename(from));
  return { name: withoutControls(basename(to)), parent, journal: hash, record };
}

function copyBeside(from: DataFolder, draft: string): void {
  const { copied, linked } = filesOfBranch(from);
  const copy = (name: string): void => {
    copyFile(REAL_DISK, join(from.folder, name), join(draft, name));
  };
  for (const name of linked) unlessAbsent(() => link(from, draft, name) || copy(name));
  for (const name of copied) unlessAbsent(() => copy(name));
}

function link({ folder }: DataFolder, draft: string, name: string): boolean {
  return REAL_DISK.link(join(folder, name), join(draft, name));
}

/**
 * The demo users keep their secrets. The first start of the branch completes users who were not complete at that
 * record, and puts the keys of the file in force, where the parent renewed them later.
 */
function copyDemoUsers(
  from: DataFolder,
  to: DataFolder,
  { lastOrder, isPast }: Pick<State, 'lastOrder'> & { readonly isPast: boolean },
): void {
  const known = readDemoFile(from.demoUsers);
  if (known === undefined) return;
  const isComplete = known.complete && lastOrder > 0;
  writeDemoFile(to.demoUsers, {
    complete: isComplete,
    ...(isComplete && (isPast || known.renewing) && { renewing: true }),
    users: known.users,
  });
}

/** The branch gets its name, at once and whole. */
function becomes(draft: string, to: string): void {
  syncFolder(draft);
  try {
    if (existsSync(to)) rmdirSync(to);
    renameSync(draft, to);
  } catch (error) {
    // Another command has filled it meanwhile.
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) throw new FolderNotEmpty(`${to} is not empty`);
    throw error;
  }
  syncFolder(dirname(to));
}

function branchText({ begun, copied }: Made, to: string, { port, operatorPort }: BranchPorts): string {
  const { head, state } = begun;
  const { parent, record } = must(state.branches.at(-1), 'a branch has its point');
  const { market } = must(state.clock, 'the market of a branch stands still');
  return [
    `${to} is a branch of ${parent}, which it left at record ${record}: head ${head.seq} ${head.hash}`,
    `${copied.files} files of the journal, ${copied.linked} of them shared with the parent`,
    `its market stands still at ${formatIstMoment(market)}`,
    '',
    `start it            npx sauda start --data '${to}' (port ${port}, operator's port ${operatorPort})`,
    `let its market run  npx sauda clock run x1 --why begin --data '${to}'`,
  ].join('\n');
}
