/**
 * The data folder at a start: makes and checks the folder, its keys, its identity and its demo users.
 * Opening the journal is not done here.
 */
import { existsSync } from 'node:fs';
import { type Config, isLoopback } from '../config.ts';
import { type DataFolder, dataFolder } from '../folder/data-folder.ts';
import { agreeOnIdentity, createIdentity, type Identity, readIdentity } from '../folder/identity.ts';
import { type CredentialKeys, createKeyFile, newKeys, readKeyFile } from '../gateway/credentials/key-file.ts';
import { journalPaths } from '../journal/upkeep/examine.ts';
import { readDemoFile } from '../operator/demo/demo-file.ts';
import { renewDemoKeys } from '../operator/demo/demo-keys.ts';
import { completeDemoUsers, markShown } from '../operator/demo/demo-users.ts';
import { readAccessToken } from '../operator/http/access-token.ts';
import type { IssuedCredentials } from '../operator/operations/issued-credentials.ts';
import type { KeyOperations } from '../operator/operations/key-operations.ts';
import type { UserOperations } from '../operator/operations/user-operations.ts';
import { CommandFailed, EXIT_CONFIG, orConfigFault } from '../os/command-failed.ts';
import { ENTER, isOpenToOthers, makeFolder } from '../os/durable-file.ts';
import { wallClock } from '../os/wall-clock.ts';
import { note } from './log.ts';
import type { RunningParts } from './running-parts.ts';
import { expectDateOfMarket } from './start-clock.ts';

/**
 * Makes the data folder; says so when others can enter one that is there: not all of its files are their owner's alone.
 * Throws for secrets that others can read, before the journal is open: after that it would be no orderly end.
 */
export function openFolder({ data, log }: Config): void {
  makeFolder(data);
  if (isOpenToOthers(data, ENTER)) note(log, 'warn', `others can enter ${data}: take that away with chmod go= ${data}`);
  const { operatorToken, demoUsers } = dataFolder(data);
  readAccessToken(operatorToken);
  readDemoFile(demoUsers);
}

/** The keys of the data folder; made when the folder is new. */
export function keysOf(folder: DataFolder): CredentialKeys {
  const known = readKeyFile(folder.keys);
  if (known) return known;
  if (existsSync(folder.identity)) {
    throw new CommandFailed(`${folder.keys} is missing: without it nobody can log in. Restore it.`, EXIT_CONFIG);
  }
  createKeyFile(folder.keys, newKeys());
  return keysOf(folder);
}

/** The identity of the data folder, which must agree with the settings; a new folder is given one now. */
export function identityOf(folder: DataFolder, config: Config, keys: CredentialKeys, hasTapes: boolean): Identity {
  const fixed = orConfigFault(readIdentity(folder.identity));
  if (!fixed && [journalPaths(folder.folder).journal, folder.audit].some((path) => existsSync(path))) {
    throw new CommandFailed(
      `${folder.identity} is missing, so the market's past is not known. Restore it.`,
      EXIT_CONFIG,
    );
  }
  const agreed = orConfigFault(agreeOnIdentity(fixed, config, keys.fingerprint, hasTapes));
  if (fixed || createIdentity(folder.identity, agreed)) return agreed;
  return identityOf(folder, config, keys, hasTapes);
}

/**
 * Refuses a start at a date that the market does not have, a first start on a machine whose clock is wrong, and one
 * that would show demo users to others.
 */
export function expectStartIsSafe(config: Config): void {
  const isFirst = !existsSync(dataFolder(config.data).identity);
  expectDateOfMarket(config, wallClock(), isFirst);
  if (!isFirst) return;
  if (config.demo === 'on') keepOnLoopback(config);
}

/** Demo users' secrets can be printed by whoever has the data folder, so nobody else may reach them. */
function keepOnLoopback({ host }: Config): void {
  if (isLoopback(host)) return;
  const way = 'Listen on loopback, or use a new data folder with SAUDA_DEMO=off and register users.';
  throw new CommandFailed(`${host} is not loopback, and demo users are for this machine only. ${way}`, EXIT_CONFIG);
}

/**
 * Makes or completes the demo users, renews their keys, and keeps a service that has any on loopback. Returns those
 * that no start has printed.
 */
export async function demoUsers(
  { config, folder, running }: RunningParts,
  operations: UserOperations,
  keys: KeyOperations,
): Promise<readonly IssuedCredentials[]> {
  const { accounts, demo } = await running.engine.read(({ accounts, demoAccounts }) => {
    return { accounts: accounts.length, demo: demoAccounts.size > 0 };
  });
  const known = readDemoFile(folder.demoUsers);
  const wanted = known !== undefined || (config.demo === 'on' && accounts === 0);
  if (demo || (wanted && known?.complete !== true)) keepOnLoopback(config);
  if (!wanted) return [];
  await renewDemoKeys(folder.demoUsers, keys, (message) => note(config.log, 'warn', message));
  return completeDemoUsers(folder.demoUsers, operations);
}

/** The service is running: a file that the disk refuses now does not end it. */
export function markSecretsShown({ log }: Config, { demoUsers: path }: DataFolder): void {
  try {
    markShown(path);
  } catch (error) {
    note(log, 'warn', `${path} could not be written, so the next start prints the demo users again: ${String(error)}`);
  }
}
