/** The choices that were sent last, by kind of instrument. A browser that keeps nothing has the usual ones. */
import type { InstrumentRow } from '../../../../client/src/wire.ts';
import { type Draft, firstHabits, type Habits, kindOf } from './draft.ts';

const KEPT = 'sauda.ticket';

export function habitsFor(info: InstrumentRow): Habits {
  const kind = kindOf(info);
  return { ...firstHabits(kind), ...all()[kind] };
}

export function keepHabits(info: InstrumentRow, { product, priceType, retention }: Draft): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...all(), [kindOf(info)]: { product, priceType, retention } }));
  } catch {
    // Storage is full or forbidden.
  }
}

function all(): Partial<Record<ReturnType<typeof kindOf>, Partial<Habits>>> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as ReturnType<typeof all>;
  } catch {
    return {};
  }
}
