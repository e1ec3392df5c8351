/** Answers that the stream does not bring: asked for while they are shown, and again after what changes them. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { failureWords } from '../orders/words.ts';
import { link } from './link.ts';

export interface Asked<T> {
  /** The last answer; undefined before the first one. */
  readonly data: T | undefined;
  /** The reason why the last question had no answer; blank when it had one. */
  readonly failure: string;
}

/** Changes come in bursts, as of an order that fills in parts: questions stand this far apart. */
const REST_MS = 1_000;

/**
 * Asks while the component is shown: at once, after each change of `after`, and every `everyMs` in any case. `name`
 * says which question it is: another name is another question. One question is on its way at a time, and none while
 * the service is away.
 */
export function useAsked<T>(
  name: string,
  ask: () => Promise<T>,
  after: ReadonlySignal<unknown>,
  everyMs: number,
): ReadonlySignal<Asked<T>> {
  const answer = useMemo(() => signal<Asked<T>>({ data: undefined, failure: '' }), []);
  useEffect(() => {
    const asking = new Asking(answer, ask);
    const stopChanges = after.subscribe(() => asking.soon());
    const stopLink = link.subscribe((state) => {
      if (state === 'live') asking.soon();
    });
    const timer = setInterval(() => asking.soon(), everyMs);
    return () => {
      clearInterval(timer);
      stopChanges();
      stopLink();
      asking.end();
    };
  }, [name]);
  return answer;
}

class Asking<T> {
  private readonly answer: { value: Asked<T> };
  private readonly ask: () => Promise<T>;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastAt = Number.NEGATIVE_INFINITY;
  private isAsking = false;
  private isOver = false;

  constructor(answer: { value: Asked<T> }, ask: () => Promise<T>) {
    this.answer = answer;
    this.ask = ask;
  }

  soon(): void {
    if (this.timer !== undefined || this.isOver) return;
    const wait = Math.max(0, this.lastAt + REST_MS - performance.now());
    this.timer = setTimeout(() => void this.now(), wait);
  }

  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private async now(): Promise<void> {
    this.timer = undefined;
    if (this.isAsking) {
      this.lastAt = performance.now();
      this.soon();
      return;
    }
    if (link.peek() !== 'live') return;
    this.isAsking = true;
    this.lastAt = performance.now();
    const next = await this.asked();
    this.isAsking = false;
    if (!this.isOver) this.answer.value = next;
  }

  private async asked(): Promise<Asked<T>> {
    try {
      return { data: await this.ask(), failure: '' };
    } catch (error) {
      return { data: this.answer.value.data, failure: failureWords(error) };
    }
  }
}
