/**
 * The files that all members of a cluster have alike, named by their digests. A member with another key could not let
 * users in, and is refused as it joins. Imported files are brought to it (`carried/`).
 */

import { readFileSync } from 'node:fs';
import { isJsonObject, jsonOf } from '../../../base/json.ts';
import { dataFolder } from '../../../folder/data-folder.ts';
import { readIdentity } from '../../../folder/identity.ts';
import { readKeyFile } from '../../../gateway/credentials/key-file.ts';
import { SHARED_FILES_PATH } from '../../../gateway/standby/shared-files.ts';
import { CommandFailed, EXIT_CONFIG } from '../../../os/command-failed.ts';
import { sha256Hex } from '../../../os/digest.ts';
import { boundedText } from '../bounded-answer.ts';
import type { MemberPlace } from '../member-place.ts';

const PATIENCE_MS = 2_000;
const MOST_BYTES = 65_536;

/** A digest for each kind of file; blank where there is none. */
export interface SharedFiles {
  readonly identity: string;
  readonly keys: string;
}

const WORDS: Readonly<Record<keyof SharedFiles, string>> = {
  identity: 'another identity',
  keys: 'other keys',
};
const KINDS = Object.keys(WORDS) as (keyof SharedFiles)[];

/** The digests of the files of a data folder. */
export function sharedFilesOf(data: string): SharedFiles {
  const { identity, keys } = dataFolder(data);
  return {
    identity: termsOf(identity),
    keys: readKeyFile(keys)?.fingerprint ?? '',
  };
}

/** The terms of an identity without its market, which an imported tape changes at the next start of a member. */
function termsOf(path: string): string {
  const read = readIdentity(path);
  if (read.ok) return read.value === undefined ? '' : sha256Hex(JSON.stringify({ ...read.value, market: '' }));
  return sha256Hex(readFileSync(path));
}

/**
 * Compares the files of a data folder with those of every member that answers. Throws `CommandFailed` when one of them
 * has others. A member that does not answer is passed over, with words to `note`: it asks when it joins.
 */
export async function expectSharedFiles(
  place: MemberPlace,
  own: SharedFiles,
  note: (words: string) => void,
): Promise<void> {
  const others = place.file.members.filter(({ name }) => name !== place.self.name);
  const answers = await Promise.all(others.map(async (other) => ({ other, files: await askedOf(other.publicUrl) })));
  for (const { other, files } of answers) {
    if (files === undefined) note(`member ${other.name} was not compared with this one: it does not answer`);
  }
  const faults = answers.flatMap(({ other, files }) =>
    files === undefined ? [] : differences(other.name, own, files),
  );
  if (faults.length > 0) {
    throw new CommandFailed(['The data folder is not that of a member:', ...faults].join('\n  '), EXIT_CONFIG);
  }
}

/** Each difference in a sentence. A member that has not begun yet differs in nothing. */
export function differences(member: string, own: SharedFiles, theirs: SharedFiles): string[] {
  if (theirs.identity === '') return [];
  if (own.identity === '') return [`it is new, and ${member} has one: make it with sauda cluster provision`];
  return KINDS.filter((kind) => own[kind] !== theirs[kind]).map(
    (kind) => `${member} has ${WORDS[kind]}: take the files of the member that is right`,
  );
}

/** `undefined` for a member that does not answer, or not as a member does. */
async function askedOf(publicUrl: string): Promise<SharedFiles | undefined> {
  try {
    const response = await fetch(new URL(SHARED_FILES_PATH, publicUrl), {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await boundedText(response, MOST_BYTES);
    return response.ok ? filesIn(jsonOf(text)) : undefined;
  } catch {
    return undefined;
  }
}

function filesIn(answer: unknown): SharedFiles | undefined {
  const data = isJsonObject(answer) ? answer.data : undefined;
  if (!isJsonObject(data) || KINDS.some((kind) => typeof data[kind] !== 'string')) return undefined;
  return data as unknown as SharedFiles;
}
