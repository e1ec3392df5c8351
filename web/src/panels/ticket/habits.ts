/** The choices that were sent last, by kind of instrument. A browser that keeps nothing has the usual ones. */
import type { InstrumentRow } from '../../../../client/src/wire.ts';
import { keep, kept } from '../../store/kept.ts';
import { type Draft, firstHabits, type Habits, kindOf } from './draft.ts';

export function habitsFor(info: InstrumentRow): Habits {
  const kind = kindOf(info);
  return { ...firstHabits(kind), ...all()[kind] };
}

export function keepHabits(info: InstrumentRow, { product, priceType, retention }: Draft): void {
  keep('ticket', { ...all(), [kindOf(info)]: { product, priceType, retention } });
}

function all(): Partial<Record<ReturnType<typeof kindOf>, Partial<Habits>>> {
  return (kept('ticket') ?? {}) as ReturnType<typeof all>;
}
