import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/** A month of real one-minute candles, `RELIANCE.csv` in a zip. */
export const MONTH_ZIP = `${import.meta.dirname}/reliance-2026-01.zip`;

/** A candle as the texts of its file. */
export interface MonthRow {
  /** `2026-01-01`. */
  readonly date: string;
  /** `09:15:00`. */
  readonly time: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

/** The text of the file, unpacked without any of the importers: the archive has one deflated entry. */
export function monthText(): string {
  const zip = readFileSync(MONTH_ZIP);
  const begin = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
  return inflateRawSync(zip.subarray(begin)).toString('latin1');
}

/** The candles of the month. */
export function monthRows(): readonly MonthRow[] {
  const [, ...lines] = monthText().trimEnd().split('\n');
  return lines.map((line) => {
    const [stamp = '', open = '', high = '', low = '', close = '', volume = ''] = line.split(',');
    return { date: stamp.slice(0, 10), time: stamp.slice(11), open, high, low, close, volume };
  });
}
