/** The part of the page that is shown, and the user it is about. */
import { signal } from '@preact/signals';
import { asked } from './acts.ts';

export const PARTS = ['Risk', 'Users', 'Switches', 'Audit trail', 'Journal', 'Health', 'Clock'] as const;
export type Part = (typeof PARTS)[number];

export const part = signal<Part>('Risk');

/** The user whose account is shown beside the lists. */
export const chosenUser = signal<string | undefined>(undefined);

/** The words of the search of the audit trail; a blank one matches everything. */
export const trailSearch = signal<Readonly<Record<string, string>>>({});

/** Shows a part of the page. */
export function show(name: Part): void {
  if (asked.peek() === undefined) part.value = name;
}

/** Shows the lines of the trail about a user. */
export function showTrailOf(user: string): void {
  if (asked.peek() !== undefined) return;
  trailSearch.value = { user };
  part.value = 'Audit trail';
}
