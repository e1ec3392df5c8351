/**
 * Where a step of the market clock ends, in the words of an operator: `5m`, `boundary`, `15:14:59`, `open`, `expiry of
 * NIFTY`. Source: docs/time.md.
 */

import type { Exchange } from '../../../base/ids.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import {
  DAY_MS,
  type EpochMs,
  formatIsoDay,
  formatIstMoment,
  HOUR_MS,
  type IstDay,
  istDay,
  MINUTE_MS,
  parseIstMoment,
  SECOND_MS,
} from '../../../base/time.ts';
import type { Phase } from '../../../core/exchange/phase.ts';
import { type BoundaryParts, nextExpiry } from './boundaries.ts';

/** The longest step, so that a slip of the pen does not let years pass. */
const LONGEST_MS = 400 * DAY_MS;
/** An exchange has fewer phases than this between two opens. */
const MOST_PHASES = 64;
/** The exchange whose `open` and `close` are meant. */
const MAIN: Exchange = 'NSE';

/** The length of `90s`, `5m`, `1h30m` or `250ms`; `undefined` for other text. */
export function parseLength(text: string): number | undefined {
  const match = /^(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?(?:(\d{1,9})ms)?$/.exec(text);
  if (match === null) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const length = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + ms;
  return length > 0 && length <= LONGEST_MS ? length : undefined;
}

/** The instant that is meant, which is after `now`; a message for other words and for instants that are over. */
export function endOf(words: string, now: EpochMs, parts: BoundaryParts): Result<EpochMs, string> {
  const found = instantOf(words, now, parts);
  if (!found.ok) return found;
  const at = found.value;
  if (at <= now) return fail(isOver(at, now));
  return at - now > LONGEST_MS ? fail(`${formatIstMoment(at)} is more than 400 days ahead`) : found;
}

/** The refusal of a step to an instant that is not ahead. */
export function isOver(at: EpochMs, now: EpochMs): string {
  return `${formatIstMoment(at)} is over: it is ${formatIstMoment(now)}, and time never goes back`;
}

function instantOf(words: string, now: EpochMs, parts: BoundaryParts): Result<EpochMs, string> {
  if (words === 'open') return nextPhase(now, parts, (phase) => phase === 'Continuous', 'open');
  if (words === 'close') return endOfTrading(now, parts);
  const underlying = /^expiry of (\S{1,32})$/.exec(words)?.[1];
  if (underlying !== undefined) return expiryOf(underlying.toUpperCase(), now, parts);
  const moment = parseIstMoment(words) ?? timeAhead(words, now);
  if (moment !== undefined) return ok(moment);
  return fail('it must be 15:14:59, 2026-11-24T15:14:59, open, close, or expiry of NIFTY');
}

/** `15:14:59` or `15:14` of today, or of tomorrow where that is over. */
function timeAhead(text: string, now: EpochMs): EpochMs | undefined {
  const today = istDay(now);
  const at = (day: IstDay): EpochMs | undefined => parseIstMoment(`${formatIsoDay(day)}T${text}`);
  const first = at(today);
  return first !== undefined && first <= now ? at((today + 1) as IstDay) : first;
}

function nextPhase(
  now: EpochMs,
  { market }: BoundaryParts,
  isIt: (phase: Phase) => boolean,
  name: string,
): Result<EpochMs, string> {
  let at = now;
  for (let phases = 0; phases < MOST_PHASES; phases += 1) {
    const { next } = market.session(MAIN, market.tickAt(at));
    if (next === undefined || next.at <= at) break;
    at = next.at;
    if (isIt(next.phase)) return ok(at);
  }
  return fail(`${MAIN} has no next ${name}: in these hours it trades at all times`);
}

/** The end of the continuous trading that goes on or comes next. */
function endOfTrading(now: EpochMs, parts: BoundaryParts): Result<EpochMs, string> {
  const { market } = parts;
  const isOpen = market.session(MAIN, market.tickAt(now)).phase === 'Continuous';
  const open = isOpen ? ok(now) : nextPhase(now, parts, (phase) => phase === 'Continuous', 'close');
  return open.ok ? nextPhase(open.value, parts, () => true, 'close') : open;
}

function expiryOf(name: string, now: EpochMs, parts: BoundaryParts): Result<EpochMs, string> {
  for (const exchange of ['NFO', 'BFO'] as const) {
    const at = nextExpiry(parts, [exchange, name], now);
    if (at !== undefined) return ok(at);
  }
  return fail(`there are no options on ${name}`);
}
