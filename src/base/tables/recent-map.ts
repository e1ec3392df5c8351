/**
 * A map that forgets what was not asked for lately, for memory that only saves time. A map that is emptied when it is
 * full makes all of its entries again at once.
 */
export class RecentMap<Key, Value extends object> {
  private readonly limit: number;
  /** The entries that were asked for since the last change of generations, and those from before it. */
  private recent = new Map<Key, Value>();
  private older: Map<Key, Value> | undefined;

  /** `limit`: entries that are asked for in turn and all stay. The map keeps at most twice as many. */
  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: Key): Value | undefined {
    const known = this.recent.get(key);
    if (known !== undefined || this.older === undefined) return known;
    const old = this.older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.recent.size >= this.limit && !this.recent.has(key)) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, value);
  }

  /** Forgets the entries with such values. */
  forget(isGone: (value: Value) => boolean): void {
    for (const entries of [this.recent, this.older]) {
      for (const [key, value] of entries ?? []) if (isGone(value)) entries?.delete(key);
    }
  }
}
