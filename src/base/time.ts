/**
 * Instants, days and clock times of India, without the clock itself: instants of the market and of the wall are two
 * types that do not mix. Every function is pure; the present instant comes from the engine or from `os/wall-clock.ts`.
 * Trading days are in `reference/calendar`.
 */
import type { Brand } from './brand.ts';

/**
 * An instant of the market: milliseconds since 1970-01-01T00:00:00Z. Stamps of commands, the tick, phases, cut-offs,
 * `requestTime` and candles are of it. The present one is given by `engine.now()` alone; the core is handed it.
 */
export type EpochMs = Brand<'EpochMs'>;

/**
 * An instant of the wall clock, in the same unit. One-time codes, waits of failed logins, request rates, the life of
 * sessions and API keys, and the audit trail follow it, wherever the market's clock stands.
 */
export type WallMs = Brand<'WallMs'>;

/** An instant of either clock: dates and times of day are read off both in the same way. */
export type Instant = EpochMs | WallMs;

/**
 * The wall instant of an event that the market stamped with `at`: `wall` where the two clocks stood apart, else the
 * stamp, which is of both.
 */
export function wallOf(at: EpochMs, wall?: WallMs): WallMs {
  return wall ?? (at as number as WallMs);
}
/** A calendar day in IST as days since 1970-01-01. */
export type IstDay = Brand<'IstDay'>;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** IST is UTC+05:30 the whole year. Source: market-rules R0.4. */
export const IST_OFFSET_MS = 19_800_000;

/** The months as exchanges write them in dates and in names of contracts: `29DEC26`. */
export const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** The IST calendar day that holds the instant. */
export function istDay(at: Instant): IstDay {
  return Math.floor((at + IST_OFFSET_MS) / DAY_MS) as IstDay;
}

/** Milliseconds since IST midnight. */
export function istTimeOfDay(at: Instant): number {
  const shifted = at + IST_OFFSET_MS;
  return shifted - Math.floor(shifted / DAY_MS) * DAY_MS;
}

/** The instant of `timeOfDayMs` after IST midnight of `day`. */
export function istInstant(day: IstDay, timeOfDayMs = 0): EpochMs {
  return (day * DAY_MS - IST_OFFSET_MS + timeOfDayMs) as EpochMs;
}

/** The instant of the wall at `timeOfDayMs` after IST midnight of `day`. */
export function wallInstant(day: IstDay, timeOfDayMs = 0): WallMs {
  return wallOf(istInstant(day, timeOfDayMs));
}

/** 0 Sunday to 6 Saturday. */
export function weekday(day: IstDay): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The civil date of a day (proleptic Gregorian). */
export function civilDate(day: IstDay): CivilDate {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

/** The day of a civil date; `undefined` for a date that does not exist (30 February). */
export function dayOfCivil(year: number, month: number, day: number): IstDay | undefined {
  const result = daysFromCivil(year, month, day);
  const back = civilDate(result);
  return back.year === year && back.month === month && back.day === day ? result : undefined;
}

function daysFromCivil(year: number, month: number, day: number): IstDay {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * 146_097 + dayOfEra - 719_468) as IstDay;
}

/** Parses `YYYY-MM-DD`. */
export function parseIsoDay(text: string): IstDay | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match ? dayOfCivil(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

/** Parses `YYYY-MM-DDTHH:MM:SS`, an instant in IST. Seconds may be absent, and a blank may stand for the T. */
export function parseIstMoment(text: string): EpochMs | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  const day = match === null ? undefined : parseIsoDay(match[1] ?? '');
  const [hours = 0, minutes = 0, seconds = 0] = (match ?? []).slice(2).map((part) => Number(part ?? 0));
  if (day === undefined || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return istInstant(day, hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS);
}

/** `YYYY-MM-DD`. */
export function formatIsoDay(day: IstDay): string {
  const { year, month, day: dayOfMonth } = civilDate(day);
  return `${year}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

/** `HH:MM:SS` in IST. */
export function formatIstTime(at: Instant): string {
  const seconds = Math.floor(istTimeOfDay(at) / SECOND_MS);
  const minutes = Math.floor(seconds / 60);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** `YYYY-MM-DD HH:MM:SS` in IST. */
export function formatIstMoment(at: Instant): string {
  return `${formatIsoDay(istDay(at))} ${formatIstTime(at)}`;
}

/** `07` for 7. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** The slowest and the fastest pace of a market that runs, in seconds of the market in a second of the wall. */
export const SLOWEST = 0.1;
export const FASTEST = 3_600;

/**
 * Seconds of the market in a second of the wall: 0 while it stands still, else `SLOWEST` to `FASTEST`; `max` is as fast
 * as the machine can.
 */
export type ClockSpeed = number | 'max';

/** The speed of `x60`, `60`, `0.5`, `0` or `max`; `undefined` for other text. */
export function parseSpeed(text: string): ClockSpeed | undefined {
  if (text === 'max') return text;
  const digits = /^x?(\d{1,4}(?:\.\d{1,3})?)$/.exec(text)?.[1];
  const speed = Number(digits);
  return digits !== undefined && (speed === 0 || (speed >= SLOWEST && speed <= FASTEST)) ? speed : undefined;
}
