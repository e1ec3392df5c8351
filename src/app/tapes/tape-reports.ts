/**
 * The work of `sauda tape list`, `show` and `remove`: reports on the tapes of a data folder, and their removal while no
 * service runs on it.
 */
import { nameList } from '../../base/name-list.ts';
import { withoutControls } from '../../base/printable.ts';
import { formatIsoDay, type IstDay } from '../../base/time.ts';
import type { DataFolder } from '../../folder/data-folder.ts';
import { readPlayedTapes } from '../../folder/played-tapes.ts';
import type { TapedInstrument, TapeFile } from '../../folder/tapes/tape-file.ts';
import { TapeStore, removeTape as takeAway } from '../../folder/tapes/tape-store.ts';
import { FolderInUse, holding, IMPORTING_TAPES } from '../../journal/disk/writer-lock.ts';
import type { RecordedName } from '../../market/recorded/recorded-days.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED } from '../../os/command-failed.ts';
import type { TradingCalendar } from '../../reference/calendar/trading-calendar.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { FACTS } from '../opened-market.ts';

/** The characters of a digest that a list shows: enough to name a tape. */
const SHOWN_DIGEST = 12;
/** Days without trading that are listed before the rest of them is counted. */
const NAMED_DAYS = 10;

/** Instruments of a tape that a list names one by one; a bhavcopy has thousands. */
const LISTED_INSTRUMENTS = 5;

/** Instruments of a tape that `show` prints one by one. */
const SHOWN_INSTRUMENTS = 200;

/** `sauda tape list`: a line for each instrument, and one for all of a tape that has many. As JSON always each. */
export async function listTapes(folder: DataFolder, asJson: boolean): Promise<string> {
  const { tapes } = new TapeStore(folder.tapes);
  const rows = tapes.map((tape) => tape.instruments.map((instrument) => rowOf(tape, instrument)));
  if (asJson) return JSON.stringify(rows.flat());
  const lines = rows.flatMap((own) => (own.length > LISTED_INSTRUMENTS ? [together(own)] : own));
  return lines.map(rowText).join('\n') || 'there is no tape';
}

type ListRow = ReturnType<typeof rowOf>;

function rowText({ name, kind, from, to, days, rows, source, digest }: ListRow): string {
  const counts = `${days} ${days === 1 ? 'day' : 'days'}, ${rows} ${rows === 1 ? 'row' : 'rows'}`;
  return withoutControls(`${digest.slice(0, SHOWN_DIGEST)} ${name} ${kind} ${from} to ${to}, ${counts}, ${source}`);
}

/** The instruments of one tape as one row. */
function together(rows: readonly ListRow[]): ListRow {
  const first = rows[0] as ListRow;
  const [froms, tos] = [rows.map(({ from }) => from).sort(), rows.map(({ to }) => to).sort()];
  return {
    ...first,
    name: `${rows.length} instruments`,
    from: froms[0] as string,
    to: tos.at(-1) as string,
    days: Math.max(...rows.map(({ days }) => days)),
    rows: rows.reduce((sum, row) => sum + row.rows, 0),
  };
}

function rowOf({ source }: TapeFile, instrument: TapedInstrument) {
  const { exchange, symbol, days } = instrument;
  return {
    name: `${exchange}:${symbol}`,
    kind: kindOf(instrument),
    from: formatIsoDay(days[0]?.[0] as IstDay),
    to: formatIsoDay(days.at(-1)?.[0] as IstDay),
    days: days.length,
    rows: days.reduce((sum, day) => sum + day[3], 0),
    digest: source.digest,
    source: source.name,
  };
}

function kindOf({ kind, span }: TapedInstrument): string {
  if (kind === 'ticks') return 'ticks';
  return span === 'day' ? 'day-candles' : `${span}m-candles`;
}

/** `sauda tape show`: the days of an instrument over all tapes, or a tape with its instruments. */
export async function showTape(folder: DataFolder, what: string): Promise<string> {
  const store = new TapeStore(folder.tapes);
  const [, exchange, symbol] = /^([A-Za-z]+):(.+)$/.exec(what) ?? [];
  return symbol === undefined
    ? tapeText(tapeNamed(store, what))
    : instrumentText(store, exchange as string, symbol.toUpperCase());
}

function tapeText(tape: TapeFile): string {
  const { source, instruments, rows } = tape;
  const { calendar } = loadReferenceData(FACTS);
  const more = instruments.length - SHOWN_INSTRUMENTS;
  return [
    `${shownName(tape)}: ${source.form}, ${source.bytes} bytes, ${rows} rows of ${instruments.length} instruments`,
    `digest ${source.digest}`,
    ...instruments.slice(0, SHOWN_INSTRUMENTS).map((instrument) => {
      const days = instrument.days.map(([day]) => day as IstDay);
      return daysText(instrument, days, calendar);
    }),
    ...(more > 0 ? [`and ${more} more instruments`] : []),
  ].join('\n');
}

function instrumentText(store: TapeStore, exchange: string, symbol: string): string {
  const found = store.instruments().filter((one) => one.exchange === exchange.toUpperCase() && one.symbol === symbol);
  const [first] = found;
  if (first === undefined) throw new CommandFailed(`no tape has ${exchange}:${symbol}`, EXIT_FAILED);
  const tapes = store.tapes.filter(({ source }) => found.some(({ digest }) => digest === source.digest));
  const sources = tapes.map((tape) => `${tape.source.digest.slice(0, SHOWN_DIGEST)} ${shownName(tape)}`);
  const { calendar } = loadReferenceData(FACTS);
  return [daysText(first, store.days(first), calendar), ...sources.map((source) => `  in ${source}`)].join('\n');
}

/** First and last day, and the trading days between them that are missing. */
function daysText({ exchange, symbol }: RecordedName, days: readonly IstDay[], calendar: TradingCalendar): string {
  const [from, to] = [days[0] as IstDay, days.at(-1) as IstDay];
  const there = new Set(days);
  const missing: IstDay[] = [];
  for (let day = from; day < to; day = (day + 1) as IstDay) {
    if (!there.has(day) && calendar.isOrdinaryDay(exchange, day)) missing.push(day);
  }
  const named = missing.slice(0, NAMED_DAYS).map(formatIsoDay);
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : '';
  const gaps = missing.length === 0 ? 'no trading day missing' : `missing ${nameList(named)}${more}`;
  return `${exchange}:${symbol} ${formatIsoDay(from)} to ${formatIsoDay(to)}, ${days.length} days, ${gaps}`;
}

/**
 * `sauda tape remove`: only while no service runs, since one may be reading the tape. A tape that the folder's market
 * has followed stays unless `isPlayed`: without it a folder that has traded does not start any more.
 */
export async function removeTape(folder: DataFolder, digest: string, isPlayed = false): Promise<string> {
  const store = new TapeStore(folder.tapes);
  const tape = tapeNamed(store, digest);
  if (!isPlayed && hasPlayed(folder, tape)) {
    throw new CommandFailed(
      `the market of ${folder.folder} has followed ${shownName(tape)}: once it has traded, it cannot start without. ` +
        'Say --played to remove it nevertheless.',
      EXIT_FAILED,
    );
  }
  try {
    holding(folder.folder, () => holding(folder.folder, () => takeAway(tape), IMPORTING_TAPES));
  } catch (error) {
    if (error instanceof FolderInUse) throw new CommandFailed(error.message, EXIT_FAILED);
    throw error;
  }
  return `${shownName(tape)} is removed: ${tape.source.digest}`;
}

/** The name of the imported file, which may have had anything in it. */
function shownName({ source }: TapeFile): string {
  return withoutControls(source.name);
}

function hasPlayed({ playedTapes }: DataFolder, { source }: TapeFile): boolean {
  const played = readPlayedTapes(playedTapes);
  if (!played.ok) throw new CommandFailed(played.error, EXIT_CONFIG);
  return played.value?.tapes.some(({ digest }) => digest === source.digest) ?? false;
}

/** The one tape whose digest begins so. */
function tapeNamed({ tapes }: TapeStore, begin: string): TapeFile {
  const found = tapes.filter(({ source }) => begin !== '' && source.digest.startsWith(begin.toLowerCase()));
  if (found.length === 1) return found[0] as TapeFile;
  const how = found.length === 0 ? 'no tape has a digest' : `${found.length} tapes have digests`;
  throw new CommandFailed(`${how} that begins with ${begin}; see sauda tape list`, EXIT_FAILED);
}
