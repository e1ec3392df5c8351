/**
 * Placements whose outcome is not known, kept with the tab from before they are sent. So a page that is loaded again,
 * or a session that ended meanwhile, still finds what became of them.
 */

/** A placement without an answer. */
export interface Pending {
  readonly userId: string;
  readonly idempotencyKey: string;
  /** As people read it. */
  readonly text: string;
  /** The orders of a basket; absent for a single order. */
  readonly count?: number;
  /** The day of the market on which it was sent, as `23-11-2026`; blank when it was not known. */
  readonly day: string;
}

const KEPT = 'sauda.pending';
const MOST = 200;

/** The part of the browser's storage that is used. */
type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export class PendingPlacements {
  private readonly kept: Kept;

  constructor(kept: Kept) {
    this.kept = kept;
  }

  /** Keeps a placement; once, however often it is sent under its key. */
  add(one: Pending): void {
    const others = this.all().filter(({ idempotencyKey }) => idempotencyKey !== one.idempotencyKey);
    this.write([...others, one].slice(-MOST));
  }

  remove(idempotencyKey: string): void {
    this.write(this.all().filter((one) => one.idempotencyKey !== idempotencyKey));
  }

  /** Those of a user. The service forgets their keys when the market's day ends. */
  of(userId: string): readonly Pending[] {
    return this.all().filter((one) => one.userId === userId);
  }

  private all(): readonly Pending[] {
    return parsed(this.kept.getItem(KEPT));
  }

  private write(all: readonly Pending[]): void {
    if (all.length === 0) this.kept.removeItem(KEPT);
    else this.kept.setItem(KEPT, JSON.stringify(all));
  }
}

/** Text of another version of the page, or of another page, counts as nothing. */
function parsed(text: string | null): readonly Pending[] {
  try {
    const all: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(all) ? all.filter(isPending) : [];
  } catch {
    return [];
  }
}

function isPending(one: unknown): one is Pending {
  if (typeof one !== 'object' || one === null) return false;
  const { userId, idempotencyKey, text, day } = one as Record<string, unknown>;
  return [userId, idempotencyKey, text, day].every((field) => typeof field === 'string');
}
