/**
 * The frames of instruments: one text for each look at an instrument, made for the first socket that needs it and
 * shared by all others. The rows are those of the operations of the same figures.
 */

import type { EpochMs } from '../../base/time.ts';
import type { Instrument, Option } from '../../core/instrument.ts';
import type { GatewayParts } from '../deps.ts';
import { greeksText } from '../endpoints/market/option-chain-greeks.ts';
import { writeMultiQuote, writeTickQuote } from '../endpoints/market/quote-texts.ts';
import { type CandleText, INTERVALS, type Interval, newestCandles } from '../endpoints/market/time-price-series.ts';
import { formatStreamTime } from '../fields/times.ts';
import { jsonText } from '../fields/writer.ts';
import { WrittenText } from '../fields/written-text.ts';
import type { Sight } from '../sockets/market-watch.ts';
import { type TextFrame, textFrame, writtenFrame } from '../sockets/text-frame.ts';
import type { MarketChannel } from './channels.ts';
import { changeFields } from './price-change.ts';

const TEXT = new WrittenText();

/** The frames of one look at an instrument. */
export interface Frames {
  readonly newest: TextFrame;
  /** Of candles: when the bar began, and the candle before it, whose last trades may not have been shown yet. */
  readonly bar?: EpochMs;
  readonly before?: TextFrame;
}

/**
 * Makes the frames of a look; `undefined` for a candle before the first trade. They may have to wait until what they
 * show is durable.
 */
export type MakeFrames = (sight: Sight) => Frames | undefined | Promise<Frames | undefined>;

/** The makers of frames by the names of their feeds. Each is one function, so that looks are shared. */
export type FrameMakers = ReadonlyMap<string, MakeFrames>;

/** The name of a feed: the channel, with the interval of candles. */
export function feedName(channel: MarketChannel, interval: Interval | undefined): string {
  return channel === 'candles' ? `${channel} ${interval}` : channel;
}

export function frameMakers(parts: Pick<GatewayParts, 'engine' | 'market'>): FrameMakers {
  const { engine, market } = parts;
  const makers = new Map<string, MakeFrames>([
    ['ticks', (sight) => ({ newest: quoteFrame('tick', sight, writeTickQuote) })],
    ['depth', (sight) => ({ newest: quoteFrame('depth', sight, writeMultiQuote) })],
    [
      'greeks',
      (sight) =>
        engine.read((_state, views) => {
          return { newest: frame('greeks', sight, greeksText(views, market, sight.instrument as Option, sight.tick)) };
        }),
    ],
  ]);
  for (const interval of INTERVALS) {
    makers.set(feedName('candles', interval), (sight) =>
      engine.read((_state, views) => {
        return candleFrames(sight, interval, newestCandles(parts, views, sight.instrument.id, interval, sight.at));
      }),
    );
  }
  return makers;
}

function candleFrames(sight: Sight, interval: Interval, candles: readonly CandleText[]): Frames | undefined {
  const newest = candles.at(-1);
  if (newest === undefined) return undefined;
  const of = (text: string): TextFrame => frame('candle', sight, text, `"interval":"${interval}",`);
  const before = candles.at(-2);
  return { newest: of(newest.text), bar: newest.start, ...(before && { before: of(before.text) }) };
}

/** A frame of a quote: the change of its last price stands beside its row. */
function quoteFrame(type: string, sight: Sight, write: typeof writeTickQuote): TextFrame {
  TEXT.clear();
  TEXT.text(headOf(type, sight, changeFields(sight.quote)));
  write(TEXT, named(sight), sight.quote, sight.at);
  TEXT.text('}');
  return writtenFrame(TEXT);
}

/** The name of an instrument in its frames. */
export function instrumentName({ exchange, tradingSymbol }: Pick<Instrument, 'exchange' | 'tradingSymbol'>): string {
  return `${exchange}:${tradingSymbol}`;
}

function named({ instrument }: Sight) {
  return { instrument, answeredSymbol: instrument.tradingSymbol };
}

export function frame(type: string, sight: Sight, row: string, head = ''): TextFrame {
  return textFrame(`${headOf(type, sight, head)}${row}}`);
}

/** The text of a frame before its row. */
function headOf(type: string, { instrument, at }: Sight, head: string): string {
  const name = jsonText(instrumentName(instrument));
  return `{"type":"${type}","instrument":${name},${head}"at":"${formatStreamTime(at)}","data":`;
}
