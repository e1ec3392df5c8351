import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY } from '../../../test/kit/money/listed.ts';
import { World } from '../../../test/kit/money/world.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { reloaded } from '../../../test/kit/stored-state.ts';
import { DAY_MS, type EpochMs, istDay } from '../../base/time.ts';
import { applyRecord } from '../apply.ts';
import { stateHash } from '../snapshot/hash.ts';
import { emptyState } from '../state.ts';
import { isKeyAboutToEnd, lastKeyDay } from './api-key.ts';

function opened() {
  const ports = testPorts();
  const world = new World(ports, FIRST_DAY);
  return { world, asha: world.user('ASHA', 0), ravi: world.user('RAVI', 0) };
}

test('an API key is valid for 365 days, the day of the registration included', () => {
  const { world, asha } = opened();
  const issued = istDay(world.at);
  assert.equal(world.account(asha).apiKeyIssuedOn, issued);
  assert.equal(lastKeyDay(world.account(asha)) - issued, 364);
});

test('a renewed key counts from the day of its renewal, and the one before is gone', () => {
  const { world, asha, ravi } = opened();
  const first = lastKeyDay(world.account(ravi));
  world.at = (world.at + 100 * DAY_MS) as EpochMs;
  const grounds = { by: 'desk', why: 'it ends' };
  world.submit({ type: 'RenewApiKey', account: asha, sealedCredentials: 'sealed again', ...grounds });
  const { sealedCredentials } = world.state.cards.read(world.account(asha).card);
  assert.deepEqual([sealedCredentials, lastKeyDay(world.account(asha)) - first], ['sealed again', 100]);
  assert.equal(lastKeyDay(world.account(ravi)), first, 'nobody else has another');
});

test('the day of a key is in the snapshot and in the replay', () => {
  const { world, asha } = opened();
  world.at = (world.at + 3 * DAY_MS) as EpochMs;
  world.submit({ type: 'RenewApiKey', account: asha, sealedCredentials: 'sealed again', by: 'desk', why: 'asked' });
  const replayed = emptyState();
  for (const record of world.records) applyRecord(replayed, record);
  assert.equal(stateHash(replayed), stateHash(world.state));
  const loaded = reloaded(world.state);
  assert.equal(loaded.accounts.at(asha)?.apiKeyIssuedOn, istDay(world.at));
});

test('keys are listed in their last days, not before and not after they have ended', () => {
  const { world, asha, ravi } = opened();
  const last = lastKeyDay(world.account(asha));
  const listed = (before: number) =>
    [...world.state.accounts]
      .filter((account) => isKeyAboutToEnd(account, (last - before) as typeof last, 7))
      .map(({ userId }) => userId);
  assert.deepEqual([listed(7), listed(6), listed(0), listed(-1)], [[], ['ASHA', 'RAVI'], ['ASHA', 'RAVI'], []]);
  world.at = (world.at + 100 * DAY_MS) as EpochMs;
  world.submit({ type: 'RenewApiKey', account: ravi, sealedCredentials: 'sealed again', by: 'desk', why: 'asked' });
  assert.deepEqual(listed(0), ['ASHA']);
});
