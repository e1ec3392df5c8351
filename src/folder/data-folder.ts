/**
 * The places of the files in a data folder, and the lists of those that a backup copies beside the journal. The
 * content of each file is the matter of its own module.
 */
import { dirname, join, relative } from 'node:path';
import { CONFIG_FILE } from '../config.ts';
import { namesIn } from '../os/durable-file.ts';
import { tapeNames } from './tapes/tape-store.ts';

/** The files of a data folder that this side writes or reads, by their whole paths. */
export interface DataFolder {
  readonly folder: string;
  /** The settings, unless another file is named; written by the operator. */
  readonly settings: string;
  /** The keys that the users' credentials are sealed with; its owner's alone. */
  readonly keys: string;
  /** The file of the folder's identity: its market, its seed, its hours and its keys. */
  readonly identity: string;
  /** The secrets of the demo users; its owner's alone. */
  readonly demoUsers: string;
  /** The token of operator actions; its owner's alone. */
  readonly operatorToken: string;
  /** The symbol files that an operator imported, if any. */
  readonly instruments: string;
  /** The SPAN parameter files that an operator imported; a folder. */
  readonly spanFiles: string;
  /** The tapes that the market has followed here, once it has followed one. */
  readonly playedTapes: string;
  /** The tapes that an operator imported; a folder. */
  readonly tapes: string;
  /** The files of the audit trail; a folder. */
  readonly audit: string;
  /** The cluster of which this folder is a member's archive, if it is one. */
  readonly membership: string;
  /** How far the audit trail is known to be on the disk. */
  readonly auditMark: string;
}

export function dataFolder(folder: string): DataFolder {
  return {
    folder,
    settings: join(folder, CONFIG_FILE),
    keys: join(folder, 'secret.key'),
    identity: join(folder, 'identity'),
    demoUsers: join(folder, 'demo-users.json'),
    operatorToken: join(folder, 'operator.token'),
    instruments: join(folder, 'instruments.json'),
    spanFiles: join(folder, 'span'),
    playedTapes: join(folder, 'played-tapes.json'),
    tapes: join(folder, 'tapes'),
    audit: join(folder, 'audit'),
    membership: join(folder, 'membership.json'),
    auditMark: join(folder, 'audit-mark'),
  };
}

/** The folder of the copy of another member's audit trail. Copies are files of their own, and not backed up. */
export function trailCopy({ folder }: Pick<DataFolder, 'folder'>, member: string): string {
  return join(folder, TRAIL_COPIES, member);
}

/** The members of which there is a copy of the audit trail. */
export function trailCopies({ folder }: Pick<DataFolder, 'folder'>): readonly string[] {
  return [...namesIn(join(folder, TRAIL_COPIES))].sort();
}

const TRAIL_COPIES = 'audit-copies';

/** The file with the digests of the imported files that a member hashed. It is made again, and not backed up. */
export function notedDigests({ folder }: Pick<DataFolder, 'folder'>): string {
  return join(folder, 'imported-digests.json');
}

/**
 * The files beside the journal that a backup copies, by their names below the folder; some may not exist. Listed when
 * they are asked for.
 */
export interface BackedUpFiles {
  /**
   * The identity, since a folder that has it without the keys, which come later, never passes for a new one at a start.
   * And the mark of the audit trail, which must not be later than the copied trail.
   */
  readonly first: () => string[];
  /** The files that the journal's records, and the service, need. */
  readonly needed: () => string[];
  /** The files that name records of the journal. */
  readonly naming: () => string[];
}

export function filesBesideJournal(data: DataFolder): BackedUpFiles {
  const { folder, settings, identity, keys, demoUsers, operatorToken, instruments, audit, auditMark } = data;
  const { spanFiles, tapes, playedTapes, membership } = data;
  const tapesThere = (): string[] => tapeNames(tapes).map((name) => join(tapes, name));
  const below = (paths: readonly string[]): string[] => paths.map((path) => relative(folder, path));
  return {
    first: () => below([identity, auditMark]),
    needed: () =>
      below([
        settings,
        keys,
        demoUsers,
        operatorToken,
        instruments,
        playedTapes,
        membership,
        ...filesIn(spanFiles),
        ...tapesThere(),
      ]),
    naming: () => below(filesIn(audit)),
  };
}

/**
 * The files beside the journal that a branch has from its parent as they are, by their names below the folder. The
 * settings, the demo users, the operator's token and the audit trail of a branch are its own, and a branch of a member
 * is the folder of one machine.
 */
export interface BranchedFiles {
  /** Files that are replaced as a whole or written by hand. */
  readonly copied: readonly string[];
  /** Files that never change once they have their name. */
  readonly linked: readonly string[];
}

export function filesOfBranch(data: DataFolder): BranchedFiles {
  const { folder, identity, settings, demoUsers, operatorToken, membership } = data;
  const own = [settings, demoUsers, operatorToken, membership].map((path) => relative(folder, path));
  const needed = filesBesideJournal(data)
    .needed()
    .filter((name) => !own.includes(name));
  // Files of imports have folders of their own, and names of their digests or days.
  const isImported = (name: string): boolean => dirname(name) !== '.';
  return {
    copied: [relative(folder, identity), ...needed.filter((name) => !isImported(name))],
    linked: needed.filter(isImported),
  };
}

function filesIn(folder: string): string[] {
  return namesIn(folder).map((name) => join(folder, name));
}
