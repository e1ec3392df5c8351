/**
 * The identity file of a data folder: the market, the seed, the hours and the keys of its first start, in one line
 * with a digest. A later start with other terms is refused here, before it can write to the journal.
 */

import { HOURS_REGIMES, type HoursRegime } from '../base/market/hours-regime.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type Config, MARKETS, type MarketName } from '../config.ts';
import { sha256Hex } from '../os/digest.ts';
import { createDurably, READABLE, readIfPresent, writeDurably } from '../os/durable-file.ts';

/** The line of version 1 has no digest, that of version 2 names no market. */
const VERSION = 3;
const WITHOUT_MARKET = 2;
const WITHOUT_DIGEST = 1;

/** The market of folders of releases that wrote no name. */
const FIRST_MARKET: MarketName = 'synthetic';
const VERSIONS: readonly number[] = [WITHOUT_DIGEST, WITHOUT_MARKET, VERSION];
const LINE =
  /^(sauda-identity (\d+)(?: market=(\w+))? seed=(\d+) hours=(\w+) keys=([0-9a-f]{16}))(?: sha256=(\w+))?\n$/;

/**
 * The terms that a data folder is fixed to at its first start: another market or another key would make its journal
 * untrue.
 */
export interface Identity {
  readonly market: MarketName;
  readonly seed: number;
  readonly hours: HoursRegime;
  /** Names the key file that the users' credentials are sealed with. */
  readonly keyFingerprint: string;
}

/**
 * Reads the identity of a data folder; `undefined` before its first start, a message when the file is damaged: every
 * bit of it counts.
 * Source: reliability P5.
 */
export function readIdentity(path: string): Result<Identity | undefined, string> {
  const stored = readStored(path);
  return stored.ok ? ok(stored.value?.identity) : stored;
}

/** Fixes a data folder durably. False when it is fixed by now; then what it is fixed to counts. */
export function createIdentity(path: string, identity: Identity): boolean {
  return createDurably(path, lineOf(identity), READABLE);
}

/** Writes an identity again whose market is another one now. */
export function replaceIdentity(path: string, identity: Identity): void {
  writeDurably(path, lineOf(identity), READABLE);
}

/**
 * Writes an identity without a digest again, with one. A missing or damaged identity is left as it is: `readIdentity`
 * reports it. Source: reliability P5.
 */
export function renewIdentity(path: string): void {
  const stored = readStored(path);
  if (!stored.ok || stored.value?.version !== WITHOUT_DIGEST) return;
  writeDurably(path, lineOf(stored.value.identity), READABLE);
}

interface StoredIdentity {
  readonly version: number;
  readonly identity: Identity;
}

function readStored(path: string): Result<StoredIdentity | undefined, string> {
  const text = readIfPresent(path);
  if (text === undefined) return ok(undefined);
  const match = LINE.exec(text);
  const [, terms = '', version, name, seed, word, keyFingerprint = '', digest] = match ?? [];
  const hours = HOURS_REGIMES.find((known) => known === word);
  const market = Number(version) === VERSION ? MARKETS.find((known) => known === name) : FIRST_MARKET;
  const nameFits = (name !== undefined) === (Number(version) === VERSION);
  const expected = Number(version) === WITHOUT_DIGEST ? undefined : sha256Hex(terms);
  const known = match !== null && VERSIONS.includes(Number(version)) && nameFits;
  if (!hours || !market || !known || digest !== expected) return fail(`${path} is damaged or of another version`);
  return ok({ version: Number(version), identity: { market, seed: Number(seed), hours, keyFingerprint } });
}

function lineOf({ market, seed, hours, keyFingerprint }: Identity): string {
  const terms = `sauda-identity ${VERSION} market=${market} seed=${seed} hours=${hours} keys=${keyFingerprint}`;
  return `${terms} sha256=${sha256Hex(terms)}\n`;
}

/**
 * The identity to start with. Settings that were not given yield to what the folder is fixed to; settings that were
 * given and differ are refused with a message, and so is another key file. The market may be another one: whether the
 * folder's past bears that is known once its journal is read (`played-tapes.ts`).
 */
export function agreeOnIdentity(
  fixed: Identity | undefined,
  config: Config,
  keyFingerprint: string,
  hasTapes = false,
): Result<Identity, string> {
  const market = marketOf(fixed, config, hasTapes);
  if (!fixed) return ok({ market, seed: config.seed, hours: config.hours, keyFingerprint });
  if (config.given.has('seed') && config.seed !== fixed.seed)
    return fail(otherwise(config.data, 'seed', fixed.seed, config.seed));
  if (config.given.has('hours') && config.hours !== fixed.hours) {
    return fail(otherwise(config.data, 'hours', fixed.hours, config.hours));
  }
  if (fixed.keyFingerprint !== keyFingerprint) {
    return fail(`the key file in ${config.data} is not the one that the users' credentials are sealed with`);
  }
  return ok({ ...fixed, market });
}

/** A market that is not given is the one of the folder; tapes in it make the synthetic one `mixed`. */
function marketOf(fixed: Identity | undefined, config: Config, hasTapes: boolean): MarketName {
  if (config.given.has('market')) return config.market;
  const known = fixed?.market ?? FIRST_MARKET;
  return known === 'synthetic' && hasTapes ? 'mixed' : known;
}

function otherwise(data: string, name: string, fixed: string | number, given: string | number): string {
  return (
    `${data} was first started with ${name} ${fixed} and cannot go on with ${given}: ` +
    'its past would change. Use another data folder, or leave the setting out.'
  );
}
