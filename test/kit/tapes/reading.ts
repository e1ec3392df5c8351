import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FACTS } from '../../../src/app/opened-market.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { type CollectedDay, type Series, type Span, spanOf } from '../../../src/tapes/collector.ts';
import type { Given } from '../../../src/tapes/forms/form.ts';
import { InstrumentNames } from '../../../src/tapes/instrument-names.ts';
import { type ReadTape, readTape } from '../../../src/tapes/read-tape.ts';

/** The days that a file was read into, by instrument. */
export interface ReadDays extends ReadTape {
  readonly days: ReadonlyMap<string, { readonly span: Span; readonly days: readonly CollectedDay[] }>;
}

let names: InstrumentNames | undefined;

/** The instruments that are shipped; read once. */
function shippedNames(): InstrumentNames {
  if (names !== undefined) return names;
  const data = loadReferenceData(FACTS);
  names = new InstrumentNames(data.master(), data.expiries);
  return names;
}

/** Reads content as the file of a name. */
export async function readAs(name: string, content: string | Uint8Array, given: Given = {}): Promise<ReadDays> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-tape-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, content);
    return await readPath(path, given);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads a file. */
export async function readPath(path: string, given: Given = {}): Promise<ReadDays> {
  const found = new Map<Series, CollectedDay[]>();
  const take = (series: Series, day: CollectedDay): void => {
    found.set(series, [...(found.get(series) ?? []), day]);
  };
  const read = await readTape(path, { names: shippedNames(), given, take, progress: () => undefined });
  const days = [...found].map(([series, own]) => {
    return [`${series.exchange}:${series.symbol}`, { span: spanOf(series), days: own }] as const;
  });
  return { ...read, days: new Map(days) };
}
