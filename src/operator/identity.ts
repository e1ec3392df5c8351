import { fail, ok, type Result } from '../base/result.ts';
import { type Config, HOURS, type Hours } from '../config.ts';
import { createDurably, readIfPresent } from '../durable-file.ts';

const VERSION = 1;

/** What a data folder is fixed to at its first start: another market or another key would make its journal untrue. */
export interface Identity {
  readonly seed: number;
  readonly hours: Hours;
  /** Names the key file that the users' credentials are sealed with. */
  readonly keyFingerprint: string;
}

/** Reads the identity of a data folder; `undefined` before its first start, a message when the file is damaged. */
export function readIdentity(path: string): Result<Identity | undefined, string> {
  const text = readIfPresent(path);
  if (text === undefined) return ok(undefined);
  const match = /^sauda-identity (\d+) seed=(\d+) hours=(\w+) keys=([0-9a-f]{16})\n$/.exec(text);
  const hours = HOURS.find((known) => known === match?.[3]);
  if (!match || !hours || Number(match[1]) !== VERSION) return fail(`${path} is damaged or of another version`);
  return ok({ seed: Number(match[2]), hours, keyFingerprint: match[4] ?? '' });
}

/** Fixes a data folder durably. False when it is fixed by now; then what it is fixed to counts. */
export function createIdentity(path: string, { seed, hours, keyFingerprint }: Identity): boolean {
  return createDurably(path, `sauda-identity ${VERSION} seed=${seed} hours=${hours} keys=${keyFingerprint}\n`, 0o644);
}

/**
 * The identity to start with. Settings that were not given yield to what the folder is fixed to; settings that were given and
 * differ are refused with a message, and so is another key file.
 */
export function agreeOnIdentity(
  fixed: Identity | undefined,
  config: Config,
  keyFingerprint: string,
): Result<Identity, string> {
  if (!fixed) return ok({ seed: config.seed, hours: config.hours, keyFingerprint });
  if (config.given.has('seed') && config.seed !== fixed.seed)
    return fail(otherwise(config.data, 'seed', fixed.seed, config.seed));
  if (config.given.has('hours') && config.hours !== fixed.hours) {
    return fail(otherwise(config.data, 'hours', fixed.hours, config.hours));
  }
  if (fixed.keyFingerprint !== keyFingerprint) {
    return fail(`the key file in ${config.data} is not the one that the users' credentials are sealed with`);
  }
  return ok(fixed);
}

function otherwise(data: string, name: string, fixed: string | number, given: string | number): string {
  return (
    `${data} was first started with ${name} ${fixed} and cannot go on with ${given}: ` +
    'its past would change. Use another data folder, or leave the setting out.'
  );
}
