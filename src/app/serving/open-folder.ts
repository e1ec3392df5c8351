/** Opens a data folder and makes its market. The journal is not opened here. */
import { existsSync } from 'node:fs';
import type { Trail } from '../../audit/trail.ts';
import type { Config } from '../../config.ts';
import { type DataFolder, dataFolder } from '../../folder/data-folder.ts';
import type { Identity } from '../../folder/identity.ts';
import { tidyUp } from '../../folder/tidy-up.ts';
import type { CredentialKeys } from '../../gateway/credentials/key-file.ts';
import { holding, holdingIfFree, IMPORTING } from '../../journal/disk/writer-lock.ts';
import { auditTrail } from '../audit-trail.ts';
import { identityOf, keysOf, openFolder } from '../first-start.ts';
import { type KnownState, type OpenedMarket, openMarket } from '../opened-market.ts';
import { recordedDaysOf } from '../tapes/followed-tapes.ts';

/** An open data folder and its market. */
export interface OpenedFolder {
  readonly folder: DataFolder;
  readonly keys: CredentialKeys;
  readonly identity: Identity;
  readonly world: OpenedMarket;
  /** The state of the service as the market knows it; nothing before it is recovered. */
  readonly known: KnownState;
  readonly trail: Trail;
}

/**
 * Makes or checks the data folder, and makes its market. Throws `CommandFailed` for a folder that is not whole, and
 * `FolderInUse` for one that somebody else writes to: a restore that goes on is the one to give it keys and identity.
 */
export function openedFolder(config: Config): OpenedFolder {
  const folder = dataFolder(config.data);
  const trail = auditTrail(config);
  openFolder(config);
  // Only a folder that has an identity is looked at while somebody else writes to it: nothing is made there.
  const { keys, identity } = existsSync(folder.identity)
    ? agreedOn(folder, config)
    : holding(folder.folder, () => agreedOn(folder, config));
  holding(folder.folder, () => tidyUp(folder, (work) => holdingIfFree(folder.folder, work, IMPORTING)));
  const known: KnownState = { state: undefined };
  return { folder, keys, identity, world: openMarket(folder, identity, known), known, trail };
}

/** The keys and the identity of the folder, which are made for a new one. */
function agreedOn(folder: DataFolder, config: Config): Pick<OpenedFolder, 'keys' | 'identity'> {
  const keys = keysOf(folder);
  return { keys, identity: identityOf(folder, config, keys, recordedDaysOf(folder).instruments().length > 0) };
}
