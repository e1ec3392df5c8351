import { must } from '../../base/assert.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { SpanFile, SpanUnderlying } from '../../core/margin/span-file.ts';
import { ElementReader, type SpanFault } from './element-reader.ts';
import { SpanDraft } from './span-draft.ts';
import { SPAN_FILE, symbolOf } from './span-form.ts';

/** A file without its name in the journal, which whoever has its bytes knows. */
export type SpanContent = Omit<SpanFile, 'digest'>;

/**
 * Reads a SPAN parameter file piece by piece, and whole or not at all. Text is one character for each byte (Latin-1, as the clearing
 * corporations write it): everything that is read is ASCII.
 */
export class SpanReader {
  private readonly reader = new ElementReader(new SpanDraft(), 'spanFile', SPAN_FILE);

  write(text: string): void {
    this.reader.write(text);
  }

  /** True when a fault was found: what comes after it is not looked at. */
  get damaged(): boolean {
    return this.reader.damage !== undefined;
  }

  /** What the file says, or where it is wrong: `line 12, column 5, spanFile/.../ra: it has 15 values, not 16`. */
  finish(): Result<SpanContent, string> {
    const read = this.reader.finish();
    const done = read.ok ? contentOf(read.value) : read;
    return done.ok ? done : fail(faultText(done.error));
  }
}

function faultText({ line, column, element, reason }: SpanFault): string {
  return `line ${line}, column ${column}${element === '' ? '' : `, ${element}`}: ${reason}`;
}

function contentOf(draft: SpanDraft): Result<SpanContent, SpanFault> {
  const exchange = must(draft.exchange, 'a file with contracts has an exchange');
  const commodities = new Map([...draft.commodities].map(([code, rates]) => [symbolOf(draft, code), rates]));
  const underlyings = new Map<string, SpanUnderlying>();
  for (const [symbol, { spot, contracts }] of draft.underlyings) {
    if (spot === undefined) {
      return fail({ line: 1, column: 1, element: 'spanFile', reason: `the price of ${symbol} (phyPf) is missing` });
    }
    const { calendarRate, shortOptionMinimum = 0 } = commodities.get(symbol) ?? {};
    underlyings.set(symbol, { symbol, spot, calendarRate, shortOptionMinimum, contracts });
  }
  return ok({ exchange, day: must(draft.day, 'a file has a day'), underlyings });
}
