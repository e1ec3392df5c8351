/** The audit trail's lines as the page reads them, and their fields in words. */
import type { FoundLine, FoundLines } from '../../../src/audit/port.ts';

/** A line with the fields that have a column of their own. */
export interface TrailLine extends FoundLine {
  readonly op?: string;
  readonly user?: string;
  readonly address?: string;
  readonly by?: string;
  readonly why?: string;
  readonly order?: number;
  readonly code?: number;
  readonly rule?: string;
  readonly message?: string;
  readonly what?: Readonly<Record<string, unknown>>;
}

export interface TrailReport extends FoundLines {
  readonly lines: readonly TrailLine[];
}

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
