/**
 * The drawing of a chart: candles, volume and the user's lines on one canvas. It knows nothing of the service; the
 * panel hands it candles and lines, and hears of moved lines and of prices under the pointer.
 */
import {
  CandlestickSeries,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type MouseEventParams,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Candle } from './candles.ts';
import { axisText, type ChartLine } from './chart-lines.ts';
import { OrderLines } from './order-lines.ts';
import { type Palette, paletteOf } from './palette.ts';

export interface ChartEvents {
  /** The candle under the pointer; undefined beside all of them. */
  onCandle(time: number | undefined): void;
  /** The pointer let go of a line at another price. */
  onMoved(line: ChartLine, price: string): void;
  /** The left edge of the candles is near. */
  onEdge(): void;
}

/** Fewer candles than this to the left of what is seen ask for older ones. */
const EDGE_BARS = 20;
/** The most pixels of a candle with its gap, where few candles have much room. */
const MOST_BAR_PX = 30;
/** The part of the height that volume takes, at the bottom. */
const VOLUME_TOP = 0.82;

export class ChartView {
  readonly lines: OrderLines;
  private readonly element: HTMLElement;
  private readonly events: ChartEvents;
  private readonly chart: IChartApi;
  private readonly prices: ISeriesApi<'Candlestick'>;
  private readonly volume: ISeriesApi<'Histogram'>;
  private palette: Palette;
  private tickSize = '0.05';

  constructor(element: HTMLElement, events: ChartEvents) {
    this.element = element;
    this.events = events;
    this.palette = paletteOf(element);
    this.lines = new OrderLines(this.palette);
    this.chart = createChart(element, {
      autoSize: true,
      crosshair: { mode: CrosshairMode.Normal },
      // The browser's own language may be a tag that its formats refuse.
      localization: { locale: 'en-IN', priceFormatter: (price: number) => axisText(price, this.tickSize) },
    });
    this.prices = this.chart.addSeries(CandlestickSeries, { borderVisible: false });
    this.volume = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.chart.priceScale('volume').applyOptions({ scaleMargins: { top: VOLUME_TOP, bottom: 0 } });
    this.prices.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 1 - VOLUME_TOP + 0.02 } });
    this.prices.attachPrimitive(this.lines);
    this.chart.subscribeCrosshairMove(this.onCrosshair);
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range !== null && range.from < EDGE_BARS) this.events.onEdge();
    });
    element.addEventListener('pointerdown', this.onPointerDown, { capture: true });
    this.paint();
  }

  /** The price step of the instrument, as decimal text of rupees. */
  step(tickSize: string): void {
    this.tickSize = tickSize;
    // The scale divides its base by 2 and 5: with that of a tick of 0.05 its marks fall between two prices.
    this.prices.applyOptions({ priceFormat: { type: 'price', precision: 2, minMove: Number(tickSize), base: 100 } });
  }

  /** Shows times of day, or dates alone. */
  showTimes(shown: boolean): void {
    this.chart.timeScale().applyOptions({ timeVisible: shown, secondsVisible: false });
  }

  /** Shows these candles in place of all others. `isFresh`: of another instrument or interval. */
  show(candles: readonly Candle[], isFresh: boolean): void {
    const seen = this.chart.timeScale().getVisibleRange();
    this.prices.setData(candles.map((candle) => ({ ...candle, time: candle.time as UTCTimestamp })));
    this.volume.setData(candles.map((candle) => this.barOf(candle)));
    if (isFresh) this.chart.timeScale().resetTimeScale();
    else if (seen !== null) this.chart.timeScale().setVisibleRange(seen);
  }

  /** Draws the newest candle, or one more. */
  update(candle: Candle): void {
    this.prices.update({ ...candle, time: candle.time as UTCTimestamp });
    this.volume.update(this.barOf(candle));
  }

  /** The price at a height of the element, on the grid of ticks. */
  priceAt(y: number): string | undefined {
    return this.lines.priceAt(y, this.tickSize);
  }

  /** Moves what is seen by candles; below 0 to older ones. */
  scroll(candles: number): void {
    const scale = this.chart.timeScale();
    scale.scrollToPosition(scale.scrollPosition() + candles, false);
  }

  /** Shows this many times as many candles. */
  widen(times: number): void {
    const scale = this.chart.timeScale();
    scale.applyOptions({ barSpacing: scale.options().barSpacing / times });
  }

  /** Takes the colours of the theme. Those of volume come with the next candles that are shown. */
  repaint(): void {
    this.palette = paletteOf(this.element);
    this.lines.repaint(this.palette);
    this.paint();
  }

  close(): void {
    this.element.removeEventListener('pointerdown', this.onPointerDown, { capture: true });
    this.chart.remove();
  }

  private paint(): void {
    const { ground, quiet, line, gain, loss, font } = this.palette;
    this.chart.applyOptions({
      layout: { background: { color: ground }, textColor: quiet, fontFamily: font, fontSize: 11 },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line, rightOffset: 6, maxBarSpacing: MOST_BAR_PX },
    });
    this.prices.applyOptions({ upColor: gain, downColor: loss, wickUpColor: gain, wickDownColor: loss });
  }

  private barOf({ time, volume, open, close }: Candle) {
    const colour = close >= open ? this.palette.gain : this.palette.loss;
    return { time: time as UTCTimestamp, value: volume, color: faint(colour) };
  }

  private readonly onCrosshair = ({ time }: MouseEventParams): void => {
    this.events.onCandle(typeof time === 'number' ? time : undefined);
  };

  private readonly onPointerDown = (event: PointerEvent): void => {
    const line = event.button === 0 ? this.lines.orderAt(this.heightOf(event)) : undefined;
    if (line === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    this.chart.applyOptions({ handleScroll: false, handleScale: false });
    let price = line.price;
    const move = (moved: PointerEvent): void => {
      price = this.priceAt(this.heightOf(moved)) ?? price;
      this.lines.move(line.key, price);
    };
    const release = (isDropped: boolean): void => {
      ending.abort();
      this.chart.applyOptions({ handleScroll: true, handleScale: true });
      this.lines.move(undefined);
      if (isDropped && price !== line.price) this.events.onMoved(line, price);
    };
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener('pointermove', move, { signal });
    window.addEventListener('pointerup', () => release(true), { signal });
    window.addEventListener('pointercancel', () => release(false), { signal });
    const onKey = (pressed: KeyboardEvent): void => {
      if (pressed.key === 'Escape') release(false);
    };
    window.addEventListener('keydown', onKey, { signal });
  };

  private heightOf({ clientY }: PointerEvent): number {
    return clientY - this.element.getBoundingClientRect().top;
  }
}

/** A colour at a third of its strength. */
function faint(colour: string): string {
  return colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.35)');
}
