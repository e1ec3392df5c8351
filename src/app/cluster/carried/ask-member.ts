/** Asks another member for its imported files, and checks the form of its answers. */
import { isJsonObject, jsonOf } from '../../../base/json.ts';
import type { IstDay } from '../../../base/time.ts';
import { type PlayedTapes, playedTapesOf } from '../../../folder/played-tapes.ts';
import type { SpanEntry } from '../../../folder/span-store.ts';
import type { CredentialKeys } from '../../../gateway/credentials/key-file.ts';
import { boundedText } from '../bounded-answer.ts';
import { type FileQuestion, questionTarget } from './marked-question.ts';
import { type CarriedFile, isCarried } from './own-files.ts';

const PATIENCE_MS = 5_000;
/** The longest answer that is read, in bytes: thousands of files are listed in less. */
const MOST_ANSWER_BYTES = 8 * 1_048_576;
const DIGEST = /^[0-9a-f]{64}$/;

/** The imported files of a member. */
export interface FileList {
  /** True when the member leads: then this is the list that counts. */
  readonly leads: boolean;
  readonly files: readonly CarriedFile[];
  /** The SPAN files to use, by day and segment. */
  readonly entries: readonly SpanEntry[];
  /** The tapes that the market of a leader follows; absent for a member that does not lead. */
  readonly played?: PlayedTapes;
}

/** Sends a question to a member and gives the data of the answer. Rejects when none comes. */
export type AskMember = (publicUrl: string, question: FileQuestion) => Promise<unknown>;

export function askWith(keys: CredentialKeys, wall: () => number): AskMember {
  return async (publicUrl, question) => {
    const url = new URL(questionTarget(question, keys, wall()), publicUrl);
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${publicUrl} answers ${response.status}`);
    }
    const answer = jsonOf(await boundedText(response, MOST_ANSWER_BYTES));
    return isJsonObject(answer) ? answer.data : undefined;
  };
}

/** The list of an answer. Throws for one that no member gives. */
export function fileListOf(data: unknown): FileList {
  if (!isJsonObject(data) || !Array.isArray(data.files) || !Array.isArray(data.entries)) throw notOfMember();
  if (!data.files.every(isFile) || !data.entries.every(isEntry)) throw notOfMember();
  const list = { leads: data.leads === true, files: data.files, entries: data.entries };
  if (data.played === undefined) return list;
  const played = playedTapesOf(data.played);
  if (played === undefined) throw notOfMember();
  return { ...list, played };
}

/** The bytes of an answer. Throws for one that no member gives. */
export function pieceOf(data: unknown): Buffer {
  if (!isJsonObject(data) || typeof data.bytes !== 'string') throw notOfMember();
  return Buffer.from(data.bytes, 'base64');
}

function isFile(value: unknown): value is CarriedFile {
  if (!isJsonObject(value)) return false;
  const { path, bytes, digest } = value;
  const isNamed = typeof path === 'string' && isCarried(path) && typeof digest === 'string' && DIGEST.test(digest);
  return isNamed && Number.isSafeInteger(bytes) && (bytes as number) >= 0;
}

function isEntry(value: unknown): value is SpanEntry {
  if (!isJsonObject(value)) return false;
  const { day, exchange, digest } = value;
  const isNamed = typeof digest === 'string' && DIGEST.test(digest) && (exchange === 'NFO' || exchange === 'BFO');
  return isNamed && Number.isSafeInteger(day as IstDay);
}

export function notOfMember(): Error {
  return new Error('the answer is not one of a member');
}
