/** The edits of a watchlist, as new lists. */
import { type InstrumentName, namedFields } from '../../../../client/src/instrument.ts';
import { isSameInstrument } from '../../text/same-instrument.ts';

export type Instruments = readonly InstrumentName[];

/** The place of an instrument in a list, from 0; -1 when it is not in it. */
export function placeOf(list: Instruments, instrument: InstrumentName): number {
  return list.findIndex((one) => isSameInstrument(one, instrument));
}

/** The list with an instrument at its end; the same list when it has it. */
export function withAdded(list: Instruments, instrument: InstrumentName): Instruments {
  return placeOf(list, instrument) < 0 ? [...list, namedFields(instrument)] : list;
}

export function withoutOne(list: Instruments, instrument: InstrumentName): Instruments {
  const place = placeOf(list, instrument);
  return place < 0 ? list : list.toSpliced(place, 1);
}

/** The list with an instrument at another place; a place beyond an end is that end. */
export function withMoved(list: Instruments, instrument: InstrumentName, to: number): Instruments {
  const from = placeOf(list, instrument);
  const moved = list[from];
  const place = Math.max(0, Math.min(list.length - 1, to));
  return moved === undefined || from === place ? list : list.toSpliced(from, 1).toSpliced(place, 0, moved);
}

/** A name that no list has: `List 2`. */
export function freeName(names: readonly string[]): string {
  for (let number = names.length + 1; ; number += 1) {
    const name = `List ${number}`;
    if (!names.includes(name)) return name;
  }
}
