/**
 * The tapes that the market of a data folder has followed, in a file beside its journal, and the rule which of them may
 * change: the days that the market has been through are what they were.
 */
import { isJsonObject, jsonOf } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { formatIsoDay, type IstDay } from '../base/time.ts';
import { MARKETS, type MarketName } from '../config.ts';
import type { RecordedInstrument } from '../market/recorded/recorded-days.ts';
import { READABLE, readIfPresent, writeDurably } from '../os/durable-file.ts';

const VERSION = 1;

/** A tape as the file names it. */
type PlayedTape = Pick<RecordedInstrument, 'exchange' | 'symbol' | 'from' | 'to' | 'digest'>;

/** A market and the tapes that it follows. */
export interface PlayedTapes {
  readonly market: MarketName;
  readonly tapes: readonly PlayedTape[];
}

/** Reads the file; `undefined` before a market of the folder has followed a tape. */
export function readPlayedTapes(path: string): Result<PlayedTapes | undefined, string> {
  const text = readIfPresent(path);
  if (text === undefined) return ok(undefined);
  const stored = jsonOf(text);
  const played = isJsonObject(stored) && stored.version === VERSION ? playedTapesOf(stored) : undefined;
  return played === undefined ? fail(`${path} is damaged or of another version: restore it`) : ok(played);
}

/** The market and its tapes in a JSON value; `undefined` when it does not have them. */
export function playedTapesOf(value: unknown): PlayedTapes | undefined {
  const { market: name, tapes } = isJsonObject(value) ? value : {};
  const market = MARKETS.find((known) => known === name);
  if (market === undefined || !Array.isArray(tapes) || !tapes.every(isTape)) return undefined;
  return { market, tapes: tapes as PlayedTape[] };
}

export function writePlayedTapes(path: string, { market, tapes }: PlayedTapes): void {
  writeDurably(path, `${JSON.stringify({ version: VERSION, ...plainTapes({ market, tapes }) })}\n`, READABLE);
}

/** A market and its tapes as they are written and given to other members. */
export function plainTapes({ market, tapes }: PlayedTapes): PlayedTapes {
  const rows = tapes.map(({ exchange, symbol, from, to, digest }) => ({ exchange, symbol, from, to, digest }));
  return { market, tapes: rows };
}

function isTape(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { exchange, symbol, from, to, digest } = value;
  const texts = [exchange, symbol, digest].every((text) => typeof text === 'string');
  return texts && Number.isSafeInteger(from) && Number.isSafeInteger(to);
}

/**
 * Why a folder that has traded cannot go on with other tapes, in words; `undefined` when its past stays. A tape whose
 * days are all after `present` may come to an instrument that has tapes, or leave it. An instrument without a tape has
 * a past that is drawn, so it cannot get one.
 */
export function changeOfPast(before: PlayedTapes, now: PlayedTapes, present: IstDay): string | undefined {
  const known = byName(before.tapes);
  const wanted = byName(now.tapes);
  for (const [name, tapes] of wanted) {
    const earlier = known.get(name);
    if (earlier === undefined) return `${name} has traded here without a tape, and has one now (${spanOf(tapes)})`;
    if (playedText(earlier, present) !== playedText(tapes, present)) {
      return `the tapes of ${name} are not those that the market has followed up to ${formatIsoDay(present)}`;
    }
  }
  for (const [name, tapes] of known) {
    if (!wanted.has(name)) return `the tapes of ${name} (${spanOf(tapes)}) are not there any more`;
  }
  const drawsElse = ({ market }: PlayedTapes) => market !== 'tape';
  if (drawsElse(before) === drawsElse(now)) return undefined;
  return `its market was ${before.market} and is ${now.market} now`;
}

function byName(tapes: readonly PlayedTape[]): ReadonlyMap<string, readonly PlayedTape[]> {
  return Map.groupBy(tapes, ({ exchange, symbol }) => `${exchange} ${symbol}`);
}

/** The tapes that have days up to the present. */
function playedText(tapes: readonly PlayedTape[], present: IstDay): string {
  const played = tapes.filter(({ from }) => from <= present).map(({ from, to, digest }) => `${from} ${to} ${digest}`);
  return played.sort().join('\n');
}

function spanOf(tapes: readonly PlayedTape[]): string {
  const from = Math.min(...tapes.map((tape) => tape.from)) as IstDay;
  const to = Math.max(...tapes.map((tape) => tape.to)) as IstDay;
  return `${formatIsoDay(from)} to ${formatIsoDay(to)}`;
}
