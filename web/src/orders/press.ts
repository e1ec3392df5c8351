/**
 * One press is one order. A held key, a double click and a second press while the outcome of the same order is not
 * known yet are passed over.
 */

/** The parts of an event that show a repeat. */
export interface PressEvent {
  /** True for a key that is held. */
  readonly repeat?: boolean;
  /** The clicks in a row that the machine counts as one gesture. */
  readonly detail?: number;
}

/** A second press of the same order within this time is the tail of a double click. */
const SAME_PRESS_MS = 500;

/** True for an event that repeats the one before it. */
export function isRepeat({ repeat, detail }: PressEvent): boolean {
  return repeat === true || (detail ?? 0) > 1;
}

/** Lets each order through once, until its outcome is known and the press is over. */
export class PressGuard {
  private readonly now: () => number;
  private readonly pressed = new Map<string, { at: number; isOpen: boolean }>();

  constructor(now: () => number) {
    this.now = now;
  }

  /** False when the same thing is on its way, or was pressed just now. */
  take(name: string): boolean {
    this.forget();
    if (this.pressed.has(name)) return false;
    this.pressed.set(name, { at: this.now(), isOpen: true });
    return true;
  }

  /** The outcome of what was pressed is known. */
  settle(name: string): void {
    const press = this.pressed.get(name);
    if (press !== undefined) press.isOpen = false;
  }

  private forget(): void {
    const now = this.now();
    for (const [name, { at, isOpen }] of this.pressed) {
      if (!isOpen && now - at >= SAME_PRESS_MS) this.pressed.delete(name);
    }
  }
}
