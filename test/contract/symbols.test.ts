import assert from 'node:assert/strict';
import { test } from 'node:test';
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
