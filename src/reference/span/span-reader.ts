/**
 * Reads a SPAN parameter file piece by piece, and whole or not at all. Text is one character for each byte (Latin-1,
 * as the clearing corporations write it): everything that is read is ASCII. Files are stored by
 * `folder/span-store.ts`; margins are reckoned from them in `core/margin`.
 */
import { must } from '../../base/assert.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { SpanFile, SpanUnderlying } from '../../core/margin/rates/span-file.ts';
import { ElementReader, type SpanFault } from './element-reader.ts';
import { type CommodityRates, SpanDraft } from './span-draft.ts';
import { SPAN_FILE, symbolOf } from './span-form.ts';

/** A file without its name in the journal, the digest of its bytes, which the caller has. */
export type SpanContent = Omit<SpanFile, 'digest'>;

/** That of UTF-8, a character for each byte. Some programs begin a file with it, and it has no meaning here. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

export class SpanReader {
  private readonly reader = new ElementReader(new SpanDraft(), 'spanFile', SPAN_FILE);
  /** The first characters while they may be the beginning of a byte order mark; `undefined` once they are known. */
  private mark: string | undefined = '';

  write(text: string): void {
    if (this.mark === undefined) {
      this.reader.write(text);
      return;
    }
    this.mark += text;
    if (this.mark.length >= BYTE_ORDER_MARK.length || !BYTE_ORDER_MARK.startsWith(this.mark)) this.passMark();
  }

  private passMark(): void {
    const head = this.mark ?? '';
    this.mark = undefined;
    this.reader.write(head.startsWith(BYTE_ORDER_MARK) ? head.slice(BYTE_ORDER_MARK.length) : head);
  }

  /** True when a fault was found: the text after it is ignored. */
  get damaged(): boolean {
    return this.reader.damage !== undefined;
  }

  /**
   * The content of the file, or the place where it is wrong: `line 12, column 5, spanFile/.../ra: it has 15 values, not
   * 16`.
   */
  finish(): Result<SpanContent, string> {
    this.passMark();
    const read = this.reader.finish();
    const done = read.ok ? contentOf(read.value) : read;
    return done.ok ? done : fail(faultText(done.error));
  }
}

function faultText({ line, column, element, reason }: SpanFault): string {
  return `line ${line}, column ${column}${element === '' ? '' : `, ${element}`}: ${reason}`;
}

/** The rates of each underlying; the dearest where it has several codes, so never too low. */
function ratesBySymbol(draft: SpanDraft): ReadonlyMap<string, CommodityRates> {
  const bySymbol = new Map<string, CommodityRates>();
  for (const [code, rates] of draft.commodities) {
    const symbol = symbolOf(draft, code);
    const known = bySymbol.get(symbol);
    bySymbol.set(symbol, known === undefined ? rates : dearest(known, rates));
  }
  return bySymbol;
}

function dearest(a: CommodityRates, b: CommodityRates): CommodityRates {
  const calendarRates = [a.calendarRate, b.calendarRate].filter((rate) => rate !== undefined);
  return {
    calendarRate: calendarRates.length === 0 ? undefined : Math.max(...calendarRates),
    shortOptionMinimum: Math.max(a.shortOptionMinimum, b.shortOptionMinimum),
  };
}

function contentOf(draft: SpanDraft): Result<SpanContent, SpanFault> {
  const exchange = must(draft.exchange, 'a file with contracts has an exchange');
  const commodities = ratesBySymbol(draft);
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
