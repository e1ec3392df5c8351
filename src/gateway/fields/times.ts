/**
 * The times and days of the wire, written and parsed: four shapes of an instant, two of an expiry, and whole seconds.
 * All are in IST, whatever the machine's time zone. Source: contract R14, W17, W18.
 */

import {
  civilDate,
  dayOfCivil,
  type EpochMs,
  formatIstTime,
  HOUR_MS,
  type IstDay,
  istDay,
  istInstant,
  MINUTE_MS,
  MONTHS,
  SECOND_MS,
  twoDigits,
} from '../../base/time.ts';

const NANOSECONDS_IN_MS = 1_000_000;
const CAPITALISED_MONTHS = MONTHS.map((month) => month.charAt(0) + month.slice(1).toLowerCase());

interface DateTexts {
  readonly day: IstDay;
  /** `DD-MM-YYYY` */
  readonly numeric: string;
  /** `DD-Mon-YYYY` */
  readonly named: string;
  /** `YYYY-MM-DD` */
  readonly iso: string;
}

/** The texts of the day asked for last: nearly every time of an answer is of today. */
let lastDate = dateTexts(istDay(0 as EpochMs));

function dateTexts(day: IstDay): DateTexts {
  const { year, month, day: dayOfMonth } = civilDate(day);
  const dd = twoDigits(dayOfMonth);
  return {
    day,
    numeric: `${dd}-${twoDigits(month)}-${year}`,
    named: `${dd}-${CAPITALISED_MONTHS[month - 1]}-${year}`,
    iso: `${year}-${twoDigits(month)}-${dd}`,
  };
}

function dateOf(at: EpochMs): DateTexts {
  const day = istDay(at);
  if (day !== lastDate.day) lastDate = dateTexts(day);
  return lastDate;
}

/** The texts of the second asked for last: the answers and frames of a second all say the same. */
let lastMoment = { second: -1, text: '' };
let lastNamed = { second: -1, text: '' };

/** T1, `HH:MM:SS DD-MM-YYYY` in IST. Source: interface §What the service does 6, contract R14. */
export function formatT1(at: EpochMs): string {
  const second = Math.floor(at / SECOND_MS);
  if (second !== lastMoment.second) lastMoment = { second, text: `${formatIstTime(at)} ${dateOf(at).numeric}` };
  return lastMoment.text;
}

/** T2, `DD-MM-YYYY HH:MM:SS` in IST. */
export function formatT2(at: EpochMs): string {
  return `${dateOf(at).numeric} ${formatIstTime(at)}`;
}

/** T3, `DD-Mon-YYYY HH:MM:SS` in IST. The instant 0 is the placeholder of an order without an exchange time (R0.4). */
export function formatT3(at: EpochMs): string {
  const second = Math.floor(at / SECOND_MS);
  if (second !== lastNamed.second) lastNamed = { second, text: `${dateOf(at).named} ${formatIstTime(at)}` };
  return lastNamed.text;
}

/** T4, `YYYY-MM-DDTHH:MM:SS` in IST. */
export function formatT4(at: EpochMs): string {
  return `${dateOf(at).iso}T${formatIstTime(at)}`;
}

/** `YYYY-MM-DDTHH:MM:SS.mmm+05:30`: an instant of the stream, to the millisecond. */
export function formatStreamTime(at: EpochMs): string {
  return `${formatT4(at)}.${String(at % SECOND_MS).padStart(3, '0')}+05:30`;
}

const TIME_FIRST = /^(\d{2}):(\d{2}):(\d{2}) (\d{2})-(\d{2})-(\d{4})$/;
const DATE_FIRST = /^(\d{2})-(\d{2})-(\d{4}) (\d{2}):(\d{2}):(\d{2})$/;

/**
 * Parses `HH:MM:SS DD-MM-YYYY` or the date first; `undefined` for a text that is not an instant (30 February). Source:
 * contract W17.
 */
export function parseMoment(text: string): EpochMs | undefined {
  const first = TIME_FIRST.exec(text);
  if (first) return momentOf(first[6], first[5], first[4], first[1], first[2], first[3]);
  const second = DATE_FIRST.exec(text);
  return second ? momentOf(second[3], second[2], second[1], second[4], second[5], second[6]) : undefined;
}

type Digits = string | undefined;

function momentOf(year: Digits, month: Digits, day: Digits, hour: Digits, minute: Digits, second: Digits) {
  const date = dayOfCivil(Number(year), Number(month), Number(day));
  if (date === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return istInstant(date, Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS);
}

/** `DD-MM-YYYY`. */
export function formatDay(day: IstDay): string {
  return dateTexts(day).numeric;
}

/** `DDMONYYYY`, as in the expiry list. Source: interface §Expiry list. */
export function formatExpiry(day: IstDay): string {
  const { year, month, day: dayOfMonth } = civilDate(day);
  return `${twoDigits(dayOfMonth)}${MONTHS[month - 1]}${year}`;
}

/**
 * Parses `DDMONYY` or `DDMONYYYY`, whatever its letter case; `undefined` for a text that is not a date. Source:
 * contract W18.
 */
export function parseExpiry(text: string): IstDay | undefined {
  const match = /^(\d{2})([A-Z]{3})(\d{2}|\d{4})$/.exec(text.toUpperCase());
  if (!match) return undefined;
  const month = (MONTHS as readonly string[]).indexOf(match[2] ?? '') + 1;
  const [day, year] = [Number(match[1]), Number(match[3])];
  return month === 0 ? undefined : dayOfCivil(match[3]?.length === 2 ? 2000 + year : year, month, day);
}

/** The nanoseconds of an instant since its whole second. */
export function nanosecondsOf(at: EpochMs): number {
  return (at % SECOND_MS) * NANOSECONDS_IN_MS;
}

/** Whole seconds since 1970-01-01T00:00:00Z. */
export function epochSeconds(at: EpochMs): number {
  return Math.floor(at / SECOND_MS);
}
