/** The instrument that panels of one colour show together. */
import { type Signal, signal } from '@preact/signals';
import type { InstrumentName } from '../../../client/src/instrument.ts';
import { keep, kept } from './kept.ts';

export const LINKS = ['blue', 'amber', 'green'] as const;
/** Panels of one colour follow the same instrument. */
export type Link = (typeof LINKS)[number];

const asKept = kept('chosen') as Readonly<Record<string, Partial<InstrumentName> | undefined>> | undefined;
const chosen: Readonly<Record<Link, Signal<InstrumentName | undefined>>> = {
  blue: signal(keptOf('blue')),
  amber: signal(keptOf('amber')),
  green: signal(keptOf('green')),
};
/** The colour of the panel that was used last: keys act on its instrument. */
export const activeLink = signal<Link>('blue');

export function chosenOf(link: Link): Signal<InstrumentName | undefined> {
  return chosen[link];
}

/** Chooses an instrument for all panels of a colour. This browser keeps the choice. */
export function choose(link: Link, { exchange, tradingSymbol }: InstrumentName): void {
  activeLink.value = link;
  chosen[link].value = { exchange, tradingSymbol };
  keep('chosen', Object.fromEntries(LINKS.map((name) => [name, chosen[name].peek()])));
}

function keptOf(link: Link): InstrumentName | undefined {
  const { exchange, tradingSymbol } = asKept?.[link] ?? {};
  return exchange === undefined || tradingSymbol === undefined ? undefined : { exchange, tradingSymbol };
}
