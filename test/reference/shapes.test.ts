/**
 * The five shapes of bench/book/shapes.ts in short: our book gives the reports of a book that shares no line with it.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { messagesOf, SHAPES } from '../../bench/book/shapes/messages.ts';
import { NaiveBook } from '../../bench/book/shapes/naive-book.ts';
import { OurBook } from '../../bench/book/shapes/our-book.ts';
import { Digest, type Reports } from '../../bench/book/shapes/reports.ts';
import { digestOf } from '../../bench/book/shapes.ts';

const MESSAGES = 20_000;

/** Reports of which one price in the middle of the run is a paisa too high. */
class OneWrong extends Digest {
  override traded(maker: number, taker: number, price: number, quantity: number): void {
    super.traded(maker, taker, this.trades === 1_000 ? price + 1 : price, quantity);
  }
}

for (const [name, path] of SHAPES) {
  test(`the reports on ${MESSAGES} messages, ${name}, are those of the naive book`, () => {
    const messages = messagesOf(23, MESSAGES, path());
    const ours = digestOf(messages, (reports) => new OurBook(messages, reports));
    const naive = digestOf(messages, (reports: Reports) => new NaiveBook(messages, reports));
    assert.deepEqual(ours, naive);
    assert.ok(ours.trades > MESSAGES / 20, `${ours.trades} trades`);
  });
}

test('one wrong price changes the digest of the reports', () => {
  const messages = messagesOf(23, MESSAGES, () => 1);
  const right = digestOf(messages, (reports) => new OurBook(messages, reports));
  const wrong = new OneWrong();
  const book = new OurBook(messages, wrong);
  for (let at = 0; at < messages.size; at += 1) book.perform(at);
  assert.notEqual(wrong.text, right.text);
  assert.equal(wrong.trades, right.trades);
});
