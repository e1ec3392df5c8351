/**
 * The chart of the chosen instrument: candles with the live one, volume, and the user's positions and working orders as
 * lines. A line is dragged, or moved by keys in the list above, to modify its order. A right click offers its price.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
import type { PanelProps } from '../../app/panels.ts';
import { useInstrumentInfo } from '../../orders/instrument-info.ts';
import { change } from '../../orders/sender.ts';
import { orders, positions } from '../../store/books.ts';
import { chosenOf } from '../../store/chosen.ts';
import { CandleFeed } from './candle-feed.ts';
import { CandleFigures } from './candle-figures.tsx';
import { type Candle, CHART_INTERVALS, type ChartInterval } from './candles.ts';
import { type ChartLine, linesOf, movedTo } from './chart-lines.ts';
import { ChartView } from './chart-view.ts';
import { LineList } from './line-list.tsx';
import { onTheme } from './palette.ts';
import { type MenuPlace, PriceMenu } from './price-menu.tsx';
import './chart.css';

export default function Chart({ link }: PanelProps) {
  const interval = useSignal<ChartInterval>('1mi');
  const chosen = chosenOf(link).value;
  if (chosen === undefined) return <p class="empty">Choose an instrument in a list, or press / to search.</p>;
  return (
    <div class="chart-view">
      <div class="chart-tools" role="group" aria-label="Interval">
        {CHART_INTERVALS.map(({ interval: one, title }) => (
          <button
            type="button"
            key={one}
            class="tab"
            aria-pressed={interval.value === one}
            onClick={() => (interval.value = one)}
          >
            {title}
          </button>
        ))}
      </div>
      <ChartOf key={`${instrumentText(chosen)} ${interval.value}`} instrument={chosen} interval={interval.value} />
    </div>
  );
}

const NO_BOX = { left: 0, top: 0 };
/** The keys of the chart; Enter opens the menu of prices. */
const KEYS: Readonly<Record<string, (view: ChartView) => void>> = {
  ArrowLeft: (view) => view.scroll(-10),
  ArrowRight: (view) => view.scroll(10),
  ArrowUp: (view) => view.widen(0.8),
  ArrowDown: (view) => view.widen(1.25),
};

interface ChartProps {
  readonly instrument: InstrumentName;
  readonly interval: ChartInterval;
}

function ChartOf({ instrument, interval }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const menu = useSignal<MenuPlace | undefined>(undefined);
  const { info } = useInstrumentInfo(instrument);
  const tickSize = info?.tickSize ?? '0.05';
  const lines = linesOf(instrument, orders.list.value, positions.list.value);
  const { view, shown, problem } = useDrawnChart(place, { instrument, interval });
  useEffect(() => view.current?.step(tickSize), [tickSize]);
  useEffect(() => view.current?.lines.show(lines), [lines.map(({ key, price, text }) => key + price + text).join()]);

  const openMenu = (x: number, y: number): void => {
    const price = view.current?.priceAt(y);
    if (price !== undefined) menu.value = { x, y, price, line: view.current?.lines.orderAt(y) };
  };
  const onContextMenu = (event: MouseEvent): void => {
    event.preventDefault();
    const { left, top } = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : NO_BOX;
    openMenu(event.clientX - left, event.clientY - top);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [act, canvas] = [KEYS[event.key], place.current];
    if (canvas === null || event.target !== canvas || view.current === undefined) return;
    if (act !== undefined) act(view.current);
    else if (event.key === 'Enter' || event.key === 'ContextMenu') openMenu(80, canvas.clientHeight / 3);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <CandleFigures shown={shown} />
      <LineList
        lines={lines}
        tickSize={tickSize}
        onMove={(line, price) => view.current?.lines.move(line?.key, price)}
        onSend={move}
      />
      {problem.value !== '' && (
        <p class="empty" role="status">
          {problem.value}
        </p>
      )}
      <div class="chart-place">
        <div
          class="chart-canvas"
          ref={place}
          role="group"
          aria-label={`Chart of ${instrument.tradingSymbol}, ${interval}`}
          tabIndex={0}
          onContextMenu={onContextMenu}
          onKeyDown={onKeyDown}
        />
        {menu.value !== undefined && (
          <PriceMenu instrument={instrument} place={menu.value} onClose={() => (menu.value = undefined)} />
        )}
      </div>
    </>
  );
}

interface DrawnChart {
  /** Undefined until the chart is drawn. */
  readonly view: RefObject<ChartView | undefined>;
  /** The candle whose figures are shown. */
  readonly shown: Signal<Candle | undefined>;
  /** The reason why there are no candles, else ''. */
  readonly problem: Signal<string>;
}

/** Draws the candles into a place and keeps them current until the place is gone. */
function useDrawnChart(place: RefObject<HTMLDivElement | null>, { instrument, interval }: ChartProps): DrawnChart {
  const view = useRef<ChartView>(undefined);
  const shown = useSignal<Candle | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    if (place.current === null) return undefined;
    const feed = new CandleFeed(instrument, interval, {
      reset: (candles, isFresh) => drawn.show(candles, isFresh),
      newest: (candle) => drawn.update(candle),
      shown: (candle) => (shown.value = candle),
      failed: (reason) => (problem.value = reason),
    });
    const drawn = new ChartView(place.current, {
      onCandle: (time) => feed.point(time),
      onMoved: move,
      onEdge: () => feed.older(),
    });
    drawn.showTimes(interval !== '1d');
    view.current = drawn;
    const stopTheme = onTheme(() => {
      drawn.repaint();
      feed.redraw();
    });
    feed.open();
    return () => {
      stopTheme();
      feed.close();
      drawn.close();
    };
  }, []);
  return { view, shown, problem };
}

/** Modifies the order of a line. Its line stays where the service has it until the service says otherwise. */
function move({ order }: ChartLine, price: string): void {
  if (order !== undefined) void change(order.orderNumber, movedTo(order, price));
}
