/**
 * The phases of a day by class of instrument, from `rules/phases.csv`. Special sessions and holidays are not in this
 * table: `calendar/timetable.ts` applies them.
 */
import { must } from '../../base/assert.ts';
import { HOUR_MS, type IstDay, MINUTE_MS } from '../../base/time.ts';
import { PHASES, type Phase } from '../../core/exchange/phase.ts';
import type { DataRow } from './data-table.ts';
import { byKey, type Dated, effectiveOn } from './dated.ts';

/**
 * The classes that have a timetable of their own: indices, shares with futures and options, other shares, the futures
 * that have an opening auction, and the other contracts. Source: market-rules 2.1, R2.1 to R2.3.
 */
const PHASE_CLASSES = ['Indices', 'SharesWithContracts', 'OtherShares', 'NearFutures', 'Contracts'] as const;
export type PhaseClass = (typeof PHASE_CLASSES)[number];

/** One phase of a day, in milliseconds after IST midnight: from `start`, up to but without `end`. */
export interface PhaseSpan {
  readonly phase: Phase;
  readonly start: number;
  /** The phase ends at a random second from here on, and the next begins there; `end` when it ends on time. */
  readonly randomFrom: number;
  readonly end: number;
}

interface DatedSpan extends Dated, PhaseSpan {
  readonly class: PhaseClass;
}

export class PhaseTable {
  private readonly byClass: ReadonlyMap<string, readonly (Dated & { readonly spans: readonly PhaseSpan[] })[]>;

  constructor(rows: readonly DataRow[]) {
    const spans = byKey(rows.map(readSpan), (span) => `${span.class} ${span.from}`);
    const days = [...spans.values()].map((ofDay) => {
      const first = must(ofDay[0], 'a class has phases');
      return { class: first.class, from: first.from, spans: ofDay.toSorted((a, b) => a.start - b.start) };
    });
    this.byClass = byKey(days, (entry) => entry.class);
    for (const name of PHASE_CLASSES) must(this.byClass.get(name), `no phases for ${name}`);
  }

  /** The phases of a class on an ordinary day, in order. Between and around them it is closed. */
  on(name: PhaseClass, day: IstDay): readonly PhaseSpan[] {
    return effectiveOn(must(this.byClass.get(name), name), day).spans;
  }

  /** The continuous trading of a class on an ordinary day. */
  continuous(name: PhaseClass, day: IstDay): PhaseSpan {
    return must(
      this.on(name, day).find(({ phase }) => phase === 'Continuous'),
      `${name} trades continuously`,
    );
  }
}

function readSpan(row: DataRow): DatedSpan {
  const end = parseTimeOfDay(row.text('end'));
  const randomFrom = row.text('random_from');
  return {
    class: row.oneOf('class', PHASE_CLASSES),
    from: row.day('from'),
    phase: row.oneOf('phase', PHASES),
    start: parseTimeOfDay(row.text('start')),
    randomFrom: randomFrom === '' ? end : parseTimeOfDay(randomFrom),
    end,
  };
}

/** `HH:MM` in milliseconds after midnight. */
export function parseTimeOfDay(text: string): number {
  const match = must(/^([01]\d|2[0-3]):([0-5]\d)$/.exec(text), `not a time of day: ${text}`);
  return Number(match[1]) * HOUR_MS + Number(match[2]) * MINUTE_MS;
}
