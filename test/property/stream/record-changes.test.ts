/**
 * The changes that sockets are handed, judged by a naive twin: it compares every row of every book before and after
 * each record of the golden journals, which hold commands of every kind.
 */

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { copyOf, type Order } from '../../../src/core/order.ts';
import type { DecisionPorts } from '../../../src/core/ports.ts';
import { limitsOf, ordersOf, positionFigures, positionsOf } from '../../../src/core/query.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import type { AccountEvent } from '../../../src/gateway/stream/account-change.ts';
import { accountOfOrder } from '../../../src/gateway/stream/account-events.ts';
import { concernOf } from '../../../src/gateway/stream/concern.ts';
import { changesOf } from '../../../src/gateway/stream/record-changes.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { acknowledged, journalPaths } from '../../../src/journal/upkeep/examine.ts';

const GOLDEN = join(import.meta.dirname, '../../process/journal/golden/v1');
const NO_PORTS = {} as DecisionPorts;
/** Any price will do: the market's moves are not of the record. */
const PRICE = 100_00 as Parameters<typeof positionFigures>[1];

/** Orders whose rows are compared beside each record: those that came last. */
const MOST_ORDERS = 50;

/** Every row of one account's books, by the name of the event that announces a change of it. */
function booksOf({ state, views }: Live, id: AccountId): Map<string, string> {
  const account = state.accounts.at(id);
  assert.ok(account);
  const rows = new Map<string, string>();
  for (const order of ordersOf(state, account)) {
    const { updatedAt: _, ...shown } = copyOf(order);
    rows.set(`order ${order.number}`, JSON.stringify([shown, views.history.ending(order.number)]));
  }
  const fills = views.trades.fillsOf(id);
  for (const fill of fills.slice(0, fills.length)) rows.set(`trade ${fill.trade}`, JSON.stringify(fill));
  for (const row of positionsOf(account, views.conversions.originsOf(id))) {
    const { mark: _, openBuyQuantity: _1, openBuyAmount: _2, openSellQuantity: _3, openSellAmount: _4, ...shown } = row;
    const figures = positionFigures(row, PRICE, views.lots.openAmountOf(id, row));
    rows.set(`position ${row.instrument} ${row.product}`, JSON.stringify([shown, figures]));
  }
  for (const alert of state.alerts.of(id)) rows.set(`alert ${alert.number}`, JSON.stringify(alert));
  for (const gtt of state.gtts.of(id)) rows.set(`gtt ${gtt.number}`, JSON.stringify(gtt));
  return rows.set('limit', JSON.stringify(limitsOf(account)));
}

/** The books of every account. Those after a record are those before the next one, so each is read once. */
function allBooks(live: Live): Map<AccountId, Map<string, string>> {
  return new Map(Array.from(live.state.accounts, ({ id }) => [id, booksOf(live, id)] as const));
}

/** Rows that are other or new. A row goes away as a day ends, and all are read again when the next one has begun. */
function changedBetween(before: Map<string, string>, after: Map<string, string>, dayEnds: boolean): string[] {
  const changed = [...after].filter(([name, row]) => before.get(name) !== row).map(([name]) => name);
  return dayEnds ? changed : [...changed, ...[...before.keys()].filter((name) => !after.has(name))];
}

/** The names of the rows of an order and of its trades. */
function rowsOfOrder({ views }: Live, { number, account }: Order): string[] {
  const fills = views.trades.fillsOf(account);
  const own = fills.slice(0, fills.length).filter((fill) => fill.order === number);
  return [`order ${number}`, ...own.map(({ trade }) => `trade ${trade}`)];
}

/** How often a record did not concern the rows that were asked for. */
let apart = 0;
/** The events of all journals, by their type. */
const counts = new Map<string, number>();

for (const name of readdirSync(GOLDEN)) {
  test(`every row that a record changed has an event, and every row of a new day: journal ${name}`, () => {
    const live = LIVE.empty();
    let after = allBooks(live);
    for (const group of acknowledged(REAL_DISK, journalPaths(join(GOLDEN, name))).groups(0)) {
      for (const record of decodeGroup(group)) {
        const before = after;
        live.fold(record);
        after = allBooks(live);
        const everybody = new Set(after.keys());
        const changes = changesOf(
          record,
          everybody,
          accountOfOrder({ glance: (ask) => ask(live.state, NO_PORTS, live.views) }),
        );
        for (const [id, books] of before) {
          const told = new Set<string>();
          for (const event of changes.find(({ account }) => account === id)?.events ?? []) {
            counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
            if (event.type === 'order') told.add(`order ${event.order}`);
            else if (event.type === 'trade') told.add(`trade ${event.traded.trade}`);
            else if (event.type === 'position') told.add(`position ${event.instrument} ${event.product}`);
            else if (event.type === 'alert') told.add(`alert ${event.alert}`);
            else if (event.type === 'gtt') told.add(`gtt ${event.gtt}`);
            else told.add(event.type);
          }
          if (told.has('day')) continue;
          const missed = changedBetween(
            books,
            must(after.get(id), 'accounts stay'),
            live.state.dayEnd !== undefined,
          ).filter((row) => !told.has(row));
          assert.deepEqual(missed, [], `record ${record.seq}, ${record.command.type}, account ${id}`);
        }
      }
    }
  });
}

test('the journals have many events of every kind', () => {
  for (const type of ['order', 'trade', 'position', 'limit']) assert.ok((counts.get(type) ?? 0) > 100, type);
});

for (const name of readdirSync(GOLDEN)) {
  test(`a record that does not concern rows changes none of them: journal ${name}`, () => {
    const live = LIVE.empty();
    const accountOf = accountOfOrder({ glance: (ask) => ask(live.state, NO_PORTS, live.views) });
    let after = allBooks(live);
    for (const group of acknowledged(REAL_DISK, journalPaths(join(GOLDEN, name))).groups(0)) {
      for (const record of decodeGroup(group)) {
        const before = after;
        const orders = [...live.state.orders.values()].slice(-MOST_ORDERS);
        const rows = new Map(orders.map((order) => [order.number, rowsOfOrder(live, order)] as const));
        live.fold(record);
        after = allBooks(live);
        const concerns = (account: AccountId, events: readonly AccountEvent[]): boolean => {
          const does = concernOf(account, events, accountOf)(record);
          if (!does) apart += 1;
          return does;
        };
        const said = `record ${record.seq}, ${record.command.type}`;
        for (const [id, books] of before) {
          if (!concerns(id, [{ type: 'limit' }])) assert.deepEqual(after.get(id), books, `${said}, account ${id}`);
        }
        for (const { number, account } of orders) {
          if (concerns(account, [{ type: 'order', order: number, steps: [] }])) continue;
          for (const row of rows.get(number) ?? []) {
            assert.equal(after.get(account)?.get(row), before.get(account)?.get(row), `${said}, ${row}`);
          }
        }
      }
    }
  });
}

test('the journals have many records that do not concern rows of others', () => {
  assert.ok(apart > 1_000, String(apart));
});
