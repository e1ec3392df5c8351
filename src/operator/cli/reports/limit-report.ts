import { formatRupees } from '../../../base/decimal.ts';
import { formatIstTime } from '../../../base/time.ts';
import type { LimitFigure } from '../../../views/limit-explained.ts';

/** The figures of one user's limits with what makes them, amounts in rupees, as the operator's port answers. */
export interface LimitReport {
  readonly userId: string;
  readonly figures: readonly FigureReport[];
}

export interface FigureReport {
  readonly name: string;
  readonly amount: string;
  readonly entries: readonly EntryReport[];
}

export interface EntryReport {
  /** The time of day in IST, for what happened today. */
  readonly time?: string;
  readonly amount: string;
  readonly text: string;
}

export function limitReport(userId: string, figures: readonly LimitFigure[]): LimitReport {
  return {
    userId,
    figures: figures.map(({ name, amount, entries }) => ({
      name,
      amount: formatRupees(amount),
      entries: entries.map((entry) => {
        const { text } = entry;
        const known = { amount: formatRupees(entry.amount), text };
        return entry.at === undefined ? known : { time: formatIstTime(entry.at), ...known };
      }),
    })),
  };
}

/** The report as a table for a reader. */
export function limitText({ userId, figures }: LimitReport): string {
  const lines = [`limits of ${userId}, in rupees`];
  for (const { name, amount, entries } of figures) {
    lines.push(`${name.padEnd(NAME_WIDTH)}${amount.padStart(AMOUNT_WIDTH)}`);
    for (const entry of entries) {
      lines.push(`  ${(entry.time ?? '').padEnd(NAME_WIDTH - 2)}${entry.amount.padStart(AMOUNT_WIDTH)}  ${entry.text}`);
    }
  }
  return lines.join('\n');
}

const NAME_WIDTH = 24;
const AMOUNT_WIDTH = 18;
