/**
 * Users who trade while their streams are cut at random and the service is killed: what each holds by the stream alone
 * equals its books at the end, row by row, and every event came once and in order. SAUDA_STREAM_ORDERS says how many
 * orders there are: 100,000 before a release.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId } from '../../src/base/ids.ts';
import { Random } from '../../src/base/random.ts';
import type { DecisionPorts } from '../../src/core/ports.ts';
import { LIVE } from '../../src/engine/live.ts';
import { accountOfOrder } from '../../src/gateway/stream/account-events.ts';
import { changesOf } from '../../src/gateway/stream/record-changes.ts';
import { logIn, type Who } from '../process/kill/service-clients.ts';
import { readRecords } from '../process/kill/told.ts';
import { type DemoUser, StartedService } from '../process/start/started-service.ts';
import { pricesOf, StreamTrader, type Venue } from './tools/stream-trader.ts';
import { scratchFolder, trials } from './trials.ts';

const ORDERS = Number(process.env.SAUDA_STREAM_ORDERS ?? 1_000);
const USERS = 50;
const KILLS = 5;

const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});

async function start(data: string): Promise<StartedService> {
  const service = await StartedService.start(data);
  services.push(service);
  return service;
}

async function operate(service: StartedService, path: string, body: object): Promise<unknown> {
  const response = await service.postToOperator(path, body);
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
}

/** Users with money, logged in. */
async function logInUsers(service: StartedService): Promise<Who[]> {
  const users: Who[] = [];
  for (let number = 0; number < USERS; number += 1) {
    const userId = `ST${String(number).padStart(4, '0')}`;
    const registration = { userId, name: userId, email: `${userId}@example.org`, totp: false };
    const user = (await operate(service, '/users', registration)) as DemoUser;
    await operate(service, `/users/${userId}/deposits`, { rupees: '10000000', opening: true });
    const who = await logIn(service, user);
    assert.notEqual(who.jKey, '', userId);
    users.push(who);
  }
  return users;
}

/** Kills the service when a part of the orders has been placed, and starts it again, several times. */
async function killAndRestart(venue: Venue, data: string): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    while (venue.left > ORDERS * (1 - kill / (KILLS + 1))) await sleep(10);
    const { service } = venue;
    venue.service = undefined;
    await service?.end('SIGKILL');
    venue.service = await start(data);
  }
}

/** All orders are placed under kills; then the books that the streams brought are compared with the answers. */
async function lives(venue: Venue, data: string, traders: readonly StreamTrader[]): Promise<StartedService> {
  await Promise.all([killAndRestart(venue, data), ...traders.map((trader) => trader.trade())]);
  await Promise.all(traders.map((trader) => trader.settle()));
  const { service } = venue;
  assert.ok(service);
  for (const trader of traders) {
    if (trader.failure !== undefined) throw trader.failure;
    const differing = trader.books.differences(await trader.answered(service));
    if (trader.gaps.length === 0) assert.deepEqual(differing, [], trader.who.userId);
  }
  return service;
}

/** Every event of each user in the journal, and the records that began a day. */
function journaled(data: string): { events: Map<string, string[]>; days: number[] } {
  const live = LIVE.empty();
  const accountOf = accountOfOrder({ glance: (query) => query(live.state, {} as DecisionPorts, live.views) });
  const everybody = new Set<AccountId>();
  const events = new Map<string, string[]>();
  const days: number[] = [];
  for (const record of readRecords(data)) {
    live.fold(record);
    for (const { id } of live.state.accounts) everybody.add(id);
    if (record.events.some(({ type }) => type === 'DayRolled')) days.push(record.seq);
    for (const { account, events: changes } of changesOf(record, everybody, accountOf)) {
      const userId = live.state.accounts.at(account)?.userId ?? '';
      const list = events.get(userId) ?? [];
      events.set(userId, list);
      for (const [index, { type }] of changes.entries())
        if (type !== 'day') list.push(`${type} ${record.seq}-${index}`);
    }
  }
  return { events, days };
}

function after(seq: number, events: readonly string[]): string[] {
  return events.filter((event) => Number(/ (\d+)-/.exec(event)?.[1]) > seq);
}

describe('streams that are cut, of a service that is killed', () => {
  it(`bring every event of ${ORDERS} orders by ${USERS} users once, and books that equal the answers`, async (t) => {
    await trials(t, 'streams cut and service killed', 1, async (random) => {
      const data = join(scratch, 'streams');
      const first = await start(data);
      const users = await logInUsers(first);
      const [user] = users;
      assert.ok(user);
      const venue: Venue = { service: first, prices: await pricesOf(first, user), left: ORDERS };
      const traders = users.map((who) => new StreamTrader(venue, who, 0, new Random(random.next())));
      const listening = traders.map((trader) => trader.listen());
      const service = await lives(venue, data, traders).finally(() => {
        venue.left = 0;
        for (const trader of traders) trader.end();
      });
      await Promise.all(listening);
      assert.equal(await service.end('SIGTERM'), 0, service.output);
      const { events, days } = journaled(data);
      let count = 0;
      for (const { who, books, gaps } of traders) {
        assert.deepEqual(
          gaps.filter((seq) => !days.includes(seq)),
          [],
          'only new days are gaps',
        );
        const lastGap = Math.max(0, ...gaps);
        assert.deepEqual(after(lastGap, books.events), after(lastGap, events.get(who.userId) ?? []), who.userId);
        count += books.events.length;
      }
      const cuts = traders.reduce((sum, trader) => sum + trader.cuts, 0);
      t.diagnostic(`${count} events, each once; ${cuts} cuts, ${KILLS} kills`);
      assert.ok(cuts >= USERS);
      return count;
    });
  });
});
