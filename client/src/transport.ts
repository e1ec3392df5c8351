/**
 * Sends calls and gives their answers. A call that reads may be sent again; a placement may be, under one key; every
 * other change is sent once.
 */

import { inDoubt, notLoggedIn, RateLimited, SaudaError, TransportError, Unavailable } from './errors.ts';
import { timerMs } from './exchange.ts';
import type { TakesKey } from './generated/operations.ts';
import type { Places } from './places.ts';
import { type Post, postOnce } from './post.ts';
import { instantOf, istDay } from './times.ts';
import type { DataOf, OperationName, RequestOf } from './wire.ts';

/** The options of every call. */
export interface CallOptions {
  /** Ends the call. A change that was on its way is then in doubt: the error says so. */
  readonly signal?: AbortSignal;
  /** The longest wait for the answer to one sending, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The options of a placement. */
export interface PlacementOptions extends CallOptions {
  /**
   * 1 to 128 visible ASCII characters; one of its own when absent. Give the key of an earlier error to ask again for
   * the same placement.
   */
  readonly idempotencyKey?: string;
}

/** A session of a user, as `login` opened it. */
export interface Session {
  readonly userId: string;
  readonly token: string;
}

export interface TransportSettings {
  /** Where the service is. */
  readonly places: Places;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A placement or a read is sent at most so often. */
const MOST_SENDINGS = 4;
/**
 * As often where there are several addresses: some twelve seconds, and more while machines let requests wait. A machine
 * that leads is replaced sooner, unless a server of its log is lost with it.
 */
const MOST_SEARCHES = 18;
const LONGEST_SEARCH_PAUSE_MS = 1_000;
/**
 * An address of several that does not begin to answer in this time is left, where the call may be sent again. Each next
 * one is given as much more as those before it took in vain: an answer may also take long to make.
 */
const SEARCH_TIMEOUT_MS = 1_000;
/** The call fails after this much waiting for answers that did not come. */
const LONGEST_SEARCH_MS = 60_000;
const FIRST_PAUSE_MS = 100;
/** Of a search for the machine that leads: the next one may know it, or let the call wait for it. */
const FIRST_SEARCH_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 5_000;
/** Beyond the longest wait for an answer, the time of the wall that a request may need to the service. */
const ON_ITS_WAY_MS = 10_000;
/**
 * The day of the market is looked up again when the last answer that showed it is older. It costs a placement one more
 * call, so a program that trades every few minutes is spared it; an old day only leaves a lost placement in doubt.
 */
const DAY_KNOWN_MS = 15 * 60_000;

export class Transport {
  session: Session | undefined;
  /** The last day of the market that an answer has shown; nothing before the first one did. */
  private marketDay: number | undefined;
  /** When that was, in milliseconds of `performance.now`. */
  private daySeenAt = Number.NEGATIVE_INFINITY;
  /** True when the last answer named the machine that is asked next. */
  private arrived = false;
  private readonly settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.settings = settings;
  }

  /** Calls an operation that changes nothing. It is sent again after a lost answer and a 503. */
  async read<O extends OperationName>(
    operation: O,
    fields: RequestOf<O>,
    options: CallOptions = {},
  ): Promise<DataOf<O>> {
    return this.repeated<O>(this.signedIn(operation, fields), options);
  }

  /** Calls an operation that changes something, once. */
  async change<O extends OperationName>(
    operation: O,
    fields: RequestOf<O>,
    options: CallOptions = {},
  ): Promise<DataOf<O>> {
    return (await this.sentOnce(this.signedIn(operation, fields), options)) as DataOf<O>;
  }

  /** Calls an operation that places orders, under a key, and again under the same key until its outcome is known. */
  async place<O extends TakesKey>(
    operation: O,
    fields: RequestOf<O>,
    { idempotencyKey: key = newKey(), ...options }: PlacementOptions = {},
  ): Promise<DataOf<O>> {
    const post = { ...this.signedIn(operation, fields), key };
    const isKnown = performance.now() - this.daySeenAt < DAY_KNOWN_MS;
    const day = isKnown ? this.marketDay : await this.lookAtDay(options);
    return this.repeated<O>(post, options, day);
  }

  /** Calls an operation that needs no session, once. */
  async enter<O extends 'login' | 'demoLogin' | 'demoUsers'>(
    operation: O,
    fields: RequestOf<O>,
    options: CallOptions,
  ): Promise<DataOf<O>> {
    const data = (await this.sentOnce({ operation, body: { ...fields } }, options)) as DataOf<O>;
    // Sessions end each night, so a new one is often the first of a day.
    this.daySeenAt = Number.NEGATIVE_INFINITY;
    return data;
  }

  private signedIn(operation: OperationName, fields: object): Post {
    const { session } = this;
    if (session === undefined) throw notLoggedIn();
    return { operation, body: { userId: session.userId, jKey: session.token, ...fields } };
  }

  /** `day`: of a placement, the day of the market before its first sending. */
  private async repeated<O extends OperationName>(post: Post, options: CallOptions, day?: number): Promise<DataOf<O>> {
    const changes = post.key !== undefined;
    let ambiguous = false;
    let waitedMs = 0;
    for (let sendings = 1; ; sendings++) {
      const beginMs = this.patience(options, waitedMs);
      const sentAt = performance.now();
      try {
        return (await this.send(post, options, beginMs)) as DataOf<O>;
      } catch (error) {
        if (!(error instanceof SaudaError)) throw error;
        const isSilence = error instanceof TransportError && error.reason === 'timeout' && beginMs !== undefined;
        if (isSilence) waitedMs += performance.now() - sentAt;
        const isLong = waitedMs >= LONGEST_SEARCH_MS;
        const most = this.settings.places.areSeveral ? MOST_SEARCHES : MOST_SENDINGS;
        ambiguous ||= changes && error.ambiguous;
        const known = { ambiguous, ...(post.key === undefined ? {} : { idempotencyKey: post.key }) };
        if (sendings >= most || isLong || !mayRepeat(error, ambiguous)) throw inDoubt(error, known);
        await this.settings.pause(this.pauseAfter(error, sendings), options.signal);
        if (options.signal?.aborted) throw inDoubt(error, known);
        if (ambiguous && !(await this.isStill(day, options))) throw inDoubt(error, known);
      }
    }
  }

  /**
   * Sends a call that may be carried out once at most. Where there are several addresses it goes on to the next one as
   * long as it is certain that nothing was done.
   */
  private async sentOnce(post: Post, options: CallOptions): Promise<unknown> {
    for (let sendings = 1; ; sendings++) {
      try {
        return await this.send(post, options);
      } catch (error) {
        const isCertain = error instanceof SaudaError && !error.ambiguous && this.isSearch(error);
        if (!isCertain || sendings >= MOST_SEARCHES) throw error;
        await this.settings.pause(this.pauseAfter(error, sendings), options.signal);
        if (options.signal?.aborted) throw error;
      }
    }
  }

  /** The day of the market, which is another one than this machine's where the market has a clock of its own. */
  private async lookAtDay(options: CallOptions): Promise<number | undefined> {
    await this.marketStatus(options);
    return this.marketDay;
  }

  /**
   * True when the market is on that day, and stays there until a request that is sent now has arrived. Keys are
   * forgotten when the market's day ends, so a placement of yesterday would be another one today.
   */
  private async isStill(day: number | undefined, options: CallOptions): Promise<boolean> {
    const status = day === undefined ? undefined : await this.marketStatus(options);
    if (status === undefined) return false;
    const { marketTime, speed } = status;
    const leftMs = timerMs(options.timeoutMs ?? this.settings.timeoutMs) + ON_ITS_WAY_MS;
    const passes = speed === 'max' ? Number.POSITIVE_INFINITY : leftMs * Number(speed);
    return istDay(instantOf(marketTime).getTime() + passes) === day;
  }

  /** The market's time and speed; nothing when the service does not say them. */
  private async marketStatus(options: CallOptions): Promise<DataOf<'getMarketStatus'> | undefined> {
    try {
      return await this.read('getMarketStatus', {}, options);
    } catch (error) {
      if (error instanceof SaudaError) return undefined;
      throw error;
    }
  }

  private async send(post: Post, options: CallOptions, beginMs?: number): Promise<unknown> {
    const { places } = this.settings;
    const from = places.current;
    try {
      const data = await postOnce({ ...this.settings, base: `${from}/V1` }, post, { ...options, beginMs });
      this.arrived = false;
      this.noteDay(dayOf(data));
      return data;
    } catch (error) {
      if (error instanceof Unavailable && error.status === 503) this.arrived = places.refused(from, error.leader);
      else if (error instanceof TransportError && error.reason !== 'aborted') places.lost(from);
      throw error;
    }
  }

  private noteDay(day: number | undefined): void {
    if (day === undefined) return;
    this.marketDay = day;
    this.daySeenAt = performance.now();
  }

  /** Another machine may answer where this one did not. */
  private isSearch(error: SaudaError): boolean {
    const mayBeElsewhere = error instanceof TransportError || (error instanceof Unavailable && error.status === 503);
    return mayBeElsewhere && this.settings.places.areSeveral;
  }

  /** The longest wait for the begin of an answer; nothing where the whole answer may take as long. */
  private patience({ timeoutMs }: CallOptions, waitedMs: number): number | undefined {
    return this.settings.places.areSeveral && timeoutMs === undefined ? SEARCH_TIMEOUT_MS + waitedMs : undefined;
  }

  private pauseAfter(error: SaudaError, sendings: number): number {
    if (!this.isSearch(error)) return pauseAfter(error, sendings);
    if (this.arrived && sendings === 1) return 0;
    return Math.min(LONGEST_SEARCH_PAUSE_MS, FIRST_SEARCH_PAUSE_MS * 2 ** Math.min(sendings - 1, 6));
  }
}

/** A key that no other placement has. Pages without a secure context have no `crypto.randomUUID`. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The day of the market at which an answer was made; nothing for an answer that does not say it. */
function dayOf(data: unknown): number | undefined {
  const { requestTime } = ((Array.isArray(data) ? data[0] : data) ?? {}) as { readonly requestTime?: unknown };
  if (typeof requestTime !== 'string') return undefined;
  try {
    return istDay(instantOf(requestTime).getTime());
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A placement in doubt is sent again although it is one too many: only its answer says what happened. */
function mayRepeat(error: SaudaError, ambiguous: boolean): boolean {
  if (error instanceof TransportError) return error.reason !== 'aborted';
  return error instanceof Unavailable || (error instanceof RateLimited && ambiguous);
}

function pauseAfter(error: SaudaError, sendings: number): number {
  const asked = 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 0;
  return Math.min(LONGEST_PAUSE_MS, Math.max(asked, FIRST_PAUSE_MS * 2 ** (sendings - 1)));
}

/** Waits; a signal ends the wait early. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms));
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
}
