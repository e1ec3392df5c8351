import { jsonOf } from '../../base/json.ts';
import { exposure, readIfPresent, writeDurably } from '../../os/durable-file.ts';
import type { IssuedCredentials } from '../operations/issued-credentials.ts';

const VERSION = 1;

/** The secrets of the demo users, in the order of their creation. Only the owner of the data folder reads the file. */
export interface DemoFile {
  /** False until every one of them is registered and has money and shares. */
  readonly complete: boolean;
  /** True until a start has printed them. */
  readonly unshown?: true;
  /** True while these API keys replace others that are near their end. */
  readonly renewing?: true;
  readonly users: readonly IssuedCredentials[];
}

/** The file holds no demo users that this build can read, or others can read them too. */
export class DemoFileError extends Error {
  override readonly name = 'DemoFileError';
}

/**
 * `undefined` when the data folder has no demo users. Throws `DemoFileError` for a file that is damaged, or that others
 * than its owner may use.
 */
export function readDemoFile(path: string): DemoFile | undefined {
  const text = readIfPresent(path);
  if (text === undefined) return undefined;
  const exposed = exposure(path);
  if (exposed !== undefined) throw new DemoFileError(exposed);
  const content = jsonOf(text);
  if (!isDemoFile(content)) throw new DemoFileError(`${path} is damaged or of another version`);
  const { complete, unshown, renewing, users } = content;
  return { complete, ...(unshown && { unshown }), ...(renewing && { renewing }), users };
}

/** Writes the file durably, readable by its owner only. */
export function writeDemoFile(path: string, file: DemoFile): void {
  writeDurably(path, `${JSON.stringify({ version: VERSION, ...file }, undefined, 2)}\n`);
}

function isDemoFile(content: unknown): content is DemoFile & { version: number } {
  if (typeof content !== 'object' || content === null) return false;
  const { version, complete, unshown = true, renewing = true, users } = content as Partial<Record<string, unknown>>;
  const isWhole = typeof complete === 'boolean' && unshown === true && renewing === true;
  return version === VERSION && isWhole && Array.isArray(users) && users.every(isIssued);
}

function isIssued(user: unknown): user is IssuedCredentials {
  if (typeof user !== 'object' || user === null) return false;
  const { userId, password, totpSecret, vendorCode, apiKey } = user as Partial<Record<string, unknown>>;
  const texts = [userId, password, vendorCode, apiKey, totpSecret ?? ''];
  return texts.every((text) => typeof text === 'string');
}
