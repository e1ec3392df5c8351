/**
 * The market clock of the service: all its users see the same one, so it is the operator's to set. With the clock
 * paused nothing happens but what is asked, and `step` answers when all that it caused is durable and was sent.
 */

import { AuthError } from './errors.ts';
import type { OperatorPort } from './operator-port.ts';
import { istMoment } from './times.ts';
import type { CallOptions } from './transport.ts';

/** The next change that an exchange or the day has ahead. */
export interface MarketBoundary {
  /** Absent for what belongs to all exchanges. */
  readonly exchange?: string;
  readonly what: string;
  /** `YYYY-MM-DD HH:MM:SS`, IST. */
  readonly at: string;
}

/** The market clock. Times are `YYYY-MM-DD HH:MM:SS`, IST; `instantOf` makes a `Date` of one. */
export interface MarketClock {
  readonly market: string;
  readonly wall: string;
  /** Seconds of the market in a second of the wall, 0 while it stands still, `max` as fast as the machine can. */
  readonly speed: number | 'max';
  /** When and why it was set; absent while the market follows the wall. */
  readonly set?: { readonly at: string; readonly market: string; readonly by: string; readonly why: string };
  /** The end of the step that goes on; absent when none does. */
  readonly until?: string;
  /** Market time by which it is behind its speed, because work took longer. */
  readonly lostSeconds: number;
  readonly phases: readonly {
    readonly exchange: string;
    readonly phase: string;
    readonly next?: { readonly phase: string; readonly at: string };
  }[];
  /** The next changes, the soonest first. */
  readonly boundaries: readonly MarketBoundary[];
}

/** The options of a call that sets the clock. */
export interface ClockOptions extends CallOptions {
  /** The reason, for the journal: 1 to 200 characters. */
  readonly why?: string;
}

/** The options of a step. */
export interface StepOptions extends ClockOptions {
  /** The user whose next event a step to an `event` ends at; the user of the client when absent. */
  readonly user?: string;
}

/** An instant that is ahead: `2026-11-24T15:14:59` or `15:14:59` in IST, a `Date`, or the next one of its name. */
export type Ahead =
  | Date
  | 'open'
  | 'close'
  | `expiry of ${string}`
  | `${number}:${number}:${number}`
  | `${number}-${number}-${number}T${number}:${number}:${number}`;

/** A day of the market takes seconds. Node's own `fetch` waits for an answer for five minutes at most. */
const LONGEST_STEP_MS = 240_000;

/** Shows and sets the market clock. Each call answers the clock as it then is, and throws a `SaudaError`. */
export class Time {
  private readonly port: OperatorPort | undefined;
  private readonly userId: string;

  /** Use `new Sauda({ operator })`. */
  constructor(port: OperatorPort | undefined, userId: string) {
    this.port = port;
    this.userId = userId;
  }

  /** The clock as it is now. */
  async show(options: CallOptions = {}): Promise<MarketClock> {
    return this.opened().ask<MarketClock>('/clock', options);
  }

  /** Lets market time pass, 0.1 to 3,600 times as fast as the wall, or as fast as the machine can. */
  run(speed: number | 'max', options?: ClockOptions): Promise<MarketClock> {
    return this.set('/clock', { speed }, options);
  }

  /** Lets market time stand still. A step that goes on ends where it is. */
  pause(options?: ClockOptions): Promise<MarketClock> {
    return this.run(0, options);
  }

  /**
   * Lets exactly that much market time pass, then pauses: a time such as `90s`, `5m` or `1h30m`; up to the next
   * `boundary` of a session or of the day; or up to the next `event` of the user, at most to the end of the day.
   */
  step(length: string, { user = this.userId, ...options }: StepOptions = {}): Promise<MarketClock> {
    const end = length === 'event' ? { for: length, user } : { for: length };
    return this.set('/clock/step', end, { timeoutMs: LONGEST_STEP_MS, ...options });
  }

  /**
   * Lets market time pass up to an instant that is ahead, then pauses. Every second between is met as if it had passed.
   * A time without a date is that of today, or of the next day when it is over.
   */
  async to(instant: Ahead, options?: ClockOptions): Promise<MarketClock> {
    const at = instant instanceof Date ? istMoment(instant) : instant;
    return this.set('/clock/to', { at }, { timeoutMs: LONGEST_STEP_MS, ...options });
  }

  private async set(path: string, fields: object, options: ClockOptions = {}): Promise<MarketClock> {
    const { why = 'asked by a program', ...call } = options;
    const port = this.opened();
    return port.act<MarketClock>(path, { ...fields, by: port.by, why }, call);
  }

  private opened(): OperatorPort {
    if (this.port !== undefined) return this.port;
    const message = 'the clock is of all users: give the address and the token of the operator';
    throw new AuthError({ status: 401, code: 'UNAUTHORIZED', field: 'operator', message });
  }
}
