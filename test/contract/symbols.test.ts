import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EpochMs } from '../../src/base/time.ts';
import { assertFailure } from './wire-checks.ts';
import { openWorld } from './world.ts';

test('symbol files of the four exchanges come as CSV without a session', async () => {
  const world = await openWorld();
  for (const exchange of ['NSE', 'BSE', 'NFO', 'BFO']) {
    const seen = await world.send('GET', `/V1/symbols/${exchange}?ref=firstock.in`, {});
    assert.equal(seen.status, 200);
    assert.match(String(seen.headers['content-type']), /^text\/csv/);
    assert.equal(seen.headers['x-market'], 'simulated');
    assert.match(seen.text, new RegExp(`^Exchange,Token\\n${exchange},`));
  }
  assertFailure(await world.send('GET', '/V1/symbols/MCX', {}), 404, 'NOT_FOUND', 'path');
  await world.close();
});

test('a symbol file is made anew in another minute, and no more often', async () => {
  let made = 0;
  const symbolFile = (): string => {
    made += 1;
    return `Exchange,Token\n${made}\n`;
  };
  const world = await openWorld({ symbolFile });
  const ask = async (exchange: string) => (await world.send('GET', `/V1/symbols/${exchange}`, {})).text.split('\n')[1];
  assert.deepEqual([await ask('NFO'), await ask('NFO'), await ask('BFO'), await ask('NFO')], ['1', '1', '2', '1']);
  world.now = (world.now + 60_000) as EpochMs;
  assert.deepEqual([await ask('NFO'), await ask('NFO')], ['3', '3']);
  await world.close();
});
