import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY } from '../../../../test/kit/money/listed.ts';
import { World } from '../../../../test/kit/money/world.ts';
import { withOperatorPort } from '../../../../test/kit/operator-port.ts';
import { testPorts } from '../../../../test/kit/ports.ts';
import { worldEngine } from '../../../../test/kit/world-engine.ts';
import type { Tick } from '../../../base/ids.ts';
import { formatIsoDay, formatIstMoment, type WallMs } from '../../../base/time.ts';
import type { MarketData } from '../../../core/market.ts';
import { StatusOperations, type StatusReport } from './status-operations.ts';

const FOLDER = { count: 1, bytes: 64, newest: [{ name: 'a', bytes: 64, changedAt: 5 }] };
const FILES = { segments: FOLDER, snapshots: FOLDER, trail: FOLDER };
const FACTS = { market: 'synthetic', seed: 7, hours: 'always', data: '/data' };
const SOCKETS = {
  open: 2,
  subscriptions: 3,
  instruments: 3,
  waitingBytes: 0,
  frames: 10,
  bytes: 100,
  received: 4,
  conflated: 0,
  delays: { boundsMs: [1], counts: [3, 0], sumMs: 1 },
  cutOff: { slow: 1 },
};

function statusOf(world: World, missing: readonly string[]): StatusOperations {
  const market = {
    tickAt: (at: number) => Math.floor(at / 1000) as Tick,
    session: () => ({ phase: 'Continuous' }),
  } as unknown as MarketData;
  return new StatusOperations({
    engine: worldEngine(world),
    engineStatus: () => ({
      lastSeq: 12,
      durableSeq: 11,
      waiting: 1,
      groups: 5,
      lastCommitMs: 2,
      longestCommitMs: 9,
      stalledMs: 0,
      unavailable: undefined,
      held: 0,
      marketLag: 1,
      ticksLeftOut: 0,
      timeLostMs: 0,
    }),
    head: () => ({ seq: 11, hash: 'ab' }),
    market,
    readiness: () => missing,
    files: async () => FILES,
    loopDelay: () => ({ middle: 0.1, p99: 2, longest: 9 }),
    sockets: () => SOCKETS,
    connections: () => ({ open: 4, turnedAway: 1, letGo: 0 }),
    refused: () => 3,
    wall: () => (world.at - 60_000) as WallMs,
    instruments: async () => 9,
    facts: FACTS,
  });
}

test('the status says whether the service is ready, and shows clock, phases, load, journal, wire and books', async () => {
  const world = new World(testPorts(), FIRST_DAY);
  world.user('ASHA', 0);
  world.submit({ type: 'SetSwitch', target: { kind: 'Halt', exchange: 'BSE' }, on: true, by: 'desk', why: 'a drill' });
  await withOperatorPort(
    () => ({ status: statusOf(world, ['the disk is full']) }),
    {},
    async ({ get, address, run }) => {
      const report = (await (await get('/status')).json()) as StatusReport;
      assert.deepEqual(report.missing, ['the disk is full']);
      assert.deepEqual(
        [report.clock.market, report.clock.tradingDay, report.clock.apartSeconds, report.clock.dayEnd],
        [formatIstMoment(world.at), formatIsoDay(FIRST_DAY), 60, ''],
      );
      assert.deepEqual(
        report.clock.phases.map(({ exchange, phase }) => `${exchange} ${phase}`),
        ['NSE Continuous', 'BSE Halted', 'NFO Continuous', 'BFO Continuous'],
      );
      assert.deepEqual([report.journal.lastSeq, report.journal.durableSeq, report.journal.hash], [12, 11, 'ab']);
      assert.deepEqual(
        [report.journal.files, report.wire.sockets, report.facts],
        [FILES, SOCKETS, { ...FACTS, instruments: 9 }],
      );
      assert.deepEqual([report.books.accounts, report.books.switches], [1, 1]);
      assert.equal(report.load.requestsRefused, 3);
      assert.equal((await fetch(`${address}/status`)).status, 401);
      assert.match(
        await run('status'),
        /^not ready: the disk is full\nmarket time .*\n[\s\S]*journal +record 12, durable 11/,
      );
    },
  );
});
