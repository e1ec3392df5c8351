/** Opens a data folder and makes its market. The journal is not opened here. */
import type { Trail } from '../../audit/trail.ts';
import type { Config } from '../../config.ts';
import { type DataFolder, dataFolder } from '../../folder/data-folder.ts';
import type { Identity } from '../../folder/identity.ts';
import { tidyUp } from '../../folder/tidy-up.ts';
import type { CredentialKeys } from '../../gateway/credentials/key-file.ts';
import { holding, holdingIfFree, IMPORTING } from '../../journal/disk/writer-lock.ts';
import { auditTrail } from '../audit-trail.ts';
import { identityOf, keysOf, openFolder } from '../first-start.ts';
import { type KnownState, type MarketWorld, openMarket } from '../market-world.ts';
import { recordedDaysOf } from '../tapes/followed-tapes.ts';

/** An open data folder and its market. */
export interface OpenWorld {
  readonly folder: DataFolder;
  readonly keys: CredentialKeys;
  readonly identity: Identity;
  readonly world: MarketWorld;
  /** The state of the service as the market knows it; nothing before it is recovered. */
  readonly known: KnownState;
  readonly trail: Trail;
}

/** Makes or checks the data folder, and makes its market. Throws `CommandFailed` for a folder that is not whole. */
export function openWorld(config: Config): OpenWorld {
  const folder = dataFolder(config.data);
  const trail = auditTrail(config);
  openFolder(config);
  const keys = keysOf(folder);
  const identity = identityOf(folder, config, keys, recordedDaysOf(folder).instruments().length > 0);
  holding(folder.folder, () => tidyUp(folder, (work) => holdingIfFree(folder.folder, work, IMPORTING)));
  const known: KnownState = { state: undefined };
  return { folder, keys, identity, world: openMarket(folder, identity, known), known, trail };
}
