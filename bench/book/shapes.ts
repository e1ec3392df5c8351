import { assert } from '../../src/base/assert.ts';
import { setLimitsForOrders } from '../../src/os/start-limits.ts';
import { cpuTimedAlone } from '../process/heap.ts';
import { keepFirst } from '../process/living.ts';
import { type BenchRow, inTurn, median, ratios, spreadOf } from '../rows.ts';
import { type Messages, messagesOf, SHAPES } from './shapes/messages.ts';
import { NaiveBook } from './shapes/naive-book.ts';
import { OurBook } from './shapes/our-book.ts';
import { ReferenceBook } from './shapes/reference-book.ts';
import { Counted, Digest, type Reports } from './shapes/reports.ts';

/**
 * B19: five shapes of a day of one book, two million messages each. Our reports must have the digest of the naive
 * book's, and nodejs-order-book must trade the same units. The clock is the CPU time of the process.
 */

const MESSAGES = 2_000_000;
const GOAL = 16;

/** The digest of the reports of a book that takes all the messages. */
export function digestOf(
  messages: Messages,
  bookOf: (reports: Reports) => { perform(at: number): void },
): { readonly text: string; readonly trades: number } {
  const digest = new Digest();
  const book = bookOf(digest);
  for (let at = 0; at < messages.size; at += 1) book.perform(at);
  return { text: digest.text, trades: digest.trades };
}

/** Measures the five shapes, prints the rows and returns them. */
export function shapeRows(rounds = 7, size = MESSAGES): BenchRow[] {
  return SHAPES.map(([name, path]) => {
    const messages = messagesOf(1, size, path());
    const digest = digestOf(messages, (reports) => new OurBook(messages, reports));
    const naive = digestOf(messages, (reports) => new NaiveBook(messages, reports));
    assert(digest.text === naive.text, `${name}: our reports ${digest.text}, those of the naive book ${naive.text}`);
    const row = besideReference(name, messages, digest.text, rounds);
    console.log(Object.values(row).join(' | '));
    return row;
  });
}

function besideReference(name: string, messages: Messages, digest: string, rounds: number): BenchRow {
  const ids = Array.from({ length: messages.orders }, (_, serial) => String(serial));
  const { ours, reference } = inTurn(
    rounds,
    () => ourRun(messages),
    () => referenceRun(messages, ids),
  );
  for (const [round, { units }] of ours.entries()) {
    assert(units === reference[round]?.units, `${name}: both books traded the same units`);
  }
  const rates = ours.map(({ rate }) => rate);
  const others = reference.map(({ rate }) => rate);
  const each = ratios(rates, others);
  return {
    id: 'B19',
    what: `public kind, ${name}, digest ${digest}`,
    ours: `${median(rates).toFixed(2)} M/s of CPU time`,
    reference: `nodejs-order-book: ${median(others).toFixed(2)} M/s`,
    ratio: median(each).toFixed(2),
    spread: spreadOf(each),
    goal: `at least ${GOAL} times`,
    reached: median(each) >= GOAL,
  };
}

interface Run {
  /** Millions of messages a second. */
  readonly rate: number;
  readonly units: number;
}

function ourRun(messages: Messages): Run {
  const counted = new Counted();
  const book = new OurBook(messages, counted);
  keepFirst('ours', book);
  const rate = rateOf(messages, book);
  return { rate, units: counted.units };
}

function referenceRun(messages: Messages, ids: readonly string[]): Run {
  const book = new ReferenceBook(messages, ids);
  keepFirst('nodejs-order-book', book);
  const rate = rateOf(messages, book);
  return { rate, units: book.units };
}

function rateOf({ size }: Messages, book: { perform(at: number): void }): number {
  return (
    size /
    cpuTimedAlone(() => {
      for (let at = 0; at < size; at += 1) book.perform(at);
    })
  );
}

if (import.meta.main) {
  setLimitsForOrders();
  shapeRows(Number(process.argv[2] ?? 7), Number(process.argv[3] ?? MESSAGES));
}
