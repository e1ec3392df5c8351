import assert from 'node:assert/strict';
import test from 'node:test';
import type { OrderNumber } from '../../../base/ids.ts';
import { Random } from '../../../base/random.ts';
import type { Side } from '../../order.ts';
import { Book } from '../book/book.ts';
import { Floor } from '../book/floor-fixture.ts';

/** A book of users alone as a plain list. Each question looks at all of it, and each order sorts it again. */
interface Row {
  readonly number: number;
  readonly account: number;
  readonly side: Side;
  readonly price: number;
  left: number;
}

function modelTrades(rows: Row[], incoming: Row, rests: boolean): string[] {
  const sign = incoming.side === 'B' ? 1 : -1;
  const others = rows
    .filter((row) => row.side !== incoming.side && (incoming.price - row.price) * sign >= 0)
    .sort((a, b) => (a.price - b.price) * sign);
  const trades: string[] = [];
  for (const row of others) {
    if (incoming.left === 0) break;
    if (row.account === incoming.account) {
      row.left = 0;
      continue;
    }
    const units = Math.min(row.left, incoming.left);
    row.left -= units;
    incoming.left -= units;
    trades.push(`${row.price} x ${units}`);
  }
  if (rests && incoming.left > 0) rows.push(incoming);
  rows.splice(0, rows.length, ...rows.filter((row) => row.left > 0));
  return trades;
}

function compare(floor: Floor, rows: readonly Row[], where: string): void {
  for (const side of ['B', 'S'] as const) {
    const sign = side === 'B' ? -1 : 1;
    const expected = rows.filter((row) => row.side === side).sort((a, b) => (a.price - b.price) * sign);
    const { orders } = floor.book.store;
    const found = Array.from(floor.book.ordersOf(side), (at) => [orders.number(at), orders.remaining(at)]);
    assert.deepEqual(
      found,
      expected.map(({ number, left }) => [number, left]),
      where,
    );
  }
}

function run(seed: number): void {
  const random = new Random(seed);
  const floor = new Floor();
  const rows: Row[] = [];
  for (let step = 0; step < 400; step += 1) {
    const where = `seed ${seed}, step ${step}`;
    const row = rows[random.below(Math.max(1, rows.length))];
    if (row === undefined || random.below(10) < 6) {
      const side = random.below(2) === 0 ? 'B' : 'S';
      const wish = {
        account: random.below(4),
        side,
        price: random.between(90, 110),
        left: random.between(1, 30),
      } as const;
      const ioc = random.below(5) === 0;
      const number = floor.place(wish.account, side, wish.price, wish.left, ioc ? { retention: 'IOC' } : {});
      assert.deepEqual(floor.trades(), modelTrades(rows, { ...wish, number }, !ioc), where);
    } else if (random.below(2) === 0) {
      floor.cancel(row.number as OrderNumber);
      rows.splice(rows.indexOf(row), 1);
    } else {
      replaceBoth(floor, rows, row, random, where);
    }
    compare(floor, rows, where);
    if (step % 50 === 0) floor.book = Book.load(JSON.parse(JSON.stringify(floor.book.dump())));
  }
}

function replaceBoth(floor: Floor, rows: Row[], row: Row, random: Random, where: string): void {
  const { filled, terms } = floor.order(row.number as OrderNumber);
  const quantity = filled + random.between(1, 30);
  const price = random.below(2) === 0 ? row.price : random.between(90, 110);
  const keeps = price === row.price && quantity <= terms.quantity;
  floor.replace(row.number as OrderNumber, { quantity, price });
  if (keeps) {
    row.left = quantity - filled;
    assert.deepEqual(floor.types(), ['OrderReplaced'], where);
    return;
  }
  rows.splice(rows.indexOf(row), 1);
  assert.deepEqual(floor.trades(), modelTrades(rows, { ...row, price, left: quantity - filled }, true), where);
}

test('users alone trade as in a plain list, also after dumps and loads', () => {
  for (let seed = 1; seed <= 40; seed += 1) run(seed);
});
