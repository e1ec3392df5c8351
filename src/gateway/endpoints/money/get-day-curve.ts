/**
 * The operation `/getDayCurve`: the result of the day as a curve, with its drawdown and with the curve of each
 * underlying. The points are worked out instrument by instrument in `views/day/day-curve.ts`.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { addPaise, type Paise, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import { accountOf } from '../../../core/state.ts';
import { type DayBooks, DayMoves, dayBooksOf, InstrumentDay, type PointResult } from '../../../views/day/day-curve.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, listOf, plain, rupees, t1 } from '../../fields/answers.ts';
import { optional, SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { objectAnswer, type Piece } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { type CurveTimes, curveTimes, DAY_INTERVALS } from './curve-times.ts';

const POINT = Type.Object({ time: t1, realised: rupees, open: rupees, total: rupees, drawdown: rupees });
const writePoint = compileWriter(POINT);

const UNDERLYING = Type.Object({
  underlying: anyText(),
  points: listOf(Type.Object({ time: t1, total: rupees })),
});
const REST = Type.Object({
  interval: plain(`^(${DAY_INTERVALS.join('|')})$`, 'the time between two points'),
  underlyings: listOf(UNDERLYING),
  greatestDrawdown: rupees,
  requestTime: t1,
});
const writeRest = compileWriter(REST);

const request = Type.Object({
  ...SIGNED_IN,
  interval: optional(
    Type.Enum([...DAY_INTERVALS], { 'x-invalid': 'Invalid interval', description: 'at least; 1mi when absent' }),
  ),
});
const answer = success('Curve of the day', Type.Object({ points: listOf(POINT), ...REST.properties }));

/** Underlyings that have a curve; those that moved least are one curve together. */
const MOST_UNDERLYINGS = 30;
const OTHERS = 'Others';

/** Work of one piece. */
const FILLS_AT_A_TIME = 1_000;
const POINTS_AT_A_TIME = 50;
const MOST_BYTES = 1024 * 1024;

/** Source: docs/rules/wire-own.md, market-rules R5.2 to R5.9. */
export const getDayCurve = operation({
  path: '/getDayCurve',
  summary: 'The result of the day as a curve, with drawdown, together and by underlying',
  request,
  rate: 'candle',
  answer,
  handle: async (deps, { interval = '1mi' }, caller): Promise<Answer> => {
    const books = await deps.engine.read((state, views) =>
      dayBooksOf(views, accountOf(state, caller.account), state.day, deps.engine.now()),
    );
    const curve = new DayCurve(deps, books, curveTimes(deps.market, books, interval));
    return objectAnswer(deps, caller, {
      answer,
      list: 'points',
      mostBytes: MOST_BYTES,
      pieces: curve.pieces(),
      rest: () => curve.rest(),
    });
  },
});

/** Sums of results by point. */
class Totals {
  readonly realised: Paise[];
  readonly open: Paise[];

  constructor(size: number) {
    this.realised = new Array<Paise>(size).fill(ZERO_PAISE);
    this.open = new Array<Paise>(size).fill(ZERO_PAISE);
  }

  add(point: number, { realised, open }: PointResult): void {
    this.realised[point] = addPaise(this.realised[point] ?? ZERO_PAISE, realised);
    this.open[point] = addPaise(this.open[point] ?? ZERO_PAISE, open);
  }

  /** Adds all points of another one. */
  addAll(other: Totals): void {
    for (let point = 0; point < this.open.length; point += 1) this.add(point, other.at(point));
  }

  at(point: number): PointResult {
    return { realised: this.realised[point] ?? ZERO_PAISE, open: this.open[point] ?? ZERO_PAISE };
  }

  total(point: number): Paise {
    const { realised, open } = this.at(point);
    return addPaise(realised, open);
  }

  /** The distance from the lowest to the highest point, the day's beginning at 0 among them. */
  get span(): number {
    let [low, high] = [0, 0];
    for (let point = 0; point < this.open.length; point += 1) {
      low = Math.min(low, this.total(point));
      high = Math.max(high, this.total(point));
    }
    return high - low;
  }
}

class DayCurve {
  private readonly parts: GatewayParts;
  private readonly books: DayBooks;
  private readonly curve: CurveTimes;
  private readonly times: readonly string[];
  private readonly whole: Totals;
  private readonly underlyings = new Map<string, Totals>();
  private greatest: Paise = ZERO_PAISE;

  constructor(parts: GatewayParts, books: DayBooks, curve: CurveTimes) {
    this.parts = parts;
    this.books = books;
    this.curve = curve;
    this.times = [...curve.times, books.at].map((time) => formatT1(time as EpochMs));
    this.whole = new Totals(this.times.length);
  }

  *pieces(): Generator<Piece> {
    const moves = new DayMoves(this.books);
    let hasAll = false;
    while (!hasAll) {
      yield () => {
        hasAll = moves.take(FILLS_AT_A_TIME);
        return '';
      };
    }
    const instruments = new Set(this.books.rows.map(({ instrument }) => instrument));
    for (const instrument of instruments) yield* this.instrumentPieces(instrument, moves);
    yield () => this.pointTexts();
  }

  rest(): string {
    return writeRest({
      interval: this.curve.interval,
      underlyings: this.shownUnderlyings().map(([underlying, totals]) => ({
        underlying,
        points: this.times.map((time, point) => ({ time, total: formatRupees(totals.total(point)) })),
      })),
      greatestDrawdown: formatRupees(this.greatest),
      requestTime: this.times.at(-1) ?? '',
    });
  }

  /** The points of one instrument, some at a time. */
  private *instrumentPieces(id: InstrumentId, moves: DayMoves): Generator<Piece> {
    const { times } = this.curve;
    const totals = this.totalsOf(id);
    let day: InstrumentDay | undefined;
    let point = 0;
    const someOf = (run: InstrumentDay): boolean => {
      for (let count = 0; count < POINTS_AT_A_TIME; count += 1) {
        const time = times[point];
        if (!run.moveTo(time ?? (Number.POSITIVE_INFINITY as EpochMs), FILLS_AT_A_TIME)) return false;
        this.count(totals, point, time === undefined ? run.last() : run.before(time));
        point += 1;
        if (time === undefined) return true;
      }
      return false;
    };
    let isWhole = false;
    while (!isWhole) {
      yield () =>
        this.parts.engine.read((_state, views) => {
          const { market, avgModel } = this.parts;
          day ??= new InstrumentDay({ views, market, avgModel }, this.books, id, moves.of(id));
          isWhole = someOf(day);
          return '';
        });
    }
  }

  private count(totals: Totals, point: number, result: PointResult): void {
    totals.add(point, result);
    this.whole.add(point, result);
  }

  private totalsOf(id: InstrumentId): Totals {
    const { symbol } = must(this.parts.instruments.get(id), 'a position is in a listed instrument');
    const known = this.underlyings.get(symbol) ?? new Totals(this.times.length);
    this.underlyings.set(symbol, known);
    return known;
  }

  /** The result begins the day at 0, so a day that only loses has drawn down from there. */
  private pointTexts(): string {
    let peak = ZERO_PAISE;
    const texts = this.times.map((time, point) => {
      const { realised, open } = this.whole.at(point);
      const total = addPaise(realised, open);
      if (total > peak) peak = total;
      const drawdown = subtractPaise(peak, total);
      if (drawdown > this.greatest) this.greatest = drawdown;
      const row: Static<typeof POINT> = {
        time,
        realised: formatRupees(realised),
        open: formatRupees(open),
        total: formatRupees(total),
        drawdown: formatRupees(drawdown),
      };
      return writePoint(row);
    });
    return texts.join(',');
  }

  private shownUnderlyings(): readonly (readonly [string, Totals])[] {
    const all = [...this.underlyings];
    if (all.length <= MOST_UNDERLYINGS) return all;
    const ranked = all.map((one) => ({ one, span: one[1].span })).sort((a, b) => b.span - a.span);
    const others = new Totals(this.times.length);
    for (const { one } of ranked.slice(MOST_UNDERLYINGS)) others.addAll(one[1]);
    return [...ranked.slice(0, MOST_UNDERLYINGS).map(({ one }) => one), [OTHERS, others]];
  }
}
