/**
 * Our own recordings: JSON lines, a head for each day of an instrument and its lines after it, as
 * `market/recorded/record-day.ts` writes them. docs/tapes.md has the form. Nothing of a file is believed unchecked.
 */

import { EXCHANGES, type Exchange } from '../../base/ids.ts';
import { isJsonObject, jsonOf } from '../../base/json.ts';
import { RECORDING_VERSION } from '../../base/market/recording-form.ts';
import { type IstDay, parseIsoDay } from '../../base/time.ts';
import { PHASES, type Phase } from '../../core/exchange/phase.ts';
import type { RecordedModel, RecordedPhase } from '../../market/recorded/recorded-days.ts';
import { MOST_PAISE } from '../numbers.ts';
import { TapeFault } from '../tape-fault.ts';
import type { Reading } from './form.ts';
import { RecordedLines } from './recorded-lines.ts';

const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;
const MOST_SEED = 2 ** 32 - 1;

/** True for the first line of a recording. */
export function isRecording(line: string): boolean {
  return line.startsWith('{"sauda":"recording"');
}

/** Takes the lines of one recording. */
export class RecordingReader {
  readonly title = 'our own recording';
  private readonly reading: Reading;
  private lines: RecordedLines | undefined;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  line(text: string, number: number): void {
    const place = `${this.reading.document}, line ${number}`;
    if (isRecording(text)) {
      this.end();
      this.lines = this.begin(jsonOf(text), place);
      return;
    }
    const cells = jsonOf(text);
    if (!Array.isArray(cells) || this.lines === undefined)
      throw new TapeFault(`${place}: it is not a line of a recording`);
    this.lines.add(cells, place);
  }

  /** The end of the file, or of the day before another. */
  end(): void {
    const { lines, reading } = this;
    this.lines = undefined;
    if (lines === undefined) return;
    const { day, rows } = lines.finished();
    if (rows === 0) return;
    reading.collector.whole(lines.series, day, reading.document, rows);
  }

  private begin(head: unknown, place: string): RecordedLines {
    const fields = new HeadFields(head, place);
    if (fields.number('version', 0, 1_000) !== RECORDING_VERSION) throw fields.fault('version');
    const exchange = EXCHANGES.find((known) => known === fields.of('exchange')) as Exchange | undefined;
    const symbol = fields.of('symbol');
    const day = parseIsoDay(String(fields.of('day')));
    if (exchange === undefined) throw fields.fault('exchange');
    if (day === undefined) throw fields.fault('day');
    const { names, instruments, document } = this.reading;
    const name = typeof symbol === 'string' ? names.named(exchange, symbol) : undefined;
    if (name === undefined) throw new TapeFault(`${place}: ${exchange} has no instrument ${JSON.stringify(symbol)}`);
    return new RecordedLines({
      series: instruments.of(name, 'ticks', document),
      day: day as IstDay,
      lot: fields.number('lot', 1, MOST_PAISE),
      official: {
        close: fields.number('close', 0, MOST_PAISE),
        previousClose: fields.number('previousClose', 0, MOST_PAISE),
        settlement: 0,
      },
      model: modelOf(fields),
    });
  }
}

function modelOf(fields: HeadFields): Omit<RecordedModel, 'minutes'> {
  const open = fields.minuteSecond('open');
  const close = fields.minuteSecond('closes');
  if (close <= open) throw fields.fault('closes');
  return {
    tick: fields.number('tick', 1, MOST_PAISE),
    seed: fields.signed('seed'),
    volatility: fields.measure('volatility'),
    lots: fields.number('lots', 0, Number.MAX_SAFE_INTEGER),
    depthLots: fields.measure('depthLots'),
    orderLots: fields.measure('orderLots'),
    gap: fields.number('gap', 1, MOST_PAISE),
    openFrom: fields.measure('openFrom'),
    openTo: fields.measure('openTo'),
    open,
    close,
    phases: fields.phases(),
  };
}

/** The fields of a head, each checked as it is taken. */
class HeadFields {
  private readonly fields: Readonly<Record<string, unknown>>;
  private readonly place: string;

  constructor(head: unknown, place: string) {
    if (!isJsonObject(head)) throw new TapeFault(`${place}: it is not the head of a recording`);
    this.fields = head;
    this.place = place;
  }

  fault(name: string): TapeFault {
    return new TapeFault(`${this.place}, ${name}: ${JSON.stringify(this.fields[name]) ?? 'nothing'} cannot be read`);
  }

  of(name: string): unknown {
    return this.fields[name];
  }

  /** A whole number. */
  number(name: string, least: number, most: number): number {
    const value = this.fields[name];
    if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) throw this.fault(name);
    return value as number;
  }

  /** A hash, with or without a sign. */
  signed(name: string): number {
    return this.number(name, -(2 ** 31), MOST_SEED);
  }

  /** A number of lots, which may have a fraction. */
  measure(name: string): number {
    const value = this.fields[name];
    if (typeof value !== 'number' || !(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) throw this.fault(name);
    return value;
  }

  /** A second of the day at which a minute begins. */
  minuteSecond(name: string): number {
    const second = this.number(name, 0, DAY_SECONDS);
    if (second % MINUTE_SECONDS !== 0) throw this.fault(name);
    return second;
  }

  phases(): RecordedPhase[] {
    const { phases } = this.fields;
    if (!Array.isArray(phases) || phases.length > PHASES.length) throw this.fault('phases');
    let before = 0;
    return phases.map((entry: unknown): RecordedPhase => {
      const [word, start, end] = Array.isArray(entry) ? (entry as unknown[]) : [];
      const phase = PHASES.find((known) => known === word);
      if (phase === undefined || !isSecond(start) || !isSecond(end) || start < before || end < start) {
        throw this.fault('phases');
      }
      before = end;
      return [phase as Phase, start, end];
    });
  }
}

function isSecond(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= DAY_SECONDS;
}
