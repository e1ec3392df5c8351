/**
 * The tapes of a data folder: one file each under the digest of the file that it was imported from. The indexes are
 * read when the store is opened; a day is read when it is asked for.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { IstDay } from '../../base/time.ts';
import type {
  RecordedDay,
  RecordedDays,
  RecordedInstrument,
  RecordedName,
} from '../../market/recorded/recorded-days.ts';
import { removeDurably } from '../../os/durable-file.ts';
import { TAPE_ENDING, type TapedInstrument, TapeFile } from './tape-file.ts';

const TAPE_NAME = /^[0-9a-f]{64}\.tape$/;

/** A day of an instrument, and the tape that has it. */
interface Place {
  readonly tape: TapeFile;
  readonly instrument: TapedInstrument;
  readonly entry: TapedInstrument['days'][number];
}

export class TapeStore implements RecordedDays {
  readonly folder: string;
  readonly tapes: readonly TapeFile[];
  private readonly places = new Map<string, Map<IstDay, Place>>();

  /** Opens the store of a folder, which is made by the first import. Throws `TapeStoreError`. */
  constructor(folder: string) {
    this.folder = folder;
    this.tapes = tapeNames(folder).map((name) => new TapeFile(join(folder, name)));
    for (const tape of this.tapes) {
      for (const instrument of tape.instruments) {
        const places = this.placesOf(instrument);
        for (const entry of instrument.days) places.set(entry[0] as IstDay, { tape, instrument, entry });
      }
    }
  }

  instruments(): readonly RecordedInstrument[] {
    const rows = this.tapes.flatMap(({ source, instruments }) =>
      instruments.map(({ exchange, symbol, kind, days }) => {
        const [from, to] = [days[0]?.[0] as IstDay, days.at(-1)?.[0] as IstDay];
        return { exchange, symbol, kind, from, to, digest: source.digest };
      }),
    );
    return rows.sort((a, b) => compared(keyOf(a), keyOf(b)) || a.from - b.from);
  }

  days(name: RecordedName): readonly IstDay[] {
    return [...(this.places.get(keyOf(name))?.keys() ?? [])].sort((a, b) => a - b);
  }

  day(name: RecordedName, day: IstDay): RecordedDay | undefined {
    const place = this.places.get(keyOf(name))?.get(day);
    return place?.tape.day(place.instrument, place.entry);
  }

  /** The tape that has a day of an instrument. */
  tapeOf(name: RecordedName, day: IstDay): TapeFile | undefined {
    return this.places.get(keyOf(name))?.get(day)?.tape;
  }

  private placesOf(name: RecordedName): Map<IstDay, Place> {
    const key = keyOf(name);
    const known = this.places.get(key) ?? new Map<IstDay, Place>();
    this.places.set(key, known);
    return known;
  }
}

/** The path of a tape. */
export function tapePath(folder: string, digest: string): string {
  return join(folder, `${digest}${TAPE_ENDING}`);
}

/** The names of the tapes of a folder, in order; drafts are none. */
export function tapeNames(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => TAPE_NAME.test(name))
        .sort()
    : [];
}

/** Takes a tape away for good. */
export function removeTape({ path }: TapeFile): void {
  removeDurably(path);
}

function keyOf({ exchange, symbol }: RecordedName): string {
  return `${exchange}:${symbol}`;
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
