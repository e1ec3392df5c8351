/**
 * How operators see the market clock, let it run at a speed, and let it stand still.
 * The core keeps the setting; the engine's clock follows it.
 */
import { EXCHANGES } from '../../base/ids.ts';
import { formatIstMoment, formatIstTime, type WallMs } from '../../base/time.ts';
import { speedOf } from '../../core/clock/set-clock.ts';
import type { MarketData } from '../../core/market.ts';
import type { State } from '../../core/state.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';
import { exchangeStatus } from '../../views/exchange-status.ts';
import type { PhaseRow } from './status-operations.ts';
import type { Grounds } from './switch-operations.ts';

export interface ClockDeskParts {
  readonly engine: Pick<EnginePort, 'read' | 'now' | 'submit'>;
  readonly market: Pick<MarketData, 'session' | 'tickAt'>;
  readonly wall: () => WallMs;
  /** How much slower than its speed the market went since its clock was set or the service started, in milliseconds. */
  readonly timeLostMs: () => number;
  /** Reports every change of the speed. */
  readonly log: (message: string) => void;
}

/** The market clock. Times are in IST. */
export interface ClockReport {
  readonly market: string;
  readonly wall: string;
  /** Seconds of the market in a second of the wall; 0 while it stands still. */
  readonly speed: number;
  /** When and why it was set; absent while the market follows the wall. */
  readonly set?: Grounds & { readonly at: string; readonly market: string };
  /** Market time by which it is behind its speed, because work took longer. */
  readonly lostSeconds: number;
  readonly phases: readonly PhaseRow[];
}

/** Shows and sets the market clock. Source: docs/time.md. */
export class ClockOperations {
  private readonly parts: ClockDeskParts;

  constructor(parts: ClockDeskParts) {
    this.parts = parts;
  }

  async show(): Promise<ClockReport> {
    return this.parts.engine.read((state) => this.reportOf(state));
  }

  /** Gives the market a speed, 0 to let it stand still. Answers when that is durable. */
  async run(speed: number, grounds: Grounds): Promise<ClockReport> {
    const { engine, log } = this.parts;
    const before = await engine.read(speedOf);
    await engine.submit({ command: { type: 'SetClock', speed, ...grounds }, origin: OPERATOR });
    const report = await this.show();
    if (before !== speed) log(`the market ${paceOf(speed)} from ${report.market} on, by ${grounds.by}: ${grounds.why}`);
    return report;
  }

  private reportOf(state: State): ClockReport {
    const { engine, market, wall, timeLostMs } = this.parts;
    const { clock } = state;
    const now = engine.now();
    const tick = market.tickAt(now);
    return {
      market: formatIstMoment(now),
      wall: formatIstMoment(wall()),
      speed: speedOf(state),
      ...(clock && {
        set: { at: formatIstMoment(clock.at), market: formatIstMoment(clock.market), by: clock.by, why: clock.why },
      }),
      lostSeconds: Math.round(timeLostMs() / 1_000),
      phases: EXCHANGES.map((exchange) => {
        const { phase, next } = exchangeStatus(state, market, exchange, tick);
        return { exchange, phase, ...(next && { next: { phase: next.phase, at: formatIstTime(next.at) } }) };
      }),
    };
  }
}

/** `runs at x60`, or `stands still`. */
export function paceOf(speed: number): string {
  return speed === 0 ? 'stands still' : `runs at x${speed}`;
}
