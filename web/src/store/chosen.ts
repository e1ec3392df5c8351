/** The instrument that panels of one colour show together. */
import { type Signal, signal } from '@preact/signals';
import type { InstrumentName } from '../../../client/src/instrument.ts';

export const LINKS = ['blue', 'amber', 'green'] as const;
/** Panels of one colour follow the same instrument. */
export type Link = (typeof LINKS)[number];

const chosen: Readonly<Record<Link, Signal<InstrumentName | undefined>>> = {
  blue: signal(undefined),
  amber: signal(undefined),
  green: signal(undefined),
};
/** The colour of the panel that was used last: keys act on its instrument. */
export const activeLink = signal<Link>('blue');

export function chosenOf(link: Link): Signal<InstrumentName | undefined> {
  return chosen[link];
}

/** Chooses an instrument for all panels of a colour. */
export function choose(link: Link, { exchange, tradingSymbol }: InstrumentName): void {
  activeLink.value = link;
  chosen[link].value = { exchange, tradingSymbol };
}
