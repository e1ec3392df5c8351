import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { EpochMs } from '../../../src/base/time.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { openWorld } from '../../kit/wire/world.ts';

test('symbol files of the four exchanges and of index derivatives come as CSV without a session', async () => {
  const world = await openWorld();
  for (const exchange of ['NSE', 'BSE', 'NFO', 'BFO', 'Indices']) {
    const seen = await world.send('GET', `/V1/symbols/${exchange}?ref=firstock.in`, {});
    assert.equal(seen.status, 200);
    assert.match(String(seen.headers['content-type']), /^text\/csv/);
    assert.equal(seen.headers['x-market'], 'simulated');
    assert.equal(seen.headers['cache-control'], 'no-store');
    assert.equal(seen.headers['x-content-type-options'], 'nosniff');
    assert.match(seen.text, new RegExp(`^Exchange,Token\\n${exchange},`));
  }
  assertFailure(await world.send('GET', '/V1/symbols/MCX', {}), 404, 'NOT_FOUND', 'path');
  await world.close();
});

test('a symbol file is made again in another minute, and no more often', async () => {
  let made = 0;
  const symbolLines = (): string[] => {
    made += 1;
    return ['Exchange,Token', String(made)];
  };
  const world = await openWorld({ symbolLines });
  const ask = async (exchange: string) => (await world.send('GET', `/V1/symbols/${exchange}`, {})).text.split('\n')[1];
  assert.deepEqual([await ask('NFO'), await ask('NFO'), await ask('BFO'), await ask('NFO')], ['1', '1', '2', '1']);
  world.now = (world.now + 60_000) as EpochMs;
  assert.deepEqual(await Promise.all([ask('NFO'), ask('NFO'), ask('NFO')]), ['3', '3', '3']);
  await world.close();
});

test('a symbol file is whole whatever changed since the one before', async () => {
  const row = (number: number): string => `NFO,${number}`;
  const many = Array.from({ length: 2_600 }, (_, number) => row(number));
  const versions = [
    many,
    many,
    many.with(1_700, row(-1)),
    many.toSpliced(0, 1),
    many.slice(0, 2_000),
    many.slice(0, 1_999),
    [],
    many,
  ];
  let lines: readonly string[] = [];
  const world = await openWorld({ symbolLines: () => lines });
  for (lines of versions) {
    const { status, text } = await world.send('GET', '/V1/symbols/NFO', {});
    assert.equal(status, 200);
    assert.equal(text, lines.map((line) => `${line}\n`).join(''));
    world.now = (world.now + 60_000) as EpochMs;
  }
  await world.close();
});

test('others are answered while a symbol file is written', async () => {
  const total = 1_000_000;
  let made = 0;
  function* symbolLines(): Generator<string> {
    for (; made < total; made += 1) yield `NFO,${made}`;
  }
  const world = await openWorld({ symbolLines });
  const file = world.send('GET', '/V1/symbols/NFO', {});
  while (made === 0) await setImmediate();
  assert.equal((await world.send('GET', '/livez', {})).status, 200);
  assert.ok(made < total, `${made} lines were written`);
  assert.equal((await file).text.split('\n').length, total + 1);
  await world.close();
});

test('a master that fails to give its symbols is a failure of our own, and is asked again', async () => {
  let fails = true;
  const symbolLines = (): string[] => {
    if (fails) throw new Error('no such day');
    return ['Exchange,Token'];
  };
  const world = await openWorld({ symbolLines });
  assertFailure(await world.send('GET', '/V1/symbols/NFO', {}), 500, 'INTERNAL_SERVER_ERROR', 'server');
  assert.equal(world.failures.length, 1);
  fails = false;
  assert.equal((await world.send('GET', '/V1/symbols/NFO', {})).status, 200);
  await world.close();
});
