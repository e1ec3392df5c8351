/** The instruments that answer a text, by the service's search; the newest question wins. */
import type { Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import type { ScripRow } from '../../../../client/src/wire.ts';
import { failureWords } from '../../orders/words.ts';
import { client } from '../../store/session.ts';
import { contractWords, fuzzyScore } from './fuzzy.ts';

const PAUSE_MS = 80;
const MOST_SHOWN = 40;
/** A text that finds nothing is asked for by its first letters, and the rest is compared here. */
const FIRST_LETTERS = 2;

/** The rows for a text, or the reason why there are none. */
export interface Found {
  readonly text: string;
  readonly rows: readonly ScripRow[];
  readonly failure: string;
}

const NOTHING: Found = { text: '', rows: [], failure: '' };

export class InstrumentSearch {
  readonly found: Signal<Found> = signal(NOTHING);
  private asked = 0;

  /** Looks for a text after a short pause. A blank one finds nothing. */
  look(text: string): void {
    this.asked += 1;
    const number = this.asked;
    if (text.trim() === '') {
      this.found.value = NOTHING;
      return;
    }
    setTimeout(() => void this.ask(number, text.trim()), PAUSE_MS);
  }

  private async ask(number: number, text: string): Promise<void> {
    if (number !== this.asked) return;
    const found = await search(text).then(
      (rows) => ({ text, rows: rows.slice(0, MOST_SHOWN), failure: '' }),
      (error: unknown) => ({ text, rows: [], failure: failureWords(error) }),
    );
    if (number === this.asked) this.found.value = found;
  }
}

async function search(text: string): Promise<readonly ScripRow[]> {
  for (const words of new Set([text, contractWords(text)])) {
    const rows = await client().market.search(words);
    if (rows.length > 0) return rows;
  }
  if (text.length <= FIRST_LETTERS) return [];
  return ranked(text, await client().market.search(text.slice(0, FIRST_LETTERS)));
}

/** The rows that answer a text by their symbol or their company, best first. */
function ranked(text: string, rows: readonly ScripRow[]): readonly ScripRow[] {
  return rows
    .map((row) => ({ row, score: scoreOf(text, row) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

/** The symbol or the company answers, not letters of both. The series of a share does not count. */
function scoreOf(text: string, { tradingSymbol, companyName }: ScripRow): number {
  const scores = [tradingSymbol.replace(/-EQ$/, ''), companyName].map((name) => fuzzyScore(text, name) ?? -1);
  return Math.max(...scores);
}
