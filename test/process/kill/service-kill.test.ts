import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { LAUNCHER, StartedService, temporaryFolder } from '../start/started-service.ts';
import {
  ask,
  check,
  convertedUnits,
  Ledger,
  lastPrice,
  logIn,
  type Row,
  restingOrder,
  trade,
} from './service-clients.ts';

/** How often the service is killed; 200 before a release. */
const KILLS = Number(process.env.SAUDA_KILLS ?? 3);
const MAX_LIFE_MS = 600;
/** The most lives of a service whose clients have not met every kind of command. */
const MOST_KILLS = 30;
/** The acknowledged commands of a client, by kind: placements, modifications, cancellations, conversions. */
const KINDS: readonly ((ledger: Ledger) => number)[] = [
  ({ placed }) => [...placed.values()].filter((number) => number !== undefined).length,
  ({ modified }) => modified.size,
  ({ cancelled }) => cancelled.size,
  ({ converted }) => converted,
];
/**
 * The largest file that a process may write, in blocks of 512 bytes: the journal begins below it and soon wants to grow
 * past it.
 */
const BLOCKS = 10_700;

const folders: { remove(): void }[] = [];
const services: StartedService[] = [];
after(async () => {
  for (const service of services) await service.end('SIGKILL');
  for (const folder of folders) folder.remove();
});

async function start(data: string): Promise<StartedService> {
  const service = await StartedService.start(data, { SAUDA_SNAPSHOT_RECORDS: '300' });
  services.push(service);
  return service;
}

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.path;
}

describe('the service that is killed', () => {
  it(`shows every client what was acknowledged to it, after each of ${KILLS} kills`, async (t) => {
    const seed = Number(process.env.SAUDA_KILL_SEED ?? 20261121);
    const random = new Random(seed);
    const data = newFolder();
    let service = await start(data);
    const clients = await Promise.all(
      service.demoUsers().map(async (user) => ({ who: await logIn(service, user), ledger: new Ledger() })),
    );
    const countOf = (count: (ledger: Ledger) => number): number =>
      clients.reduce((sum, { ledger }) => sum + count(ledger), 0);
    const isEveryKindMet = (): boolean => KINDS.every((count) => countOf(count) > 0);
    let kills = 0;
    // On a busy machine a life can be too short for some kind of command: then there are more lives.
    for (; kills < KILLS || (!isEveryKindMet() && kills < MOST_KILLS); kills += 1) {
      const context = `seed ${seed}, kill ${kills}`;
      let alive = true;
      const venue = { service, last: await lastPrice(service, must(clients[0], 'there are clients').who) };
      const trading = clients.map(({ who, ledger }) => trade(venue, who, random, ledger, () => alive));
      await sleep(random.below(MAX_LIFE_MS));
      alive = false;
      await service.end('SIGKILL');
      await Promise.all(trading);
      assert.equal(verifyJournal(data).damage, undefined, context);
      service = await start(data);
      for (const { who, ledger } of clients) {
        await check(service, who, ledger, context);
        const converted = await convertedUnits(service, who);
        assert.ok(
          converted >= ledger.converted && converted <= ledger.conversionsSent,
          `${context}: ${converted} converted`,
        );
      }
    }
    const told = clients.flatMap(({ ledger }) => [...ledger.placed.values()].filter((number) => number !== undefined));
    const [, modified, cancelled, converted] = KINDS.map(countOf);
    t.diagnostic(
      `${kills} kills: ${told.length} orders, ${modified} modified, ${cancelled} cancelled, ${converted} conversions, ` +
        `${clients.length} sessions acknowledged; ${verifyJournal(data).records} records; 0 lost, 0 twice, seed ${seed}`,
    );
    assert.equal(new Set(told).size, told.length);
    assert.ok(isEveryKindMet(), 'every kind was acknowledged');
    await service.end('SIGKILL');
  });

  it('ends with code 74 at the first write that fails, answers nothing after it, and starts again with all that it acknowledged', async () => {
    const data = newFolder();
    const limited = ['sh', '-c', `ulimit -f ${BLOCKS}; exec "$@"`, 'sh', process.execPath, LAUNCHER];
    const service = await StartedService.start(data, {}, limited);
    services.push(service);
    const who = await logIn(service, must(service.demoUsers().at(-1), 'there are demo users'));
    const told: string[] = [];
    for (let number = 1; number < 10_000; number += 1) {
      const reply = await ask(service, 'placeOrder', restingOrder(who, `order ${number}`));
      if (reply === undefined) break;
      told.push(`order ${number}`);
    }
    assert.equal(await service.end('SIGCONT'), 74, service.output);
    assert.match(service.output, /EFBIG/);
    const again = await start(data);
    const { body } = await again.call('orderBook', { ...who });
    const known = new Set((body.data as Row[]).map(({ remarks }) => remarks));
    assert.ok(told.length > 0);
    assert.deepEqual(
      told.filter((remarks) => !known.has(remarks)),
      [],
    );
    await again.end('SIGKILL');
  });

  it('ends with code 74 when the storage fails while nobody asks anything', async () => {
    const data = newFolder();
    const service = await start(data);
    const user = must(service.demoUsers().at(-1), 'there are demo users');
    // The start's note in the mark is flushed by then. The login's note is flushed within a second, into a file that
    // has no name any more.
    await sleep(1_500);
    rmSync(join(data, 'high-water-mark'));
    await logIn(service, user);
    for (let tries = 0; !/another process/.test(service.output) && tries < 200; tries += 1) await sleep(50);
    assert.equal(await service.end('SIGCONT'), 74, service.output);
  });
});
