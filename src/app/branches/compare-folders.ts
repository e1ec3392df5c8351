/**
 * `sauda compare`: what the users of several data folders did and won since the record up to which their histories are
 * the same. It only reads, beside running services too, and shows the moment of the last record.
 */
import { basename, join, resolve } from 'node:path';
import { formatIstMoment } from '../../base/time.ts';
import { liveUpTo } from '../../engine/past-live.ts';
import { type DataFolder, dataFolder, filesOfBranch } from '../../folder/data-folder.ts';
import { type Identity, readIdentity } from '../../folder/identity.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { readHistory } from '../../journal/read-history.ts';
import type { StoredJournal } from '../../journal/segments/stored-journal.ts';
import { SnapshotFolder } from '../../journal/snapshot-file.ts';
import { examineBeside, journalPaths } from '../../journal/upkeep/examine.ts';
import { instantOf, lastCommonRecord } from '../../journal/upkeep/find-records.ts';
import type { ComparedFolder, CompareWish, Comparison } from '../../operator/cli/folder/compare-command.ts';
import { CommandFailed, EXIT_FAILED, orConfigFault } from '../../os/command-failed.ts';
import { readIfPresent } from '../../os/durable-file.ts';
import type { BeginPart } from '../../os/progress.ts';
import { reporting } from '../../os/progress-report.ts';
import { readingFolder } from '../offline/data-folder-there.ts';
import { type KnownState, type OpenedMarket, openMarket } from '../opened-market.ts';
import { FolderTally } from './folder-tally.ts';

interface Opened {
  readonly name: string;
  readonly data: DataFolder;
  readonly stored: StoredJournal;
}

/** Compares data folders. Throws `CommandFailed` and `JournalDamaged`. */
export async function compare({ folders, user, since: asked }: CompareWish): Promise<Comparison> {
  return reporting(process.stderr, (begin) => {
    const opened = folders.map(openFolder);
    const worlds = new Worlds();
    const common = asked ?? commonRecord(opened);
    const made = opened.map((one) => compareOne(one, common, user, worlds, begin));
    if (user !== undefined && made.every(({ users }) => users.length === 0)) {
      throw new CommandFailed(`there is no user ${user} in any of these folders`, EXIT_FAILED);
    }
    return { since: common, folders: made };
  });
}

function openFolder(name: string): Opened {
  const data = dataFolder(resolve(name));
  const { stored } = readingFolder(data, () => examineBeside(REAL_DISK, journalPaths(data.folder)));
  if (stored.head().seq === 0) throw new CommandFailed(`${data.folder} has no record yet`, EXIT_FAILED);
  return { name, data, stored };
}

/** The last record that all have; 0 for one folder, and for folders of different histories. */
function commonRecord([first, ...others]: readonly Opened[]): number {
  if (first === undefined || others.length === 0) return 0;
  return Math.min(...others.map(({ stored }) => lastCommonRecord(first.stored, stored)));
}

function compareOne(
  { name, data, stored }: Opened,
  since: number,
  user: string | undefined,
  worlds: Worlds,
  begin: BeginPart,
): ComparedFolder {
  const end = stored.head().seq;
  if (since > end) throw new CommandFailed(`${data.folder} has no record ${since}: it ends at ${end}`, EXIT_FAILED);
  const { world, known } = worlds.of(data);
  const { live, chain } = liveUpTo(stored, new SnapshotFolder(journalPaths(data.folder).snapshots), since);
  known.state = live.state;
  const to = instantOf(stored, end);
  const from = instantOf(stored, Math.max(1, since));
  const isWanted = (userId: string): boolean => user === undefined || userId === user;
  const tally = new FolderTally({
    live,
    market: world.market,
    charges: world.rules.charges,
    since,
    from,
    to,
    isWanted,
  });
  const progress = begin(`reading ${basename(data.folder)}`, 'records');
  readHistory(stored, { seq: live.seq, hash: chain, at: live.at }, (records) => {
    for (const record of records) tally.take(record);
    progress(live.seq, end);
  });
  const branch = live.state.branches.at(-1);
  return {
    folder: name,
    ...(branch && { branchOf: branch.parent }),
    records: end,
    at: formatIstMoment(live.at),
    users: tally.rows(),
  };
}

interface OpenedWorld {
  readonly world: OpenedMarket;
  /** The state that the market and the instruments follow. */
  readonly known: KnownState;
}

/** The markets of the folders: branches of one parent have one, which is made once. */
class Worlds {
  private readonly made = new Map<string, OpenedWorld>();

  of(data: DataFolder): OpenedWorld {
    const identity = orConfigFault(readIdentity(data.identity));
    if (!identity) throw new CommandFailed(`${data.folder} is not a data folder`, EXIT_FAILED);
    const { copied, linked } = filesOfBranch(data);
    const texts = copied.map((name) => readIfPresent(join(data.folder, name)));
    const key = JSON.stringify([identity, texts, linked.toSorted()]);
    const opened = this.made.get(key) ?? opening(data, identity);
    this.made.set(key, opened);
    return opened;
  }
}

function opening(data: DataFolder, identity: Identity): OpenedWorld {
  const known: KnownState = { state: undefined };
  return { world: openMarket(data, identity, known), known };
}
