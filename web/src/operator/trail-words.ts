/** Fields of the audit trail's lines in words. */
import type { TrailLine } from './answers.ts';

const IST = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata', dateStyle: 'short', timeStyle: 'medium' });

/** Milliseconds since 1970 as `YYYY-MM-DD HH:MM:SS` in IST. */
export function moment(utc: number): string {
  return IST.format(utc);
}

/** The operator of an act: of the command, or as the request named him. */
export function whoseAct({ by, what }: Pick<TrailLine, 'by' | 'what'>): string {
  return by ?? textOf(what?.by);
}

/** The reason of an act, or why a request was refused. */
export function reasonOf({ why, what, message, rule }: Pick<TrailLine, 'why' | 'what' | 'message' | 'rule'>): string {
  return why ?? (textOf(what?.why) || (message ?? rule ?? ''));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
