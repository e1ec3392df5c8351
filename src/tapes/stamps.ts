/**
 * Dates and times of recorded files: ISO or day-first dates, names of months, epochs in seconds or milliseconds. A time
 * without an offset is in IST.
 */
import { DAY_MS, dayOfCivil, type EpochMs, type IstDay, istDay, istTimeOfDay, MONTHS } from '../base/time.ts';

/** A day, and the seconds after its midnight in IST; `second` is -1 where the text has a date alone. */
export interface Stamp {
  readonly day: IstDay;
  readonly second: number;
}

const ISO = /^(\d{4})([-/]?)(\d{2})\2(\d{2})$/;
const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const NAMED_MONTH = /^(\d{1,2})[- ]([A-Za-z]{3})[- ](\d{4}|\d{2})$/;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?$/;
const TIME_SHAPE = /^\d{2}:\d{2}:\d{2}$/;
const OFFSET = /(?:Z|([+-])(\d{2}):?(\d{2}))$/;
const EPOCH = /^(\d{9,10}|\d{12,13})(?:\.0*)?$/;
const MONTH_NAMES: readonly string[] = MONTHS;

/** Reads stamps; the date that it read last is remembered, since most rows have that of the row before. */
export class StampReader {
  private dateText = '';
  private day: IstDay | undefined;

  /** A date; `undefined` for any other text. */
  date(text: string): IstDay | undefined {
    if (text !== this.dateText) {
      this.dateText = text;
      this.day = parseDate(text.trim());
    }
    return this.day;
  }

  /** A stamp of one text, `undefined` for any other text. */
  both(text: string): Stamp | undefined {
    const gap = text.length > 10 ? 10 : text.length;
    const between = text.charCodeAt(gap);
    // A space or a `T` after ten characters: all but hand-made files have it.
    if (gap === 10 && (between === 32 || between === 84)) return this.apart(text.slice(0, 10), text.slice(11));
    return EPOCH.test(text.trim()) ? ofEpoch(text.trim()) : this.loose(text.trim());
  }

  /** A stamp of a date and a time with or without an offset. */
  apart(dateText: string, timeText: string): Stamp | undefined {
    const day = this.date(dateText);
    if (day === undefined) return undefined;
    const second = secondOf(timeText);
    return second === undefined ? moved(day, timeText.trim()) : { day, second };
  }

  private loose(text: string): Stamp | undefined {
    const gap = text.search(/(?<=\d{4}|\d{8})[ T](?=\d)/);
    if (gap > 0) return this.apart(text.slice(0, gap), text.slice(gap + 1));
    const day = this.date(text);
    return day === undefined ? undefined : { day, second: -1 };
  }
}

/** The stamp of an instant. */
function stampOf(at: EpochMs): Stamp {
  return { day: istDay(at), second: Math.floor(istTimeOfDay(at) / 1_000) };
}

/** The date of the file's name, as archives of exchanges have it: `EQ_ISINCODE_010120`, `fo17112025`, `20240708`. */
export function dateInName(name: string): IstDay | undefined {
  for (const [digits] of name.matchAll(/(?<!\d)(\d{8}|\d{6})(?!\d)/g)) {
    const day = digits.length === 8 ? (isoDigits(digits) ?? dayFirstDigits(digits)) : dayFirstDigits(digits);
    if (day !== undefined) return day;
  }
  const [, day, month = '', year] = /(?<!\d)(\d{2})([A-Z]{3})(\d{4})(?!\d)/i.exec(name) ?? [];
  return day === undefined ? undefined : parseDate(`${day}-${month}-${year}`);
}

function isoDigits(digits: string): IstDay | undefined {
  const year = Number(digits.slice(0, 4));
  return year >= 1990 && year < 2100
    ? dayOfCivil(year, Number(digits.slice(4, 6)), Number(digits.slice(6)))
    : undefined;
}

function dayFirstDigits(digits: string): IstDay | undefined {
  const year = Number(digits.slice(4));
  const whole = year < 100 ? 2000 + year : year;
  if (whole < 1990 || whole >= 2100) return undefined;
  return dayOfCivil(whole, Number(digits.slice(2, 4)), Number(digits.slice(0, 2)));
}

function parseDate(text: string): IstDay | undefined {
  const iso = ISO.exec(text);
  if (iso) return dayOfCivil(Number(iso[1]), Number(iso[3]), Number(iso[4]));
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return dayOfCivil(Number(dayFirst[3]), Number(dayFirst[2]), Number(dayFirst[1]));
  const named = NAMED_MONTH.exec(text);
  if (!named) return undefined;
  const month = MONTH_NAMES.indexOf((named[2] ?? '').toUpperCase()) + 1;
  const year = Number(named[3]);
  return month === 0 ? undefined : dayOfCivil(year < 100 ? 2000 + year : year, month, Number(named[1]));
}

function secondOf(text: string): number | undefined {
  if (TIME_SHAPE.test(text)) return inDay(Number(text.slice(0, 2)), Number(text.slice(3, 5)), Number(text.slice(6)));
  const time = TIME.exec(text.trim());
  return time ? inDay(Number(time[1]), Number(time[2]), Number(time[3] ?? 0)) : undefined;
}

function inDay(hour: number, minute: number, second: number): number | undefined {
  return hour < 24 && minute < 60 && second < 60 ? (hour * 60 + minute) * 60 + second : undefined;
}

/** The stamp in IST of a time with an offset on a day of that offset. */
function moved(day: IstDay, timeText: string): Stamp | undefined {
  const offset = OFFSET.exec(timeText);
  const second = offset ? secondOf(timeText.slice(0, offset.index)) : undefined;
  if (!offset || second === undefined) return undefined;
  const [, sign = '+', hours = '0', minutes = '0'] = offset;
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return stampOf((day * DAY_MS + second * 1_000 - ahead) as EpochMs);
}

function ofEpoch(text: string): Stamp {
  const digits = text.replace(/\.0*$/, '');
  const at = Number(digits) * (digits.length > 10 ? 1 : 1_000);
  return stampOf(at as EpochMs);
}
