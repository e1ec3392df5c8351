/** Answers other members: the digests of what all have alike, imported files, and the audit trail. */
import { type PlayedTapes, plainTapes } from '../../../folder/played-tapes.ts';
import type { SpanEntry } from '../../../folder/span-store.ts';
import type { CredentialKeys } from '../../../gateway/credentials/key-file.ts';
import { questionOf } from './marked-question.ts';
import type { OwnFiles } from './own-files.ts';
import { trailFilesFrom, trailPiece } from './trail-copies.ts';

export interface FilesDesk {
  /** The digests that anybody may know. */
  readonly shared: () => object;
  /** The keys and the files of the folder; nothing before it is opened. */
  readonly opened: () => { readonly keys: CredentialKeys; readonly own: OwnFiles } | undefined;
  /** The SPAN files to use, by day and segment. */
  readonly entries: () => readonly SpanEntry[];
  readonly leads: () => boolean;
  /** The tapes that this member follows as the leader; `undefined` while it does not lead. */
  readonly played: () => PlayedTapes | undefined;
  /** The folder of the audit trail. */
  readonly trail: string;
  /** The wall clock in milliseconds. */
  readonly wall: () => number;
}

const IS_DAY = /^\d{4}-/;

/** The answer to a target; `undefined` where nothing is offered to whoever asks so. */
export function filesAnswer(desk: FilesDesk, target: string): Readonly<Record<string, unknown>> | undefined {
  if (!target.includes('?')) return { ...desk.shared() };
  const opened = desk.opened();
  if (opened === undefined) return undefined;
  const { keys, own } = opened;
  const question = questionOf(target, keys, desk.wall());
  if (question === undefined) return undefined;
  if (question.want === 'list') return listOf(desk, own);
  if (question.want === 'trail') return { days: trailFilesFrom(desk.trail, question.from) };
  const piece = IS_DAY.test(question.want)
    ? trailPiece(desk.trail, question.want, question.from)
    : own.piece(question.want, question.from);
  return piece && { bytes: piece.toString('base64') };
}

function listOf({ leads, entries, played }: FilesDesk, own: OwnFiles): Readonly<Record<string, unknown>> {
  const follows = played();
  const list = { leads: leads(), files: own.list(), entries: entries() };
  return follows === undefined ? list : { ...list, played: plainTapes(follows) };
}
