import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import { Random } from '../../src/base/random.ts';
import { verifyJournal } from '../../src/journal/upkeep/verify.ts';
import {
  check,
  Ledger,
  lastPrice,
  logIn,
  type Row,
  restingOrder,
  trade,
  type Who,
} from '../process/kill/service-clients.ts';
import { StartedService, sauda } from '../process/start/started-service.ts';
import { changedSource } from './changed-source.ts';
import { scratchFolder, trials } from './trials.ts';

const running: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of running) child.kill('SIGKILL');
});
let service: StartedService;
let who: Who;

async function start(data: string, command?: readonly string[]): Promise<StartedService> {
  const started = await StartedService.start(data, {}, command);
  running.push(started);
  return started;
}

before(async () => {
  service = await start(`${scratch}/data`);
  who = await logIn(service, must(service.demoUsers().at(-1), 'there are demo users'));
});

const order = (remarks: string): Row => restingOrder(who, remarks);

/** How many orders the book shows with these words. */
async function shown(of: StartedService, remarks: string): Promise<number> {
  const { status, body } = await of.call('orderBook', { ...who });
  assert.equal(status, 200, JSON.stringify(body));
  return (body.data as Row[]).filter((row) => row.remarks === remarks).length;
}

/** A request as bytes, of which only a part may be sent. */
function bytesOf(remarks: string, headers = ''): Buffer {
  const body = JSON.stringify(order(remarks));
  const head = `POST /V1/placeOrder HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers}`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Sends a whole request, and breaks the connection off when its answer begins. */
async function sendWhole(bytes: Buffer): Promise<void> {
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1');
  socket.write(bytes);
  await once(socket, 'readable');
  socket.resetAndDestroy();
}

/** Sends bytes and breaks the connection off, before any answer is read. */
async function sendAndBreak(bytes: Buffer, waitMs: number): Promise<void> {
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  await sleep(waitMs);
  socket.resetAndDestroy();
}

describe('a client that breaks off (F27)', () => {
  it('has placed an order exactly when its request was whole, wherever it broke off', async (t) => {
    await trials(t, 'F27 connections broken off', 20, async (random, number) => {
      const remarks = `broken ${number}`;
      const bytes = bytesOf(remarks);
      const cut = number % 4 === 0 ? bytes.length : random.below(bytes.length);
      await sendAndBreak(bytes.subarray(0, cut), random.below(20));
      if (cut < bytes.length) assert.equal(await shown(service, remarks), 0, `cut at ${cut} of ${bytes.length}`);
      else assert.ok((await shown(service, remarks)) <= 1);
      return 1;
    });
  });

  it('is seen by the same look when all of a request came', async () => {
    await sendWhole(bytesOf('whole'));
    assert.equal(await shown(service, 'whole'), 1);
  });
});

describe('requests that come twice (F26)', () => {
  const twice = async (remarks: string, headers: string): Promise<number> => {
    const bytes = bytesOf(remarks, headers);
    await Promise.all([sendWhole(bytes), sendWhole(bytes), sendWhole(bytes)]);
    return shown(service, remarks);
  };

  it('place one order for each Idempotency-Key', async (t) => {
    await trials(t, 'F26 duplicates with a key', 3, async (_random, number) => {
      assert.equal(await twice(`keyed ${number}`, `idempotency-key: key-${number}\r\n`), 1);
      return 3;
    });
  });

  it('place an order each without a key, as the same look shows', async () => {
    assert.equal(await twice('unkeyed', ''), 3);
  });
});

describe('a process that is stopped for a while (F17)', () => {
  it('answers afterwards what waited, and does nothing twice for clients that asked again', async (t) => {
    await trials(t, 'F17 stopped and continued', 1, async (_random, number) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': `stopped-${number}` };
      const send = async (): Promise<string> => {
        const body = JSON.stringify(order(`stopped ${number}`));
        const response = await fetch(`${service.base}/placeOrder`, { method: 'POST', headers, body });
        return ((await response.json()) as { data: Row }).data.orderNumber ?? '';
      };
      service.child.kill('SIGSTOP');
      const first = send();
      await sleep(500);
      const second = send();
      await sleep(500);
      service.child.kill('SIGCONT');
      assert.equal(await first, await second);
      assert.equal(await shown(service, `stopped ${number}`), 1);
      return 2;
    });
  });
});

describe('two processes on one folder (F30)', () => {
  it('are one: the second is refused and says why', async () => {
    const second = await sauda(['start', '--data', service.data, '--port', '0', '--operator-port', '0']);
    assert.equal(second.code, 75, second.stderr);
    assert.match(second.stderr, /is in use: another running service writes to it/);
  });

  it('both run when the lock is taken away, as the same start shows', async () => {
    const root = changedSource(scratch, 'no-lock', [
      {
        file: 'src/journal/disk/writer-lock.ts',
        from: 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE',
        to: '',
      },
    ]);
    const second = await start(service.data, [process.execPath, `${root}/bin/sauda.mjs`]);
    assert.equal(await second.end('SIGKILL'), 'SIGKILL');
  });
});

/** An orderly end that takes longer ends at once. */
const LIMIT_MS = 4_500;

describe('an end by SIGTERM (F31)', () => {
  const data = `${scratch}/ended`;
  const clients: { readonly who: Who; readonly ledger: Ledger }[] = [];
  /** The start after an end is the service of the next end. */
  let loaded: StartedService;

  before(async () => {
    loaded = await start(data);
    for (const user of loaded.demoUsers()) clients.push({ who: await logIn(loaded, user), ledger: new Ledger() });
  });

  /**
   * Ends the service under load by signals, one after the other. In order means with code 0, and with its journal
   * closed unless time ran out.
   */
  async function endedInOrder(signals: readonly NodeJS.Signals[], context: string): Promise<boolean> {
    const venue = { service: loaded, last: await lastPrice(loaded, must(clients[0], 'there are clients').who) };
    let goOn = true;
    const trading = clients.map(({ who: client, ledger }) => trade(venue, client, new Random(1), ledger, () => goOn));
    await sleep(300);
    let code: number | string = '';
    const began = performance.now();
    for (const signal of signals) {
      const ended = loaded.end(signal);
      await Promise.race([ended, sleep(700)]);
      code = await Promise.race([ended, Promise.resolve('')]);
    }
    code = code === '' ? await loaded.end('SIGCONT') : code;
    const outOfTime = performance.now() - began > LIMIT_MS;
    goOn = false;
    await Promise.all(trading);
    const { damage, remark } = verifyJournal(data);
    assert.equal(damage, undefined, context);
    loaded = await start(data);
    for (const { who: client, ledger } of clients) await check(loaded, client, ledger, context);
    return code === 0 && (remark === undefined || outOfTime);
  }

  it('answers what was taken and closes the journal; a second signal and a kill lose nothing', async () => {
    assert.equal(await endedInOrder(['SIGTERM'], 'once'), true);
    await endedInOrder(['SIGTERM', 'SIGTERM', 'SIGKILL'], 'twice and a kill');
  });

  it('is seen not to be in order by the same check after a kill', async () => {
    assert.equal(await endedInOrder(['SIGKILL'], 'killed'), false);
  });
});
