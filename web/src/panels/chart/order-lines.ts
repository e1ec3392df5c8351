/**
 * The user's orders and positions as lines of a chart, drawn over its series. The line of an order is moved by the
 * pointer; its price is on the grid of ticks all the way, and the order is changed when the pointer lets go.
 */
import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  PrimitiveHoveredItem,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { grouped } from '../../text/figures.ts';
import { type ChartLine, snapped } from './chart-lines.ts';
import type { Palette } from './palette.ts';

/** A pointer this near to a line has it, in pixels. */
const NEAR_PX = 5;

type Attached = SeriesAttachedParameter<Time, 'Candlestick'>;
/** The target that the chart hands to a renderer. */
type Target = Parameters<NonNullable<ReturnType<IPrimitivePaneView['renderer']>>['draw']>[0];

export class OrderLines implements ISeriesPrimitive<Time> {
  private lines: readonly ChartLine[] = [];
  private palette: Palette;
  private attachment: Attached | undefined;
  /** The line that is being moved, and the price where it is. */
  private moving: { readonly key: string; readonly price: string } | undefined;

  constructor(palette: Palette) {
    this.palette = palette;
  }

  attached(attachment: Attached): void {
    this.attachment = attachment;
  }

  detached(): void {
    this.attachment = undefined;
  }

  show(lines: readonly ChartLine[]): void {
    this.lines = lines;
    this.attachment?.requestUpdate();
  }

  /** Takes other colours. */
  repaint(palette: Palette): void {
    this.palette = palette;
    this.attachment?.requestUpdate();
  }

  /** Draws a line at another price than its own, until it is called with undefined. */
  move(key: string | undefined, price = ''): void {
    this.moving = key === undefined ? undefined : { key, price };
    this.attachment?.requestUpdate();
  }

  /** The line of an order under a height of the pane. */
  orderAt(y: number): ChartLine | undefined {
    const orders = this.lines.filter(({ order }) => order !== undefined);
    return orders.find((line) => Math.abs((this.heightOf(line) ?? Number.NaN) - y) <= NEAR_PX);
  }

  /** The price at a height, on the grid of ticks; undefined outside of the scale. */
  priceAt(y: number, tickSize: string): string | undefined {
    const drawn = this.attachment?.series.coordinateToPrice(y);
    return drawn === undefined || drawn === null ? undefined : snapped(drawn, tickSize);
  }

  hitTest(_x: number, y: number): PrimitiveHoveredItem | null {
    const line = this.orderAt(y);
    return line === undefined ? null : { externalId: line.key, zOrder: 'top', cursorStyle: 'ns-resize' };
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.draw(target) }) }];
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.lines.map((line) => ({
      coordinate: () => this.heightOf(line) ?? -100,
      text: () => grouped(this.priceOf(line)),
      textColor: () => this.palette.onSide,
      backColor: () => this.colourOf(line),
    }));
  }

  private draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      for (const line of this.lines) {
        const y = this.heightOf(line);
        if (y === undefined || y < 0 || y > mediaSize.height) continue;
        context.strokeStyle = this.colourOf(line);
        context.setLineDash(line.kind === 'position' ? [2, 3] : line.key === this.moving?.key ? [] : [6, 3]);
        context.beginPath();
        context.moveTo(0, Math.round(y) + 0.5);
        context.lineTo(mediaSize.width, Math.round(y) + 0.5);
        context.stroke();
        this.label(context, line, y);
      }
      context.setLineDash([]);
    });
  }

  private label(context: CanvasRenderingContext2D, line: ChartLine, y: number): void {
    context.font = `11px ${this.palette.font}`;
    const text = line.key === this.moving?.key ? `${line.text} to ${grouped(this.moving.price)}` : line.text;
    const width = context.measureText(text).width + 10;
    context.fillStyle = this.colourOf(line);
    context.fillRect(8, Math.round(y) - 8, width, 16);
    context.fillStyle = this.palette.onSide;
    context.textBaseline = 'middle';
    context.fillText(text, 13, Math.round(y) + 0.5);
  }

  private priceOf({ key, price }: ChartLine): string {
    return this.moving?.key === key ? this.moving.price : price;
  }

  private heightOf(line: ChartLine): number | undefined {
    return this.attachment?.series.priceToCoordinate(Number(this.priceOf(line))) ?? undefined;
  }

  private colourOf({ kind }: ChartLine): string {
    return this.palette[kind];
  }
}
