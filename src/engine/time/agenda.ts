import type { EpochMs } from '../../base/time.ts';

/** Things that are to be done at instants of the market: the soonest first, those of one instant in their order. */
export class Agenda<T> {
  private readonly waiting: { readonly at: EpochMs; readonly item: T }[] = [];

  add(at: EpochMs, item: T): void {
    const after = this.waiting.findLastIndex((other) => other.at <= at);
    this.waiting.splice(after + 1, 0, { at, item });
  }

  /** The instant of the first one. */
  get next(): EpochMs | undefined {
    return this.waiting[0]?.at;
  }

  /** Takes the first one, if its instant has come. */
  take(now: EpochMs): T | undefined {
    const [first] = this.waiting;
    if (first === undefined || first.at > now) return undefined;
    this.waiting.shift();
    return first.item;
  }
}
