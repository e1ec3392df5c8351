import { formatIsoDay, type IstDay } from '../../base/time.ts';
import type { TapedInstrument, TapeSource } from '../../folder/tapes/tape-file.ts';
import type { TapeStore } from '../../folder/tapes/tape-store.ts';
import type { RecordedName } from '../../market/recorded/recorded-days.ts';
import { TapeFault } from '../../tapes/tape-fault.ts';

/** The days of instruments that tapes have: those of a folder, and those that a command has read up to now. */
export class TakenDays {
  private readonly store: TapeStore;
  private readonly read = new Map<string, Map<number, TapeSource>>();

  constructor(store: TapeStore) {
    this.store = store;
  }

  /** The file that a day of an instrument came from. */
  sourceOf(name: RecordedName, day: IstDay): TapeSource | undefined {
    return this.store.tapeOf(name, day)?.source ?? this.read.get(keyOf(name))?.get(day);
  }

  /** Adds the days of a file. Throws `TapeFault` for a day that another file has too. */
  add(source: TapeSource, instruments: readonly TapedInstrument[]): void {
    for (const name of instruments) {
      for (const [day] of name.days) this.expectFree(name, day as IstDay, source);
      const days = this.read.get(keyOf(name)) ?? new Map<number, TapeSource>();
      for (const [day] of name.days) days.set(day, source);
      this.read.set(keyOf(name), days);
    }
  }

  private expectFree(name: RecordedName, day: IstDay, source: TapeSource): void {
    const other = this.sourceOf(name, day);
    if (other === undefined) return;
    const what = `${formatIsoDay(day)} of ${keyOf(name)}`;
    throw new TapeFault(
      `${what} is in ${source.name} and in ${other.name}: remove one of the two, or say --skip-known`,
    );
  }
}

function keyOf({ exchange, symbol }: RecordedName): string {
  return `${exchange}:${symbol}`;
}
