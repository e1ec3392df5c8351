/**
 * The terminal while a grid is shown on it: a second screen that is left as it was found, and only the cells that
 * changed are written again.
 */
import type { Output } from '../trader-parts.ts';

/** Text at a place of the screen, both counted from 0. A cell has a fixed width, so that it covers what it was. */
export interface PlacedText {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** A picture of the whole screen. */
export interface Picture {
  /** Pictures of another layout are drawn on a blank screen. */
  readonly layout: string;
  readonly cells: readonly PlacedText[];
}

const ENTER = '\x1b[?1049h\x1b[?25l\x1b[2J';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const CLEAR = '\x1b[2J';

export class Screen {
  private readonly output: Output;
  private shown = new Map<string, string>();
  private layout: string | undefined;
  private isEntered = false;

  constructor(output: Output) {
    this.output = output;
  }

  enter(): void {
    this.isEntered = true;
    this.layout = undefined;
    this.output.write(ENTER);
  }

  /** Gives the terminal back as it was. It may be called more than once. */
  readonly leave = (): void => {
    if (this.isEntered) this.output.write(LEAVE);
    this.isEntered = false;
  };

  draw({ layout, cells }: Picture): void {
    if (!this.isEntered) return;
    const isNew = layout !== this.layout;
    if (isNew) this.shown.clear();
    this.layout = layout;
    const changed = cells.filter(({ row, column, text }) => this.shown.get(`${row} ${column}`) !== text);
    for (const { row, column, text } of changed) this.shown.set(`${row} ${column}`, text);
    const written = changed.map(({ row, column, text }) => `\x1b[${row + 1};${column + 1}H${text}`).join('');
    if (isNew || written !== '') this.output.write((isNew ? CLEAR : '') + written);
  }
}
