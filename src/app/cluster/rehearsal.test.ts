import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, NIFTY, RELIANCE, SENSEX } from '../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../test/kit/money/still-market.ts';
import { placement, rupees, World } from '../../../test/kit/money/world.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import type { Price } from '../../base/money.ts';
import type { PlaceOrder } from '../../core/command.ts';
import { stateHash } from '../../core/snapshot/hash.ts';
import { Rehearsal } from './rehearsal.ts';

/** A market that counts how often the book of the share is asked for, and can fail. */
class AskedMarket extends StillMarket {
  asked = 0;
  fails = false;

  override depth(...given: Parameters<StillMarket['depth']>): ReturnType<StillMarket['depth']> {
    this.asked += 1;
    if (this.fails) throw new Error('a defect');
    return super.depth(...given);
  }
}

function scene() {
  const market = new AskedMarket();
  for (const { id } of [RELIANCE, NIFTY, SENSEX]) {
    market.quotes.set(id, { bid: 100_00, ask: 100_00, last: 100_00, close: 100_00 });
  }
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', rupees(100_000));
  const order: PlaceOrder = {
    ...placement({ by, of: RELIANCE.id, side: 'B', units: 1, at: 100_00 as Price }),
    idempotency: { key: 'k1', bodyDigest: 'd1' },
  };
  const rehearsal = new Rehearsal();
  const run = (): void => rehearsal.run(world.state, ports, world.at);
  return { market, world, order, rehearsal, run };
}

test('a placement that was read is decided again, to its end although its key was answered, and changes nothing', () => {
  const { market, world, order, rehearsal, run } = scene();
  run();
  assert.equal(market.asked, 0);
  world.submit(order);
  rehearsal.note(order);
  market.asked = 0;
  const before = stateHash(world.state);
  run();
  run();
  assert.ok(market.asked >= 2, `asked ${market.asked} times`);
  assert.equal(stateHash(world.state), before);
});

test('one review of a ban is decided in vain each time, until each share had one on that day', () => {
  const { market, world } = scene();
  const reviewed: number[] = [];
  const ports = testPorts({
    market: Object.assign(Object.create(market) as AskedMarket, {
      marketWidePositions: (share: number) => {
        reviewed.push(share);
        return undefined;
      },
    }),
  });
  const rehearsal = new Rehearsal(() => [RELIANCE.id, NIFTY.id]);
  for (let run = 0; run < 3; run += 1) rehearsal.run(world.state, ports, world.at);
  assert.deepEqual(reviewed, [RELIANCE.id, NIFTY.id]);
});

test('a rehearsal that fails is dropped, and ends nothing', () => {
  const { market, order, rehearsal, run } = scene();
  rehearsal.note(order);
  market.fails = true;
  run();
  market.fails = false;
  market.asked = 0;
  run();
  assert.equal(market.asked, 0);
});
