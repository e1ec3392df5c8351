import { must } from '../base/assert.ts';
import type { EpochMs } from '../base/time.ts';
import { type OrderTerms, sameTerms } from '../core/order.ts';
import type { HistoryEntry, OrderRecord } from './order-record.ts';

type TermsRow = readonly [
  priceType: OrderTerms['priceType'],
  retention: OrderTerms['retention'],
  quantity: OrderTerms['quantity'],
  price: OrderTerms['price'],
  trigger: OrderTerms['trigger'],
];

/** One step. `terms` is 0 while they are those of the step before; `reason` 0 when there is none. */
type StepRow = readonly [
  reportType: HistoryEntry['reportType'],
  status: HistoryEntry['status'],
  /** Milliseconds since the order came. */
  after: number,
  filled: HistoryEntry['filled'],
  filledAmount: HistoryEntry['filledAmount'],
  exchangeOrder: HistoryEntry['exchangeOrder'],
  terms: TermsRow | 0,
  reason: NonNullable<HistoryEntry['reason']> | 0,
];

/** An order's history as plain JSON values: a snapshot holds eight days of them, so nothing is said twice. */
export type OrderRow = readonly [
  number: OrderRecord['number'],
  account: OrderRecord['account'],
  instrument: OrderRecord['instrument'],
  side: OrderRecord['side'],
  product: OrderRecord['product'],
  remarks: OrderRecord['remarks'],
  receivedAt: OrderRecord['receivedAt'],
  steps: readonly StepRow[],
];

export function rowOfRecord(record: OrderRecord): OrderRow {
  const { number, account, instrument, side, product, remarks, receivedAt, entries } = record;
  const steps = entries.map((entry, index): StepRow => {
    const { reportType, status, at, filled, filledAmount, exchangeOrder, terms, reason = 0 } = entry;
    const before = entries[index - 1]?.terms;
    // By value: what was read from a journal shares nothing, and dumps to the same bytes.
    const termsRow = before !== undefined && sameTerms(before, terms) ? 0 : rowOfTerms(terms);
    return [reportType, status, at - receivedAt, filled, filledAmount, exchangeOrder, termsRow, reason];
  });
  return [number, account, instrument, side, product, remarks, receivedAt, steps];
}

/** The record of a row. Steps with the same terms share them. */
export function recordOfRow(row: OrderRow): OrderRecord {
  const [number, account, instrument, side, product, remarks, receivedAt, steps] = row;
  let last: OrderTerms | undefined;
  const entries = steps.map((step): HistoryEntry => {
    const [reportType, status, after, filled, filledAmount, exchangeOrder, termsRow, reason] = step;
    const terms = termsOfRow(termsRow, last);
    last = terms;
    const at = (receivedAt + after) as EpochMs;
    return { reportType, status, at, terms, filled, filledAmount, exchangeOrder, reason: reason || undefined };
  });
  return { number, account, instrument, side, product, remarks, receivedAt, entries };
}

function rowOfTerms({ priceType, retention, quantity, price, trigger }: OrderTerms): TermsRow {
  return [priceType, retention, quantity, price, trigger];
}

function termsOfRow(row: TermsRow | 0, last: OrderTerms | undefined): OrderTerms {
  if (row === 0) return must(last, 'the first step says its terms');
  const [priceType, retention, quantity, price, trigger] = row;
  return { priceType, retention, quantity, price, trigger };
}
