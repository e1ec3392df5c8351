/** The instruments that were chosen last, for a palette in which nothing is typed yet. */
import { signal } from '@preact/signals';
import type { ScripRow } from '../../../../client/src/wire.ts';
import { keep, kept } from '../../store/kept.ts';

const MOST_KEPT = 8;

/** The part of a search row that the palette shows. */
export type FoundInstrument = Pick<ScripRow, 'exchange' | 'tradingSymbol' | 'companyName' | 'instrumentName'>;

/** Newest first. */
export const recentInstruments = signal<readonly FoundInstrument[]>(read(kept('recent')));

export function remember({ exchange, tradingSymbol, companyName, instrumentName }: FoundInstrument): void {
  const others = recentInstruments
    .peek()
    .filter((one) => one.exchange !== exchange || one.tradingSymbol !== tradingSymbol);
  const now = [{ exchange, tradingSymbol, companyName, instrumentName }, ...others].slice(0, MOST_KEPT);
  recentInstruments.value = now;
  keep('recent', now);
}

function read(value: unknown): readonly FoundInstrument[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((one: Partial<FoundInstrument> | null): one is FoundInstrument => {
      return typeof one?.exchange === 'string' && typeof one.tradingSymbol === 'string';
    })
    .slice(0, MOST_KEPT);
}
