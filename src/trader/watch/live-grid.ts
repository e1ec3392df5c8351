/** The grid while it lives: it takes events of the stream and keys, and draws at most ten pictures a second. */
import type { DepthEvent } from '../../../client/src/stream/events.ts';
import { type GridFrame, gridPicture, roomOf, type Watched } from './grid.ts';
import type { Screen } from './screen.ts';

/** The size of the terminal and its colours now. */
type Terminal = () => Pick<GridFrame, 'columns' | 'rows' | 'paint'>;

const DRAW_MS = 100;
/** A move of a price is shown for this time, in ms. */
const MOVE_MS = 700;

interface Shown extends Watched {
  /** When the move was seen, in ms of the monotonic clock. */
  readonly movedAt: number;
}

export class LiveGrid {
  private readonly screen: Screen;
  private readonly terminal: Terminal;
  private readonly watched = new Map<string, Shown>();
  private readonly place: string;
  /** The market's time, `10:15:03 23-11-2026`. */
  private time = '';
  private phases = '';
  private trouble = '';
  private from = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `place` says who watches where. */
  constructor(names: readonly string[], place: string, screen: Screen, terminal: Terminal) {
    this.place = place;
    this.screen = screen;
    this.terminal = terminal;
    for (const name of names) this.watched.set(name, { name, quote: undefined, move: undefined, movedAt: 0 });
  }

  /** The newest quote of an instrument. */
  take({ instrument, data }: DepthEvent): void {
    const before = this.watched.get(instrument);
    if (before === undefined) return;
    const past = before.quote?.lastTradedPrice;
    const moved = past !== undefined && past !== data.lastTradedPrice;
    const move = moved ? (Number(data.lastTradedPrice) > Number(past) ? 'up' : 'down') : before.move;
    this.watched.set(instrument, { ...before, quote: data, move, movedAt: moved ? performance.now() : before.movedAt });
    this.setTime(data.requestTime);
  }

  setTime(time: string): void {
    this.time = time;
    this.drawSoon();
  }

  /** The phases of the exchanges, for the line above the grid. */
  setPhases(phases: string): void {
    this.phases = phases;
    this.drawSoon();
  }

  /** Why nothing comes; blank when all is well. */
  setTrouble(trouble: string): void {
    this.trouble = trouble;
    this.drawSoon();
  }

  readonly scroll = (lines: number, pages: number): void => {
    const room = roomOf(this.terminal().rows);
    const last = Math.max(0, this.watched.size - room);
    this.from = Math.min(last, Math.max(0, this.from + lines + pages * room));
    this.draw();
  };

  readonly draw = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { time, phases, place, trouble, from } = this;
    const title = [time, phases, place].filter((part) => part !== '').join('  ');
    const rows = this.rowsNow();
    this.screen.draw(gridPicture(rows, { ...this.terminal(), title, trouble, from }));
    if (rows.some(({ move }) => move !== undefined)) this.drawSoon();
  };

  end(): void {
    clearTimeout(this.timer);
  }

  private drawSoon(): void {
    this.timer ??= setTimeout(this.draw, DRAW_MS);
  }

  /** The instruments, without moves that were shown long enough. */
  private rowsNow(): readonly Watched[] {
    const now = performance.now();
    for (const [name, row] of this.watched) {
      if (row.move !== undefined && now - row.movedAt > MOVE_MS) this.watched.set(name, { ...row, move: undefined });
    }
    return [...this.watched.values()];
  }
}
