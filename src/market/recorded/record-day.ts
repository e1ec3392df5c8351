/**
 * A day of an instrument of a running market as lines of a recording: a head, then each minute's figures, each change
 * of the touch and each print, in order. docs/tapes.md has the form; `tapes/forms/recording.ts` reads it.
 */
import { RECORDING_VERSION } from '../../base/market/recording-form.ts';
import { formatIsoDay, type IstDay } from '../../base/time.ts';
import { MINUTE_SECONDS } from '../day-tape.ts';
import { ewmaVolatility } from '../options/ewma.ts';
import { closingMatchedAt } from '../session/closing-print.ts';
import type { DrawnDay, ModelListed } from '../synthetic/model-listed.ts';
import type { RecordedModel } from './recorded-days.ts';

/** One line, as JSON. Prices in paise, times in seconds or minutes after IST midnight, quantities in units. */
export type RecordingLine =
  | RecordingHead
  | readonly ['m', minute: number, fair: number, low: number, high: number, nearLow: number, nearHigh: number]
  | readonly ['q', second: number, bid: number, ask: number]
  | readonly ['p', second: number, price: number, units: number, side: 'B' | 'S', openInterest: number];

/** The first line of a day. */
export interface RecordingHead extends Omit<RecordedModel, 'close' | 'phases' | 'minutes'> {
  readonly sauda: 'recording';
  readonly version: typeof RECORDING_VERSION;
  readonly exchange: string;
  readonly symbol: string;
  /** `2026-11-24` */
  readonly day: string;
  /** The last second that the recording has. */
  readonly until: number;
  readonly lot: number;
  /** The official closes, in the terms of the day; 0 of a day that is not over. */
  readonly previousClose: number;
  readonly close: number;
  /** The end of continuous trading, which is `close` of the model. */
  readonly closes: number;
  readonly phases: readonly (readonly [phase: string, start: number, end: number])[];
}

/**
 * The lines of a day up to and with a second; none when the instrument does not trade on it. Each line costs
 * microseconds, a day of 24 hours a fraction of a second: whoever takes them pauses between.
 */
export function* recordDay(listed: ModelListed, day: IstDay, until: number): Generator<RecordingLine> {
  const traded = listed.traded(day);
  if (traded === undefined) return;
  yield headOf(listed, traded, until);
  const { tape } = traded;
  let shown = '';
  for (let second = tape.begin; second < tape.end && second <= until; second += 1) {
    if (second % MINUTE_SECONDS === 0) yield minuteOf(traded, second / MINUTE_SECONDS);
    const touch = touchAt(traded, second);
    if (touch !== undefined && `${touch}` !== shown) {
      shown = `${touch}`;
      yield ['q', second, ...touch];
    }
    yield* printsAt(listed, traded, second);
  }
  // Fair values after the last print are asked for by the closing auction.
  const matched = closingMatchedAt(traded.phases) ?? 0;
  for (let minute = tape.end / MINUTE_SECONDS; minute <= matched / MINUTE_SECONDS; minute += 1) {
    if (minute * MINUTE_SECONDS <= until) yield minuteOf(traded, minute);
  }
}

function headOf(listed: ModelListed, traded: DrawnDay, until: number): RecordingHead {
  const { instrument } = listed;
  const { tape, liquidity, phases, openFrom, openTo } = traded;
  const { depthLots, orderLots, gap } = liquidity;
  const isOver = until >= tape.end && until >= (closingMatchedAt(phases) ?? 0);
  return {
    sauda: 'recording',
    version: RECORDING_VERSION,
    exchange: instrument.exchange,
    symbol: instrument.tradingSymbol,
    day: formatIsoDay(tape.day),
    until,
    tick: tape.tick,
    lot: instrument.lot,
    previousClose: listed.closeBefore(tape.day).price,
    close: isOver ? listed.closeOf(tape.day) : 0,
    seed: tape.seed,
    volatility: ewmaVolatility(listed.underlying ?? listed, tape.day),
    lots: (tape.lots * tape.lot) / instrument.lot,
    depthLots,
    orderLots,
    gap,
    openFrom,
    openTo,
    open: tape.open,
    closes: tape.close,
    phases: phases.map(({ phase, start, end }) => [phase, start, end] as const),
  };
}

function minuteOf({ tape }: DrawnDay, minute: number): RecordingLine {
  const isTrading = minute * MINUTE_SECONDS < tape.close;
  const [low, high] = isTrading ? [tape.lowBound(minute), tape.highBound(minute)] : [0, 0];
  const near = isTrading ? tape.nearBounds(minute) : { low: 0, high: 0 };
  return ['m', minute, tape.fairValue(minute), low, high, near.low, near.high];
}

const BID = new Int32Array(1);
const ASK = new Int32Array(1);

/** Best bid and ask in paise; `undefined` where nothing is quoted. */
function touchAt({ tape, tick, liquidity }: DrawnDay, second: number): readonly [number, number] | undefined {
  if (second < tape.open || second >= tape.close || liquidity.depthLots === 0) return undefined;
  tape.touches(second, 1, BID, ASK);
  return [(BID[0] as number) * tick, -(ASK[0] as number) * tick];
}

function* printsAt(listed: ModelListed, traded: DrawnDay, second: number): Generator<RecordingLine> {
  const { tape } = traded;
  if (tape.lastPrint(second) !== second) return;
  const openInterest = listed.openInterest(traded, second);
  const prints = tape.printsAt?.(second) ?? [{ ...tape.printPrice(second), quantity: tape.printQuantity(second) }];
  for (const { price, quantity, aggressor } of prints) yield ['p', second, price, quantity, aggressor, openInterest];
}
