import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../../base/ids.ts';
import type { GatewayParts } from '../../deps.ts';
import type { Caller } from '../../operation.ts';
import { Turns } from '../../turns.ts';
import { searchScrips } from './search-scrips.ts';

const CALLER = { account: 1 as AccountId, op: 'searchScrips', from: { address: '' }, tokenDigest: '' } as Caller;

/** Parts in which each search takes as long as a whole turn of the event loop. */
function slowParts(note: (text: string) => void, listing: Promise<void> | undefined): GatewayParts {
  let now = 0;
  const turns = new Turns({ elapsed: () => now, afterTurn: (work) => void setImmediate(work) });
  const search = (text: string): [] => {
    now += 5;
    note(text);
    return [];
  };
  const engine = { now: () => 0 };
  return { turns, engine, instruments: { search }, contractLists: { ready: () => listing } } as unknown as GatewayParts;
}

const search = (parts: GatewayParts, stext: string) => searchScrips.run(parts, { userId: '', jKey: '', stext }, CALLER);

test('a search is done within the turn of its client, where its time is counted', () => {
  const seen: string[] = [];
  const parts = slowParts((text) => void seen.push(text), undefined);
  assert.equal(typeof search(parts, 'nifty'), 'string');
  assert.deepEqual(seen, ['nifty']);
});

test('searches that waited for the lists of contracts take turns with other clients', async () => {
  const seen: string[] = [];
  const listing = Promise.withResolvers<void>();
  const parts = slowParts((text) => void seen.push(text), listing.promise);
  const answers = ['a', 'b', 'c', 'd'].map((text) => search(parts, text));
  assert.equal(seen.length, 0);
  listing.resolve();
  await listing.promise;
  await undefined;
  parts.turns.take('another', () => void seen.push('another'));
  await Promise.all(answers);
  assert.deepEqual(
    seen.filter((text) => text !== 'another'),
    ['a', 'b', 'c', 'd'],
  );
  assert.ok(seen.indexOf('another') < seen.indexOf('c'), seen.join());
});
