/**
 * A form of recorded files: a test of the columns, and a taker of rows. The instruments of a file and what they need of
 * the file's name are here too, since most forms share them.
 */
import type { Exchange } from '../../base/ids.ts';
import { nameList } from '../../base/name-list.ts';
import type { RecordedKind, RecordedName } from '../../market/recorded/recorded-days.ts';
import { type Collector, Series, SPANS, type Span, spanText } from '../collector.ts';
import type { Columns } from '../columns.ts';
import { exchangeNamed, type InstrumentNames } from '../instrument-names.ts';
import type { Row } from '../row.ts';
import { faultOf, type TapeFault } from '../tape-fault.ts';

/** The words of an operator about a file that does not say it all. */
export interface Given {
  readonly exchange?: Exchange | undefined;
  readonly symbol?: string | undefined;
  readonly as?: RecordedKind | undefined;
}

/** A document that is read: a file, or an entry of an archive. */
export interface Reading {
  readonly document: string;
  /** The last part of its name without its ending: `RELIANCE_NSE_1m`. */
  readonly stem: string;
  readonly names: InstrumentNames;
  readonly collector: Collector;
  readonly instruments: TapeInstruments;
  readonly given: Given;
}

/** Takes the rows of one document. */
export interface RowTaker {
  /** How the form is called in the report. */
  readonly title: string;
  readonly row: (row: Row) => void;
  /** Called after the last row. */
  readonly end?: () => void;
}

/** Opens a document of the form; `undefined` when its columns are not those of the form. */
export type Form = (columns: Columns, reading: Reading) => RowTaker | undefined;

/** The instruments of one tape, and the rows that name none that is known. */
export class TapeInstruments {
  /** Rows by the names that no instrument has. */
  readonly leftOut = new Map<string, number>();
  /** Rows of instruments that did not trade. */
  untraded = 0;
  private readonly known = new Map<string, Series>();

  get all(): Iterable<Series> {
    return this.known.values();
  }

  of(name: RecordedName, kind: RecordedKind, document: string): Series {
    const key = `${name.exchange}:${name.symbol}`;
    const found = this.known.get(key);
    if (found === undefined) {
      const made = new Series(name, kind);
      this.known.set(key, made);
      return made;
    }
    if (found.kind !== kind) throw faultOf(document, `${key} came as ${found.kind} before, and comes as ${kind} here`);
    return found;
  }

  leaveOut(name: string): void {
    this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1);
  }
}

/** Finds the instrument of a row by a text of it; the texts of earlier rows are remembered. */
export class NamedRows {
  private readonly reading: Reading;
  private readonly kind: RecordedKind;
  private readonly find: (text: string) => RecordedName | undefined;
  private readonly known = new Map<string, Series | undefined>();

  constructor(reading: Reading, kind: RecordedKind, find: (text: string) => RecordedName | undefined) {
    this.reading = reading;
    this.kind = kind;
    this.find = find;
  }

  /** The instrument; `undefined`, and counted, when the master has none of the name. */
  of(text: string): Series | undefined {
    const { instruments, document } = this.reading;
    if (this.known.has(text)) {
      const known = this.known.get(text);
      if (known === undefined) instruments.leaveOut(text);
      return known;
    }
    const name = this.find(text);
    const series = name && instruments.of(name, this.kind, document);
    this.known.set(text, series);
    if (series === undefined) instruments.leaveOut(text);
    return series;
  }
}

/** The parts of `SYMBOL_EXCHANGE_INTERVAL`, as OpenAlgo names its exports. */
const EXPORT_NAME = /^(.+)_(NSE|BSE|NFO|BFO|NSE_INDEX|BSE_INDEX)_(\d+[smhd]|[DWM])$/i;

/** The instrument of a document whose rows name none: by the operator's words, or by the name of the file. */
export function instrumentOfFile(reading: Reading, kind: RecordedKind): Series {
  const { document, stem } = reading;
  const name = givenName(reading) ?? exportedName(reading) ?? nameInFileName(reading);
  const series = reading.instruments.of(name, kind, document);
  const word = EXPORT_NAME.exec(stem)?.[3];
  if (word !== undefined && kind === 'candles') {
    stateInterval(series, word, (what) => faultOf(document, `${JSON.stringify(word)} in its name ${what}`));
  }
  return series;
}

/** Notes the interval that a file states. Throws what `fault` makes of one that cannot be played, or of two. */
export function stateInterval(series: Series, word: string, fault: (what: string) => TapeFault): void {
  const span = intervalSpan(word);
  if (span === undefined) throw fault('is not an interval that can be played');
  const other = series.state(span);
  if (other !== undefined) throw fault(`comes after candles of ${spanText(other)}`);
}

function givenName({ names, given, document }: Reading): RecordedName | undefined {
  if (given.symbol === undefined) return undefined;
  const exchange = given.exchange ?? 'NSE';
  const name = names.named(exchange, given.symbol);
  if (name) return name;
  throw faultOf(document, `${exchange} has no instrument ${JSON.stringify(given.symbol)}`);
}

function exportedName({ names, stem }: Reading): RecordedName | undefined {
  const [, symbol = '', word = ''] = EXPORT_NAME.exec(stem) ?? [];
  const exchange = exchangeNamed(word);
  return exchange === undefined ? undefined : names.named(exchange, symbol);
}

/** The one instrument that a word of the file's name stands for. */
function nameInFileName({ names, given, document, stem }: Reading): RecordedName {
  const exchanges: readonly Exchange[] = given.exchange === undefined ? ['NSE', 'NFO', 'BSE', 'BFO'] : [given.exchange];
  for (const exchange of exchanges) {
    const words = [stem, ...stem.split(/[_\s.]+/)].filter((word) => /[A-Z]/i.test(word));
    const found = words.flatMap((word) => names.named(exchange, word) ?? []);
    const symbols = [...new Set(found.map(({ symbol }) => symbol))];
    if (symbols.length > 1) throw faultOf(document, `its name could mean ${nameList(symbols)}: say --symbol`);
    if (found[0] !== undefined) return found[0];
  }
  throw faultOf(document, 'neither its rows nor its name say which instrument it is of: say --exchange and --symbol');
}

/** Refuses `--symbol` for a file whose rows name their instruments. */
export function expectNoSymbol({ given, document }: Reading): void {
  if (given.symbol === undefined) return;
  throw faultOf(document, 'its rows name their instruments: leave --symbol out');
}

/** The span of an interval as vendors write it: `1m`, `15m`, `1h`, `D`; `undefined` for one that cannot be played. */
function intervalSpan(word: string): Span | undefined {
  if (/^(D|1d)$/i.test(word)) return 'day';
  const [, count = '', unit = ''] = /^(\d+)([mh])$/i.exec(word) ?? [];
  const minutes = Number(count) * (unit.toLowerCase() === 'h' ? 60 : 1);
  return minutes === 1 || SPANS.includes(minutes) ? minutes : undefined;
}
