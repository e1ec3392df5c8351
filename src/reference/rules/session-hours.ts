import type { IstDay } from '../../base/time.ts';
import type { PhaseTable } from './phase-table.ts';

export type InstrumentClass = 'cash' | 'derivatives';

/**
 * A stretch of continuous trading, in milliseconds after IST midnight; `close` is the first instant without trading.
 */
export interface TradingStretch {
  readonly open: number;
  readonly close: number;
}

/**
 * The hours of continuous trading of a whole segment on an ordinary day: the longest of its classes. Source:
 * market-rules 2.1, R2.3.
 */
export class SessionHours {
  private readonly phases: PhaseTable;

  constructor(phases: PhaseTable) {
    this.phases = phases;
  }

  /** The hours of a segment on a day that trades in ordinary hours. */
  on(instrumentClass: InstrumentClass, day: IstDay): TradingStretch {
    const { start, end } = this.phases.continuous(instrumentClass === 'cash' ? 'OtherShares' : 'Contracts', day);
    return { open: start, close: end };
  }
}
