import { pairKey } from './login-throttle.ts';

const MOST_PAIRS = 10_000;

/** The pairs of user and address that a login succeeded of, the latest of them. In memory only. */
export class KnownAddresses {
  private readonly pairs = new Set<string>();
  private readonly most: number;

  constructor(most = MOST_PAIRS) {
    this.most = most;
  }

  get size(): number {
    return this.pairs.size;
  }

  has(userId: string, address: string): boolean {
    return this.pairs.has(pairKey(userId, address));
  }

  add(userId: string, address: string): void {
    const key = pairKey(userId, address);
    this.pairs.delete(key);
    this.pairs.add(key);
    if (this.pairs.size <= this.most) return;
    const oldest = this.pairs.values().next();
    if (!oldest.done) this.pairs.delete(oldest.value);
  }
}
