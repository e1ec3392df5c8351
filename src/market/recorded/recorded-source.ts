/**
 * The values that follow a record between its prints: of the instrument itself, for the contracts on it and its twin,
 * and of an instrument that nothing plays.
 */
import type { IstDay } from '../../base/time.ts';
import { MINUTE_SECONDS } from '../day-tape.ts';
import { type Line, type Source, straight } from '../synthetic/paths/line.ts';
import type { RecordedPlay } from './played-days.ts';
import { placeAfter } from './print-run.ts';

const WAY = new Float64Array(MINUTE_SECONDS);

/**
 * The recorded prices of an instrument as a fair value, which contracts on it and its twin follow: the last print, held
 * until the next one.
 */
export class RecordedSource implements Source {
  private readonly play: RecordedPlay;

  constructor(play: RecordedPlay) {
    this.play = play;
  }

  at(day: IstDay, minute: number): number {
    return this.play.priceAt(day, minute);
  }

  fill(day: IstDay, minute: number, line: Line): void {
    const from = this.at(day, minute);
    straight(line, from, this.at(day, minute + 1));
    line.curve = undefined;
    if (!this.play.has(day)) {
      line.walk.clear();
      return;
    }
    const { prints, tick } = this.play.on(day);
    const run = prints.run(minute);
    const start = minute * MINUTE_SECONDS;
    for (let second = 0; second < MINUTE_SECONDS; second += 1) {
      const place = placeAfter(run, start + second) - 1;
      const value = place < run.from ? from : (run.ticks[place] as number) * tick;
      WAY[second] = value - from - line.slope * second;
    }
    line.walk.set(WAY);
  }
}

/** A price that stands still: of an instrument that nothing plays. */
export class StandingSource implements Source {
  private readonly price: number;

  /** In paise. */
  constructor(price: number) {
    this.price = price;
  }

  at(): number {
    return this.price;
  }

  fill(_day: IstDay, _minute: number, line: Line): void {
    straight(line, this.price, this.price);
    line.curve = undefined;
    line.walk.clear();
  }
}
