/**
 * Questions why an order was judged as it was. Each replays a part of the journal, which takes seconds of another
 * thread, so they are answered one at a time, answers are kept, and no account gets more than a share of the thread.
 * `endpoints/orders/get-order-why.ts` asks them; `app/order-replays.ts` is the thread.
 */

import type { AccountId, OrderNumber } from '../base/ids.ts';
import { SECOND_MS } from '../base/time.ts';
import type { WhyReport } from '../engine/why/why-report.ts';
import { type Failure, tooMany, UNAVAILABLE } from './fields/envelope.ts';

/** One replay of the journal, beside the service. */
export interface OrderReplay {
  /** Resolves with nothing for an order that the journal does not have. */
  readonly report: Promise<WhyReport | undefined>;
  /** Ends the replay; its report never settles, or is passed over. */
  stop(): void;
}

/** Questions that may wait for the thread, each of another account. */
const MOST_WAITING = 8;
/** A replay that takes longer is ended. In milliseconds. */
const LONGEST_MS = 30_000;
/** The answers that are kept, in characters. */
const MOST_KEPT = 4 * 1024 * 1024;

const BUSY: Failure = { ...UNAVAILABLE, message: 'more orders are to be explained than there is time for' };
const TOO_LONG: Failure = { ...UNAVAILABLE, message: 'the journal of the day is too long to explain this order' };

export interface WhyQuestionsParts {
  readonly replay: (order: OrderNumber) => OrderReplay;
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number;
  /** Does work after some milliseconds, unless it is called off by the function that it returns. */
  readonly later?: (work: () => void, ms: number) => () => void;
}

interface Kept {
  /** Changes when the order was judged once more. */
  readonly version: number;
  readonly text: string;
}

interface Waiting {
  readonly begin: () => void;
}

export class WhyQuestions {
  private readonly replay: WhyQuestionsParts['replay'];
  private readonly elapsed: () => number;
  private readonly later: NonNullable<WhyQuestionsParts['later']>;
  /** Least recently used first. */
  private readonly kept = new Map<OrderNumber, Kept>();
  private keptLength = 0;
  /** Accounts whose question waits or is being answered. */
  private readonly asking = new Set<AccountId>();
  /** When an account may have the journal replayed again. */
  private readonly rests = new Map<AccountId, number>();
  private readonly waiting: Waiting[] = [];
  private isBusy = false;

  constructor({ replay, elapsed = () => performance.now(), later = afterMs }: WhyQuestionsParts) {
    this.replay = replay;
    this.elapsed = elapsed;
    this.later = later;
  }

  /** How many answers are kept. */
  get size(): number {
    return this.kept.size;
  }

  /**
   * The answer about an order of the account, as `write` puts it; `undefined` when the journal does not have the order.
   * An answer that is kept under the same version is given at once. An account has one question at a time, and rests
   * for as long as the journal was last replayed for it.
   */
  ask(
    account: AccountId,
    order: OrderNumber,
    version: number,
    write: (report: WhyReport) => string,
  ): string | Failure | Promise<string | Failure | undefined> {
    const known = this.kept.get(order);
    if (known?.version === version) {
      this.kept.delete(order);
      this.kept.set(order, known);
      return known.text;
    }
    const rest = (this.rests.get(account) ?? 0) - this.elapsed();
    if (rest > 0) return tooMany(Math.ceil(rest / SECOND_MS));
    if (this.asking.has(account)) return tooMany(1);
    if (this.waiting.length >= MOST_WAITING) return BUSY;
    this.asking.add(account);
    return this.turn()
      .then(() => this.answer(account, order, version, write))
      .finally(() => this.done(account));
  }

  /** Resolves when the thread is free for the caller. */
  private turn(): Promise<void> {
    if (this.isBusy) return new Promise((resolve) => this.waiting.push({ begin: resolve }));
    this.isBusy = true;
    return Promise.resolve();
  }

  private async answer(
    account: AccountId,
    order: OrderNumber,
    version: number,
    write: (report: WhyReport) => string,
  ): Promise<string | Failure | undefined> {
    const began = this.elapsed();
    try {
      const report = await this.within(this.replay(order));
      if (report === undefined || 'status' in report) return report;
      const text = write(report);
      this.keep(order, { version, text });
      return text;
    } finally {
      this.restUntil(account, 2 * this.elapsed() - began);
    }
  }

  private within({ report, stop }: OrderReplay): Promise<WhyReport | Failure | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<WhyReport | Failure | undefined>();
    const callOff = this.later(() => {
      stop();
      resolve(TOO_LONG);
    }, LONGEST_MS);
    report.then(resolve, reject).finally(callOff);
    return promise;
  }

  private done(account: AccountId): void {
    this.asking.delete(account);
    const next = this.waiting.shift();
    if (next === undefined) this.isBusy = false;
    else next.begin();
  }

  private restUntil(account: AccountId, until: number): void {
    const now = this.elapsed();
    for (const [resting, end] of this.rests) if (end <= now) this.rests.delete(resting);
    this.rests.set(account, until);
  }

  private keep(order: OrderNumber, fresh: Kept): void {
    this.keptLength += fresh.text.length - (this.kept.get(order)?.text.length ?? 0);
    this.kept.delete(order);
    this.kept.set(order, fresh);
    for (const [oldest, { text }] of this.kept) {
      if (this.keptLength <= MOST_KEPT) return;
      this.kept.delete(oldest);
      this.keptLength -= text.length;
    }
  }
}

function afterMs(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
