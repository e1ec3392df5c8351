import { instantOf, wireTime } from '../../../client/src/times.ts';
import { CommandFailed, EXIT_USAGE } from '../../os/command-failed.ts';

/** The range of candles as it is typed. */
export interface CandleTimes {
  readonly from?: string;
  readonly to?: string;
}

const DAY_MS = 86_400_000;
/** Days of daily candles that are asked for without a begin. */
const USUAL_DAYS = 365;
const TYPED = /^(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d))?(?:(?:^|[ T])(?<time>\d\d:\d\d(?::\d\d)?))?$/;

/**
 * The range as the wire takes it. `now` is the time of the market: without a begin, minutes are those of its day.
 * Throws `CommandFailed` for text that is not a time.
 */
export function candleTimes(
  { from, to }: CandleTimes,
  now: string,
  daily: boolean,
): { readonly from: string; readonly to: string } {
  const today = now.slice(now.indexOf(' ') + 1);
  const begin = daily ? wireTime(new Date(instantOf(now).getTime() - USUAL_DAYS * DAY_MS)) : `00:00:00 ${today}`;
  return {
    from: from === undefined ? begin : timeOf('--from', from, today, '00:00'),
    to: to === undefined ? now : timeOf('--to', to, today, '23:59'),
  };
}

/** `HH:MM:SS DD-MM-YYYY` of a typed time; `usual` is the time of a date that stands alone. */
function timeOf(flag: string, text: string, today: string, usual: string): string {
  const { year, month, day, time } = (text === '' ? undefined : TYPED.exec(text)?.groups) ?? {};
  if (year === undefined && time === undefined) {
    const words = `${flag} is ${JSON.stringify(text)}: write 2026-11-23, '2026-11-23 10:15' or 10:15`;
    throw new CommandFailed(words, EXIT_USAGE);
  }
  const clock = time ?? usual;
  const date = year === undefined ? today : `${day}-${month}-${year}`;
  return `${clock.length === 5 ? `${clock}:00` : clock} ${date}`;
}
