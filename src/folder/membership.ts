/**
 * The file of a data folder that is the archive of a member of a cluster. Such a folder may lack records that the
 * cluster acknowledged, so it is not started alone. It lies beside the journal and goes with a backup of it.
 */
import { isJsonObject, jsonOf } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { READABLE, readIfPresent, removeDurably, writeDurably } from '../os/durable-file.ts';

const VERSION = 1;

/** The cluster of which a data folder is an archive. */
export interface Membership {
  /** The name in the cluster file. */
  readonly cluster: string;
  /**
   * The digest of the imported instruments that the folder last had from a leader or like one; absent before. Another
   * file was imported here alone.
   */
  readonly instruments?: string;
}

/** The cluster of a folder; `undefined` for one of one machine. Fails with a sentence for a file that is not whole. */
export function readMembership(path: string): Result<Membership | undefined, string> {
  const text = readIfPresent(path);
  if (text === undefined) return ok(undefined);
  const content = jsonOf(text);
  if (!isJsonObject(content) || content.version !== VERSION || typeof content.cluster !== 'string') {
    return fail(`${path} is damaged or of another version`);
  }
  const { cluster, instruments } = content;
  return ok({ cluster, ...(typeof instruments === 'string' && { instruments }) });
}

/** Makes a folder the archive of a member, durably. */
export function writeMembership(path: string, membership: Membership): void {
  writeDurably(path, `${JSON.stringify({ version: VERSION, ...membership })}\n`, READABLE);
}

/** Makes the archive of a member a folder of one machine again, durably. */
export function endMembership(path: string): void {
  removeDurably(path);
}
