import { NOT_FOUND, successHead } from '../fields/envelope.ts';
import { failureReply, jsonReply, type Reply } from '../http/respond.ts';

/** Where each member of a cluster answers what its files are, and gives those that were imported to other members. */
export const SHARED_FILES_PATH = '/cluster/files';

/** The answer to a target below that path; `undefined` where nothing is offered to whoever asks so. */
export type SharedFilesAnswer = (target: string) => Readonly<Record<string, unknown>> | undefined;

export function sharedFilesReply(files: ReturnType<SharedFilesAnswer>): Reply {
  if (files === undefined) return failureReply(NOT_FOUND);
  return jsonReply(`${successHead('shared files')}${JSON.stringify(files)}}`);
}
