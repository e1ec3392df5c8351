import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import { logIn, SYMBOL, type Who } from '../process/kill/service-clients.ts';
import { LAUNCHER, StartedService } from '../process/start/started-service.ts';
import { type Change, changedSource } from './changed-source.ts';
import { Flood } from './tools/flood.ts';
import { longRun, scratchFolder, trials } from './trials.ts';

const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});
/** As many connections as one client may have, and how many new ones come when they are taken. */
const MOST = 50;
const NEW = 20;
/** All that the clients send is answered by then, and it is seen that they have gone. */
const SETTLED_MS = 1_000;
/** A busy machine takes longer. */
const PATIENCE_MS = 20_000;
/** Idle connections keep their places, and loopback is one client. */
const KEPT: readonly Change[] = [
  {
    file: 'src/gateway/http/connections/connection-quota.ts',
    from: 'const { idleSince } = connection;',
    to: 'const idleSince = undefined as number | undefined;',
  },
  { file: 'src/gateway/http/connections/connection-gate.ts', from: 'return !this.isShared ||', to: 'return true ||' },
];

interface Started {
  readonly service: StartedService;
  readonly greedy: Who;
  readonly modest: Who;
}

async function start(name: string, changes: readonly Change[] = []): Promise<Started> {
  const root = changes.length === 0 ? undefined : changedSource(scratch, name, changes);
  const command = [process.execPath, root === undefined ? LAUNCHER : join(root, 'bin', 'sauda.mjs')];
  const settings = { SAUDA_CONNECTIONS_PER_ADDRESS: String(MOST) };
  const service = await StartedService.start(join(scratch, `${name}-data`), settings, command);
  services.push(service);
  const [first, second] = service.demoUsers();
  const greedy = await logIn(service, must(first, 'there are demo users'));
  return { service, greedy, modest: await logIn(service, must(second, 'there are two')) };
}

/** Asks on a new connection; resolves with the status, 0 when the connection ended without an answer. */
function ask(url: string, body?: object): Promise<number> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const asked = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false });
    asked.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', () => resolve(0));
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function price(who: Who): string {
  const body = JSON.stringify({ ...who, ...SYMBOL });
  const head = 'POST /V1/getQuote/ltp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
  return `${head}content-length: ${body.length}\r\n\r\n${body}`;
}

/** Fills the room of whoever sends `bytes`, then lets others come; gives the statuses of their answers. */
async function statusesBeside({ service, greedy, modest }: Started, bytes: readonly string[]): Promise<Set<number>> {
  const port = Number(new URL(service.base).port);
  const crowd = await Flood.open({ port, tls: false, connections: MOST, reads: true, bytes });
  const statuses = new Set<number>();
  try {
    await crowd.send();
    await sleep(SETTLED_MS);
    // A connection makes room once it is idle.
    const alive = `${new URL(service.base).origin}/livez`;
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end && (await ask(alive)) !== 200; ) {
      await sleep(100);
    }
    for (let count = 0; count < NEW; count += 1) {
      statuses.add(await ask(alive));
      for (const who of [modest, greedy])
        statuses.add(await ask(`${service.base}/getQuote/ltp`, { ...who, ...SYMBOL }));
    }
  } finally {
    await crowd.end();
    await sleep(SETTLED_MS);
  }
  return statuses;
}

describe('a client that fills its room with idle connections (F35)', () => {
  const half = 'POST /V1/limit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
  const strange = ['', half, `${half}content-length: 9\r\n\r\n{`, 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n'];

  it('keeps nobody out, not even itself', async (t) => {
    const started = await start('idle');
    await trials(t, 'F35 idle connections', 1, async () => {
      assert.deepEqual(await statusesBeside(started, strange), new Set([200]));
      assert.deepEqual(await statusesBeside(started, [price(started.greedy)]), new Set([200]));
      return 2 * MOST;
    });
    await started.service.end('SIGKILL');
  });

  longRun('is seen by the same check to keep everybody of its address out when idle connections are kept', async () => {
    const started = await start('kept', KEPT);
    for (const bytes of [strange, [price(started.greedy)]]) {
      const statuses = await statusesBeside(started, bytes);
      assert.ok(!statuses.has(200) && statuses.size > 0, Array.from(statuses).join(' '));
    }
    await started.service.end('SIGKILL');
  });
});
