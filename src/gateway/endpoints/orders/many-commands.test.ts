import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Command } from '../../../core/command.ts';
import type { Reply } from '../../../core/reply.ts';
import { type Submission, Unavailable } from '../../../engine/port.ts';
import type { GatewayParts } from '../../deps.ts';
import type { Caller } from '../../operation.ts';
import { Turns } from '../../turns.ts';
import { submitEach } from './many-commands.ts';

const CALLER = { account: 1 as AccountId, op: 'cancelAllOrders', from: { address: '' }, tokenDigest: '' } as Caller;
const COMMANDS = [1, 2, 3, 4].map((order): Command => {
  return { type: 'CancelOrder', account: CALLER.account, order: order as OrderNumber };
});

/** Parts in which each command takes as long as a whole turn of the event loop. */
function slowParts(note: (text: string) => void, answer: (order: number) => Promise<Reply>): GatewayParts {
  let now = 0;
  const turns = new Turns({ elapsed: () => now, afterTurn: (work) => void globalThis.setImmediate(work) });
  const submit = ({ command }: Submission): Promise<Reply> => {
    assert.ok(command.type === 'CancelOrder');
    now += 5;
    note(`order ${command.order}`);
    return answer(command.order);
  };
  return { turns, engine: { submit } } as unknown as GatewayParts;
}

const done = (order: number): Reply => ({ type: 'OrderCancelled', order: order as OrderNumber, at: 0 as never });

test('the commands of one request go in their order, and the work of others between them', async () => {
  const seen: string[] = [];
  const parts = slowParts(
    (text) => void seen.push(text),
    async (order) => done(order),
  );
  const all = submitEach(parts, CALLER, COMMANDS);
  parts.turns.take('another', () => void seen.push('another'));
  const outcomes = await all;
  assert.deepEqual(
    outcomes.map((outcome) => 'order' in outcome && outcome.order),
    [1, 2, 3, 4],
  );
  const orders = seen.filter((text) => text !== 'another');
  assert.deepEqual(orders, ['order 1', 'order 2', 'order 3', 'order 4']);
  assert.ok(seen.indexOf('another') < seen.indexOf('order 4'), seen.join());
});

test('a command that the engine took none of is an outcome, and the others go on', async () => {
  const full = new Unavailable('full');
  const parts = slowParts(
    () => undefined,
    (order) => (order === 2 ? Promise.reject(full) : Promise.resolve(done(order))),
  );
  const outcomes = await submitEach(parts, CALLER, COMMANDS);
  assert.equal(outcomes[1], full);
  assert.equal(outcomes.filter((outcome) => outcome instanceof Unavailable).length, 1);
});

test('a failure of the service is met where the outcomes are awaited', async () => {
  const parts = slowParts(
    () => undefined,
    (order) => (order === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(done(order))),
  );
  const all = submitEach(parts, CALLER, COMMANDS);
  all.catch(() => undefined);
  await setImmediate();
  await assert.rejects(all, /broken/);
});
