/**
 * How operators see the market clock, let it run at a speed, let it stand still, and let it step.
 * The core keeps the setting; the engine's clock follows it.
 */
import { EXCHANGES } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type ClockSpeed, type EpochMs, formatIstMoment, formatIstTime, type WallMs } from '../../base/time.ts';
import { speedOf } from '../../core/clock/set-clock.ts';
import type { SetClock } from '../../core/command.ts';
import type { DecisionPorts } from '../../core/ports.ts';
import type { State } from '../../core/state.ts';
import { type EnginePort, OPERATOR, type Submission } from '../../engine/port.ts';
import { exchangeStatus } from '../../views/exchange-status.ts';
import { type Boundary, type BoundaryParts, nextBoundaries } from './clock/boundaries.ts';
import { endOf, isOver, parseLength } from './clock/step-end.ts';
import type { PhaseRow } from './service/status-operations.ts';
import type { Grounds } from './switch-operations.ts';

export interface ClockDeskParts extends BoundaryParts {
  readonly engine: Pick<EnginePort, 'read' | 'now' | 'submit'>;
  /** Resolves when no step goes on and all that it caused is durable and was sent. */
  readonly rest: () => Promise<void>;
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
  /** Seconds of the market in a second of the wall; 0 while it stands still; `max` as fast as the machine can. */
  readonly speed: ClockSpeed;
  /** The end of the step that goes on; absent when none does. */
  readonly until?: string;
  /** When and why it was set; absent while the market follows the wall. */
  readonly set?: Grounds & { readonly at: string; readonly market: string };
  /** Market time by which it is behind its speed, because work took longer. */
  readonly lostSeconds: number;
  readonly phases: readonly PhaseRow[];
  /** The next boundary of each kind, the soonest first; without an exchange it is one of all of them. */
  readonly boundaries: readonly { readonly exchange?: string; readonly what: string; readonly at: string }[];
}

/** The length of a step as it is asked for: `5m`, `boundary`, or `event` of a user. */
export interface StepWish {
  readonly for: string;
  readonly user?: string | undefined;
}

/** Shows and sets the market clock. Source: docs/time.md. */
export class ClockOperations {
  private readonly parts: ClockDeskParts;

  constructor(parts: ClockDeskParts) {
    this.parts = parts;
  }

  async show(): Promise<ClockReport> {
    return this.parts.engine.read((state, _, ports) => this.reportOf(state, ports));
  }

  /** Gives the market a speed, 0 to let it stand still. Answers when that is durable. */
  async run(speed: ClockSpeed, grounds: Grounds): Promise<ClockReport> {
    const { engine, log } = this.parts;
    const before = await engine.read(speedOf);
    await engine.submit({ command: { type: 'SetClock', speed, ...grounds }, origin: OPERATOR });
    const report = await this.show();
    if (before !== speed) log(`the market ${paceOf(speed)} from ${report.market} on, by ${grounds.by}: ${grounds.why}`);
    return report;
  }

  /**
   * Lets exactly that much market time pass, then lets it stand still. Answers when all that fell in between is durable
   * and was sent; a message where the step cannot be made.
   */
  async step(wish: StepWish, grounds: Grounds): Promise<Result<ClockReport, string>> {
    return this.make((...now) => this.endOfStep(wish, ...now), grounds);
  }

  /** As `step`, up to an instant that is still ahead when the step begins. */
  async to(words: string, grounds: Grounds): Promise<Result<ClockReport, string>> {
    const end = endOf(words, this.parts.engine.now(), this.parts);
    // The instant is fixed here: a time of day that passes meanwhile does not become that of the next day.
    const endFrom: EndFrom = (_state, _ports, at) => {
      if (!end.ok) return fail(`body/at: ${end.error}`);
      return end.value > at ? ok({ until: end.value }) : fail(`body/at: ${isOver(end.value, at)}`);
    };
    return this.make(endFrom, grounds);
  }

  /** A market that runs goes on until the command has its turn, so the end is found only then, with `endFrom`. */
  private async make(endFrom: EndFrom, grounds: Grounds): Promise<Result<ClockReport, string>> {
    const { engine, rest, log } = this.parts;
    const command = { type: 'SetClock', speed: 'max' } as const;
    const begun = { from: 0 as EpochMs, fault: undefined as string | undefined };
    const made: Submission['made'] = (state, ports, at) => {
      const end = endFrom(state, ports, at);
      begun.from = at;
      begun.fault = refusalInStep(state) ?? (end.ok ? undefined : end.error);
      return end.ok && begun.fault === undefined ? { ...command, ...end.value, ...grounds } : undefined;
    };
    await engine.submit({ command: { ...command, ...grounds }, origin: OPERATOR, made });
    if (begun.fault !== undefined) return fail(begun.fault);
    await rest();
    const report = await this.show();
    log(`the market stepped from ${formatIstMoment(begun.from)} to ${report.market}, by ${grounds.by}: ${grounds.why}`);
    return ok(report);
  }

  private endOfStep(
    { for: words, user }: StepWish,
    state: State,
    ports: DecisionPorts,
    at: EpochMs,
  ): Result<StepEnd, string> {
    const boundary = (isIt: (next: Boundary) => boolean): Boundary | undefined =>
      nextBoundaries(this.parts, state, ports, at).find(isIt);
    if (words === 'boundary') {
      const first = boundary((next) => next.at > at);
      return first === undefined ? fail('body/for: no boundary is known') : ok({ until: first.at });
    }
    if (words === 'event') {
      const account = user === undefined ? undefined : state.accountByUser.get(user);
      if (account === undefined) return fail(`body/user: there is no user ${user ?? ''}: an event is one of a user`);
      const dayEnd = boundary(({ what }) => what === 'day end');
      return dayEnd === undefined
        ? fail('body/for: no end of the day is known')
        : ok({ until: dayEnd.at, eventOf: account });
    }
    const length = parseLength(words);
    if (length === undefined) return fail('body/for: it must be 90s, 5m, 1h30m (400 days at most), boundary or event');
    return ok({ until: (at + length) as EpochMs });
  }

  private reportOf(state: State, ports: DecisionPorts): ClockReport {
    const { engine, market, wall, timeLostMs } = this.parts;
    const { clock } = state;
    const now = engine.now();
    const tick = market.tickAt(now);
    return {
      market: formatIstMoment(now),
      wall: formatIstMoment(wall()),
      speed: speedOf(state),
      ...(clock?.until && { until: formatIstMoment(clock.until) }),
      ...(clock && {
        set: { at: formatIstMoment(clock.at), market: formatIstMoment(clock.market), by: clock.by, why: clock.why },
      }),
      lostSeconds: Math.round(timeLostMs() / 1_000),
      phases: EXCHANGES.map((exchange) => {
        const { phase, next } = exchangeStatus(state, market, exchange, tick);
        return { exchange, phase, ...(next && { next: { phase: next.phase, at: formatIstTime(next.at) } }) };
      }),
      boundaries: nextBoundaries(this.parts, state, ports, now).map((found) => ({
        ...found,
        at: formatIstMoment(found.at),
      })),
    };
  }
}

/** The end of a step, as the command has it. */
type StepEnd = Required<Pick<SetClock, 'until'>> & Pick<SetClock, 'eventOf'>;

/** Finds the end of a step that begins at an instant; a message where there is none ahead. */
type EndFrom = (state: State, ports: DecisionPorts, at: EpochMs) => Result<StepEnd, string>;

function refusalInStep({ clock }: State): string | undefined {
  const until = clock?.until;
  if (until === undefined) return undefined;
  return `a step to ${formatIstMoment(until)} goes on: wait for it, or pause the market first`;
}

/** `runs at x60`, `runs as fast as the machine can` or `stands still`. */
export function paceOf(speed: ClockSpeed): string {
  if (speed === 'max') return 'runs as fast as the machine can';
  return speed === 0 ? 'stands still' : `runs at x${speed}`;
}
