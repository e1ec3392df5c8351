/**
 * The kinds of settings: a port, a count, a file, a choice of words, an instant, a speed. Each makes a setting of its
 * words; the table of all settings is in `config.ts`.
 */
import { resolve } from 'node:path';
import { canonicalAddress } from './base/net/ip-address.ts';
import { type ClockSpeed, type EpochMs, FASTEST, parseIstMoment, parseSpeed, SLOWEST } from './base/time.ts';

/** One setting: its words, and the values that it takes. */
export interface Setting<T> {
  readonly flag: string;
  readonly env: string;
  /** The purpose of the setting, in one line; also the flag's help text. */
  readonly about: string;
  readonly fallback: string;
  /** `undefined` for text that is not a value of the setting. */
  readonly parse: (text: string) => T | undefined;
  /** The meaning of the flag when it stands alone; absent when it needs a value. */
  readonly alone?: string;
  /** Whether it names a file: then blank text is not a value, and a setting that is not given names none. */
  readonly isPath?: true;
  /** The values it takes, in words that follow "must be". */
  readonly takes: string;
}

/** Leaves the market clock as the data folder has it. */
const KEPT = 'kept';

/** A name without blanks, ports and wildcards, or an IP address without brackets. */
export function isHost(text: string): boolean {
  return canonicalAddress(text) !== undefined || (/^[A-Za-z0-9._-]{1,253}$/.test(text) && !/^[.-]/.test(text));
}

export function wholeNumber(text: string, least: number, most: number): number | undefined {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

export function portSetting(flag: string, env: string, about: string, fallback: string): Setting<number> {
  const parse = (text: string): number | undefined => wholeNumber(text, 0, 65_535);
  return { flag, env, about, fallback, parse, takes: 'a port from 0 to 65535' };
}

export function countSetting(
  flag: string,
  env: string,
  about: string,
  fallback: number,
  least: number,
  most: number,
): Setting<number> {
  const parse = (text: string): number | undefined => wholeNumber(text, least, most);
  const takes = `a whole number from ${least} to ${most}`;
  return { flag, env, about, fallback: String(fallback), parse, takes };
}

/** An absolute path; `undefined` for text that no system takes for one. */
export function pathOf(text: string): string | undefined {
  return text.trim() === '' || text.includes('\0') ? undefined : resolve(text);
}

/** The path of a file, absolute; blank for none. */
export function fileSetting(flag: string, env: string, about: string): Setting<string> {
  const parse = (text: string): string | undefined => (text.trim() === '' ? '' : pathOf(text));
  return { flag, env, about, fallback: '', parse, takes: 'the path of a file', isPath: true };
}

export function choice<T extends string>(
  flag: string,
  env: string,
  about: string,
  values: readonly T[],
  fallback: T,
): Setting<T> {
  const parse = (text: string): T | undefined => values.find((value) => value === text);
  return { flag, env, about: `${about}: ${values.join(' or ')}`, fallback, parse, takes: values.join(' or ') };
}

/** An instant of the market. */
export function momentSetting(flag: string, env: string, about: string): Setting<EpochMs | typeof KEPT> {
  const parse = (text: string) => (text === KEPT ? KEPT : parseIstMoment(text));
  return {
    flag,
    env,
    about,
    fallback: KEPT,
    parse,
    takes: `a date and time in IST such as 2026-11-20T09:00:00, or ${KEPT}`,
  };
}

/** A speed of the market. */
export function speedSetting(flag: string, env: string, about: string): Setting<ClockSpeed | typeof KEPT> {
  const parse = (text: string) => (text === KEPT ? KEPT : parseSpeed(text));
  return { flag, env, about, fallback: KEPT, parse, takes: `0, ${SLOWEST} to ${FASTEST}, max, or ${KEPT}` };
}
