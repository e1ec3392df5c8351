/**
 * An order's history as a row of plain values: a snapshot holds eight days of them, so nothing is said twice. A
 * decoder gives a whole record with all of its fields by name, so the compiler refuses a field that has no place in
 * the row.
 */
import { must } from '../base/assert.ts';
import { type Complete, type Json, objectOf, oneOf, places, text, Undecodable, whole } from '../base/codec.ts';
import type { EpochMs } from '../base/time.ts';
import { CANCEL_REASONS } from '../core/event.ts';
import { type OrderTerms, sameTerms } from '../core/order.ts';
import { isRefusal } from '../core/refusals/refusal.ts';
import { decodeTerms, encodeTerms, productOf, sideOf, statusOf } from '../core/snapshot/order-codec.ts';
import { type HistoryEntry, type OrderRecord, REPORT_TYPES } from './order-record.ts';

/** One step. `terms` is 0 while they are those of the step before; `reason` 0 when there is none. */
type StepRow = readonly [
  reportType: HistoryEntry['reportType'],
  status: HistoryEntry['status'],
  /** Milliseconds since the order came. */
  after: number,
  filled: HistoryEntry['filled'],
  filledAmount: HistoryEntry['filledAmount'],
  exchangeOrder: HistoryEntry['exchangeOrder'],
  terms: ReturnType<typeof encodeTerms> | 0,
  reason: NonNullable<HistoryEntry['reason']> | 0,
];

type OrderRow = readonly [
  number: OrderRecord['number'],
  account: OrderRecord['account'],
  instrument: OrderRecord['instrument'],
  side: OrderRecord['side'],
  product: OrderRecord['product'],
  remarks: OrderRecord['remarks'],
  receivedAt: OrderRecord['receivedAt'],
  steps: readonly StepRow[],
];

const reportTypeOf = oneOf(...REPORT_TYPES);
const cancelReasonOf = oneOf(...CANCEL_REASONS);

export function encodeRecord(record: OrderRecord): OrderRow {
  const { number, account, instrument, side, product, remarks, receivedAt, entries } = record;
  const steps = entries.map((entry, index): StepRow => {
    const { reportType, status, at, filled, filledAmount, exchangeOrder, terms, reason = 0 } = entry;
    const before = entries[index - 1]?.terms;
    // By value: terms that were read from a journal share no object, and must dump to the same bytes.
    const termsRow = before !== undefined && sameTerms(before, terms) ? 0 : encodeTerms(terms);
    return [reportType, status, at - receivedAt, filled, filledAmount, exchangeOrder, termsRow, reason];
  });
  return [number, account, instrument, side, product, remarks, receivedAt, steps];
}

/** The record of a row. Steps with the same terms share them. Throws `Undecodable`. */
export function decodeRecord(stored: Json): OrderRecord {
  const row = places(stored, 'a history', 8);
  const receivedAt: EpochMs = whole(row[6], 'receivedAt');
  return {
    number: whole(row[0], 'number'),
    account: whole(row[1], 'account'),
    instrument: whole(row[2], 'instrument'),
    side: sideOf(row[3], 'side'),
    product: productOf(row[4], 'product'),
    remarks: text(row[5], 'remarks'),
    receivedAt,
    entries: decodeSteps(places(row[7], 'steps', 1, Number.POSITIVE_INFINITY), receivedAt),
  } satisfies Complete<OrderRecord>;
}

function decodeSteps(rows: readonly Json[], receivedAt: EpochMs): HistoryEntry[] {
  let last: OrderTerms | undefined;
  return rows.map((stored) => {
    const step = places(stored, 'a step', 8);
    const after: number = whole(step[2], 'after');
    last = step[6] === 0 ? must(last, 'the first step says its terms') : decodeTerms(places(step[6], 'terms', 5));
    return {
      reportType: reportTypeOf(step[0], 'reportType'),
      status: statusOf(step[1], 'status'),
      at: (receivedAt + after) as EpochMs,
      terms: last,
      filled: whole(step[3], 'filled'),
      filledAmount: whole(step[4], 'filledAmount'),
      exchangeOrder: whole(step[5], 'exchangeOrder'),
      reason: decodeReason(step[7]),
    } satisfies Complete<HistoryEntry>;
  });
}

function decodeReason(stored: Json | undefined): HistoryEntry['reason'] {
  if (stored === 0) return undefined;
  if (typeof stored === 'string') return cancelReasonOf(stored, 'reason');
  const found = objectOf(stored, 'reason');
  if (isRefusal(found)) return found;
  throw new Undecodable('reason is not a refusal');
}
