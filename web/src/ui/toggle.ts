/** Sets of names, such as the rows that are selected. */
import type { Signal } from '@preact/signals';

/** Puts a name into a set, or takes it out. */
export function toggle<Name>(set: Signal<ReadonlySet<Name>>, name: Name): void {
  const next = new Set(set.peek());
  if (!next.delete(name)) next.add(name);
  set.value = next;
}
