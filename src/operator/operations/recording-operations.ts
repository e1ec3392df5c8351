/**
 * How operators record a day of a running market: its prints, quotes and figures as JSON lines, packed by zstd, which
 * `sauda tape import` takes over. The market is a function of time, so a day is recorded whenever it is asked for.
 */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createZstdCompress } from 'node:zlib';
import type { Exchange, InstrumentId } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { formatIsoDay, type IstDay, istDay, istTimeOfDay, SECOND_MS } from '../../base/time.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import type { EnginePort } from '../../engine/port.ts';

/** How long one turn of the event loop makes lines. In milliseconds. */
const SLICE_MS = 2;
/** Lines that are made between two looks at the time: one costs microseconds. */
const LINES = 32;
const LAST_SECOND = 86_399;

export interface RecordingParts {
  readonly engine: Pick<EnginePort, 'now'>;
  readonly instruments: InstrumentDirectory;
  /** The lines of a day of an instrument up to and with a second; none when it did not trade. */
  readonly linesOf: (id: InstrumentId, day: IstDay, until: number) => Iterable<unknown>;
}

export class RecordingOperations {
  private readonly parts: RecordingParts;

  constructor(parts: RecordingParts) {
    this.parts = parts;
  }

  /**
   * The recording of a day, today when left out, up to the present second of the market at most. A message when there
   * is no such instrument, or no trading of it to record.
   */
  record(exchange: Exchange, symbol: string, wanted: IstDay | undefined): Result<Readable, string> {
    const { engine, instruments, linesOf } = this.parts;
    const now = engine.now();
    const found = instruments.find(exchange, symbol, now) ?? instruments.find(exchange, `${symbol}-EQ`, now);
    if (found === undefined) return fail(`there is no instrument ${symbol} on ${exchange}`);
    const today = istDay(now);
    const day = wanted ?? today;
    if (day > today) return fail(`${formatIsoDay(day)} has not come yet: it is ${formatIsoDay(today)} in the market`);
    const until = day < today ? LAST_SECOND : Math.floor(istTimeOfDay(now) / SECOND_MS) - 1;
    const lines = linesOf(found.id, day, until)[Symbol.iterator]();
    const head = lines.next();
    if (head.done) return fail(`${exchange}:${found.tradingSymbol} did not trade on ${formatIsoDay(day)}`);
    return ok(Readable.from(pieces(head.value, lines)).pipe(createZstdCompress()));
  }
}

/** The lines as pieces of text, each made in a slice of a turn. */
async function* pieces(head: unknown, lines: Iterator<unknown>): AsyncGenerator<string> {
  let text = `${JSON.stringify(head)}\n`;
  for (let isOver = false; !isOver; ) {
    const end = performance.now() + SLICE_MS;
    while (!isOver && performance.now() < end) {
      for (let count = 0; count < LINES && !isOver; count += 1) {
        const next = lines.next();
        isOver = next.done === true;
        if (!isOver) text += `${JSON.stringify(next.value)}\n`;
      }
    }
    if (text !== '') yield text;
    text = '';
    await setImmediate();
  }
}
