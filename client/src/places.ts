/**
 * The addresses of a service that runs on several machines, and the one that is asked now. One machine leads; the
 * others answer 503 and name its address.
 */

/** The most addresses that are kept; beyond it none is learned. */
const MOST_PLACES = 16;
/** An address that gave no answer this recently is not gone to because another machine still names it. In ms. */
const DEAD_MS = 1_000;

export interface PlaceSettings {
  /** Monotonic or wall milliseconds. */
  readonly now: () => number;
  /** Whether to go to addresses that were not given but that the service names. */
  readonly follows: boolean;
}

export class Places {
  private readonly settings: PlaceSettings;
  private readonly known: string[];
  private readonly lostAt = new Map<string, number>();
  private at = 0;

  /** `origins`: at least one, each without a slash at its end. The first one is asked first. */
  constructor(origins: readonly string[], settings: PlaceSettings) {
    this.known = [...new Set(origins)];
    this.settings = settings;
  }

  /** The address to ask now. */
  get current(): string {
    return this.known[this.at] as string;
  }

  /** True when there is another address to ask. */
  get areSeveral(): boolean {
    return this.known.length > 1;
  }

  /**
   * The machine at `from` does not lead, and `leader` is the address that it names. Goes there, and gives true then:
   * it can be asked at once. Goes to the next address when none is named, or one that gave no answer just now, or the
   * machine itself.
   */
  refused(from: string, leader: string | undefined): boolean {
    if (from !== this.current) return true;
    const named = leader === undefined ? undefined : this.placeOf(from, leader);
    const isDead = named !== undefined && this.settings.now() - (this.lostAt.get(named) ?? -DEAD_MS) < DEAD_MS;
    if (named === undefined || isDead || named === from) {
      this.next();
      return false;
    }
    this.at = this.known.indexOf(named);
    return true;
  }

  /** The machine at `from` gave no answer: the next one is asked from now on. */
  lost(from: string): void {
    this.lostAt.set(from, this.settings.now());
    if (from === this.current) this.next();
  }

  private next(): void {
    this.at = (this.at + 1) % this.known.length;
  }

  /**
   * The known address that `leader` means; learned when it may be. A token that was sent by TLS never goes out in the
   * clear: from `https` nothing leads to `http`.
   */
  private placeOf(from: string, leader: string): string | undefined {
    const origin = URL.canParse(leader) ? new URL(leader).origin : 'null';
    if (!/^https?:\/\//.test(origin) || (from.startsWith('https:') && !origin.startsWith('https:'))) return undefined;
    const found = this.known.find((known) => known === origin || known.startsWith(`${origin}/`));
    if (found !== undefined) return found;
    if (!this.settings.follows || this.known.length >= MOST_PLACES) return undefined;
    this.known.push(origin);
    return origin;
  }
}
