import { successHead } from '../fields/envelope.ts';
import { jsonReply, type Reply } from '../http/respond.ts';

/** Where each member of a cluster answers the digests of the files that all members have alike. */
export const SHARED_FILES_PATH = '/cluster/files';

/** The answer to a member that joins. */
export function sharedFilesReply(files: Readonly<Record<string, string>>): Reply {
  return jsonReply(`${successHead('shared files')}${JSON.stringify(files)}}`);
}
