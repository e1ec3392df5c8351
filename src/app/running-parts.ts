import type { Trail } from '../audit/trail.ts';
import type { Config } from '../config.ts';
import type { EnginePort } from '../engine/port.ts';
import type { RunningEngine } from '../engine/start-engine.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import type { Identity } from '../folder/identity.ts';
import type { CredentialKeys } from '../gateway/credentials/key-file.ts';
import type { Credentials } from '../gateway/credentials/sealed-credentials.ts';
import type { SharedFilesAnswer } from '../gateway/standby/shared-files.ts';
import type { ClusterOperations } from '../operator/operations/service/cluster-operations.ts';
import type { OpenedMarket } from './opened-market.ts';

/** The parts of a running service, from which its two servers are made. */
export interface RunningParts {
  readonly config: Config;
  readonly folder: DataFolder;
  readonly keys: CredentialKeys;
  readonly identity: Identity;
  readonly world: OpenedMarket;
  readonly running: RunningEngine;
  /** The engine as clients and operators ask it. */
  readonly asked: EnginePort;
  readonly trail: Trail;
  /** Where the service stands in its cluster; absent for a service of one machine. */
  readonly cluster?: ClusterOperations;
  /** The V1 address of the member that leads next, once this one has given its place away; absent like `cluster`. */
  readonly successor?: () => string | undefined;
  /** The record that unknown users are checked against, where it was made beforehand. */
  readonly stranger?: Credentials | undefined;
  /** Answers the questions of other members for files; absent like `cluster`. */
  readonly sharedFiles?: SharedFilesAnswer;
}
