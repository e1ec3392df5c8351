import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { openFileJournal } from '../../../src/journal/file-journal.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { scratchFolder } from '../../kit/journal/image.ts';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';

/**
 * A folder whose journal was written with one market goes on with another: events are applied, and the orders meet what
 * is there now.
 */

const GOLDEN = join(import.meta.dirname, 'golden', 'v1', 'trading');
const scratch = scratchFolder();
after(() => rmSync(scratch, { recursive: true }));

/** Far beyond every limit of the recorded orders, which are within a rupee of 100. */
const JUMPS = { higher: 20_00, lower: -20_00 } as const;

function open(live: Live) {
  return [...live.state.orders.values()].filter(({ status }) => status === 'Open');
}

for (const [name, jump] of Object.entries(JUMPS)) {
  describe(`a folder of a market whose prices are ${name} now`, () => {
    it('starts, fills the orders that the prices have passed at their limits or better, takes new orders and starts again', async () => {
      const folder = join(scratch, name);
      cpSync(GOLDEN, folder, { recursive: true });
      const journal = await openFileJournal({ folder });
      const { replica, head } = recover(journal, undefined, LIVE);
      const before = open(replica).map(({ number, side, terms }) => ({ number, side, limit: terms.price }));
      const passed = before.filter(({ side }) => (side === 'S') === jump > 0);
      assert.ok(passed.length > 0, 'there are orders that the prices have passed');

      let now = (replica.at + 1_000) as EpochMs;
      const engine = new Engine({
        live: replica,
        journal,
        ports: testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket(0, jump) }),
        clock: () => now,
        elapsed: () => 0,
        failStop: (error) => {
          throw error;
        },
      });
      for (let second = 0; second < 60; second += 1) {
        now = (now + 1_000) as EpochMs;
        engine.passSecond();
      }
      const placed = await engine.submit(
        unasked({
          type: 'PlaceOrder',
          account: 0 as AccountId,
          instrument: must(EQUITIES[0], 'a share').id,
          side: 'B',
          product: 'C',
          terms: {
            priceType: 'LMT',
            retention: 'DAY',
            quantity: 1 as Quantity,
            price: (100_00 + jump - 1_00) as Price,
            trigger: 0 as Price,
          },
          remarks: 'after',
        }),
      );
      assert.equal(placed.type, 'OrderPlaced');
      await engine.drain();
      for (const order of before) {
        const status = must(replica.state.orders.get(order.number), 'an order').status;
        assert.equal(status, passed.includes(order) ? 'Complete' : 'Open');
      }
      const limits = new Map(passed.map(({ number, limit }) => [number, limit]));
      readHistory(journal, { ...GENESIS, at: 0 }, (records) => {
        for (const event of records.flatMap(({ seq, events }) => (seq > head.seq ? events : []))) {
          if (event.type !== 'Traded') continue;
          const limit = must(
            limits.get(must(event.buy ?? event.sell, 'the side of a user').order),
            'only those orders trade',
          );
          assert.ok(jump > 0 ? event.price >= limit : event.price <= limit, `${event.price} for a limit of ${limit}`);
        }
      });
      await journal.close();
      const again = await openFileJournal({ folder });
      assert.equal(recover(again, undefined, LIVE).replica.hash(), replica.hash());
      await again.close();
    });
  });
}
