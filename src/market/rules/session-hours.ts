import { must } from '../../base/assert.ts';
import { HOUR_MS, type IstDay, MINUTE_MS } from '../../base/time.ts';
import type { DataRow } from './data-table.ts';
import { byKey, type Dated, effectiveOn } from './dated.ts';

export const INSTRUMENT_CLASSES = ['cash', 'derivatives'] as const;
export type InstrumentClass = (typeof INSTRUMENT_CLASSES)[number];

/** A stretch of continuous trading, in milliseconds after IST midnight; `close` is the first instant without trading. */
export interface Session {
  readonly open: number;
  readonly close: number;
}

/** The hours of continuous trading of an ordinary day. Source: market-rules 2.1, R2.3. */
export class SessionHours {
  private readonly byClass: ReadonlyMap<string, readonly (Dated & Session)[]>;

  constructor(rows: readonly DataRow[]) {
    const entries = rows.map((row) => ({
      class: row.oneOf('class', INSTRUMENT_CLASSES),
      from: row.day('from'),
      open: parseTimeOfDay(row.text('open')),
      close: parseTimeOfDay(row.text('close')),
    }));
    this.byClass = byKey(entries, (entry) => entry.class);
  }

  /** The hours of a class on a day that trades in ordinary hours. */
  on(instrumentClass: InstrumentClass, day: IstDay): Session {
    return effectiveOn(must(this.byClass.get(instrumentClass), `no hours for ${instrumentClass}`), day);
  }
}

/** `HH:MM` in milliseconds after midnight. */
export function parseTimeOfDay(text: string): number {
  const match = must(/^([01]\d|2[0-3]):([0-5]\d)$/.exec(text), `not a time of day: ${text}`);
  return Number(match[1]) * HOUR_MS + Number(match[2]) * MINUTE_MS;
}
