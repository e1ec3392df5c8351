/** The times of the wire, which are texts in Indian Standard Time, and the instants that they mean. */

const IST_MS = 5.5 * 3_600_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME_FIRST = /^(?<time>\d\d:\d\d:\d\d) (?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})$/;
const DATE_FIRST = /^(?<day>\d\d)-(?<month>\d\d|[A-Z][a-z]{2})-(?<year>\d{4}) (?<time>\d\d:\d\d:\d\d)$/;
const YEAR_FIRST = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[T ](?<time>\d\d:\d\d:\d\d)$/;
/** The `at` of events. */
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+05:30$/;
/** The `orderTime` of the order book. */
const SECONDS = /^\d{1,11}$/;

/** An instant as `HH:MM:SS DD-MM-YYYY` in IST, which requests take. */
export function wireTime(instant: Date): string {
  const [date = '', time = ''] = istMoment(instant).split('T');
  return `${time} ${date.split('-').reverse().join('-')}`;
}

/** The second of an instant as `YYYY-MM-DDTHH:MM:SS` in IST. */
export function istMoment(instant: Date): string {
  return new Date(instant.getTime() + IST_MS).toISOString().slice(0, 19);
}

/**
 * The instant of any time that an answer has: `10:15:00 23-11-2026`, `23-11-2026 10:15:00`, `23-Nov-2026 10:15:00`,
 * `2026-11-23T10:15:00` or `2026-11-23 10:15:00`, all in IST, `2026-11-23T10:15:00.123+05:30`, or seconds since 1970.
 * @throws RangeError for other text.
 */
export function instantOf(text: string): Date {
  const {
    day,
    month = '',
    year,
    time,
  } = (TIME_FIRST.exec(text) ?? DATE_FIRST.exec(text) ?? YEAR_FIRST.exec(text))?.groups ?? {};
  const number = month.length === 3 ? String(MONTHS.indexOf(month) + 1).padStart(2, '0') : month;
  const zoned = WITH_ZONE.test(text) ? text : `${year}-${number}-${day}T${time}+05:30`;
  const instant = new Date(SECONDS.test(text) ? Number(text) * 1_000 : zoned);
  if (Number.isNaN(instant.getTime())) throw new RangeError(`not a time of the service: ${JSON.stringify(text)}`);
  return instant;
}

/** The calendar day in IST, counted from 1970. */
export function istDay(instantMs: number): number {
  return Math.floor((instantMs + IST_MS) / 86_400_000);
}
