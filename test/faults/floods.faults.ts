import assert from 'node:assert/strict';
import { chmodSync, copyFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import { logIn, SYMBOL, type Who } from '../process/kill/service-clients.ts';
import { LAUNCHER, PROJECT, StartedService } from '../process/start/started-service.ts';
import { type Change, changedSource } from './changed-source.ts';
import { Flood, type FloodOrder, type Waits, waitsOf } from './tools/flood.ts';
import { MemoryLimit } from './tools/memory-limit.ts';
import { longRun, scratchFolder, trials } from './trials.ts';

const services: StartedService[] = [];
const agents: Agent[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});
after(() => {
  for (const agent of agents) agent.destroy();
});
const GIBIBYTE = 1024 ** 3;
/** How long others are watched after a flood has begun. */
const WATCHED_MS = 6_000;
/** Beside other work on the machine; each control holds others up for longer. In milliseconds. */
const LONGEST_STALL_MS = 1_500;
const MOST_P99_MS = 400;
/** Floods in a row. Other work of the machine holds others up too, but seldom in each of them. */
const LOOKS = 3;
/** The clients of a flood have gone after this time. */
const GONE_MS = 1_000;
/** No client's document or answer is bounded, and each is sent in one piece. */
const UNBOUNDED: readonly Change[] = [
  {
    file: 'src/gateway/http/downloads.ts',
    from: '{ most: 32 * READER_BYTES, mostOfOne: 16 * READER_BYTES }',
    to: '{ most: 1e12, mostOfOne: 1e12 }',
  },
  { file: 'src/gateway/http/long-reply.ts', from: 'PIECE_BYTES = 128 *', to: 'PIECE_BYTES = 1e6 *' },
  { file: 'src/gateway/turns.ts', from: 'TURN_MS = 3', to: 'TURN_MS = 1e9' },
];
const NO_TURNS: readonly Change[] = [
  { file: 'src/gateway/turns.ts', from: 'TURN_MS = 3', to: 'TURN_MS = 1e9' },
  { file: 'src/gateway/http/metered-reads.ts', from: 'PIECE_BYTES = 1_024', to: 'PIECE_BYTES = 1e9' },
];
const NO_ROOMS: readonly Change[] = [
  {
    file: 'src/gateway/http/answer-memory.ts',
    from: '{ most: 64 * MEBIBYTE, mostOfOne: 32 * MEBIBYTE }',
    to: '{ most: 1e12, mostOfOne: 1e12 }',
  },
];

interface Started {
  readonly service: StartedService;
  /** The client that floods, and another one. */
  readonly greedy: Who;
  readonly modest: Who;
}

function bytesOf(path: string, fields: object): string {
  const body = JSON.stringify(fields);
  const head = `POST /V1/${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The longest answer there is: 12 MB. */
function candles(who: Who): string {
  const range = { startTime: '00:00:00 01-09-2026', endTime: '10:00:00 09-11-2026', interval: '1mi' };
  return bytesOf('timePriceSeries', { ...who, exchange: 'NSE', tradingSymbol: 'ITC-EQ', ...range });
}

/** Symbol files as clients ask for them in one way or another. */
const FILE_REQUESTS = [
  'GET /V1/symbols/BFO HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /V1/symbols/BFO HTTP/1.1\r\nhost: localhost\r\nrange: bytes=0-9\r\naccept-encoding: gzip\r\n\r\n',
  'GET /V1/symbols/BFO HTTP/1.1\r\nhost: localhost\r\nif-none-match: "1"\r\nif-modified-since: Mon, 23 Nov 2026 00:00:00 GMT\r\n\r\n',
  'GET /V1/symbols/BFO HTTP/1.0\r\n\r\n',
  'GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n',
];

/** Asks one question on a connection of its own that is kept; resolves with whether it is answered 200. */
function asker(url: string, body?: object): () => Promise<boolean> {
  const secure = url.startsWith('https:');
  const agent = secure ? undefined : new Agent({ keepAlive: true, maxSockets: 1 });
  if (agent !== undefined) agents.push(agent);
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length };
  const options = { method: body === undefined ? 'GET' : 'POST', headers, rejectUnauthorized: false };
  return () =>
    new Promise((resolve) => {
      const asked = secure ? requestTls(url, options) : request(url, { ...options, agent });
      asked.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200));
      });
      asked.on('error', () => resolve(false));
      asked.end(text);
    });
}

async function start(
  name: string,
  changes: readonly Change[] = [],
  settings = {},
  limit?: MemoryLimit,
): Promise<Started> {
  const root = changes.length === 0 ? undefined : changedSource(scratch, name, changes);
  const command = [process.execPath, root === undefined ? LAUNCHER : join(root, 'bin', 'sauda.mjs')];
  const around = limit === undefined ? command : limit.around(command);
  const service = await StartedService.start(join(scratch, `${name}-data`), settings, around);
  services.push(service);
  if (service.base.startsWith('https:')) return { service, greedy: NOBODY, modest: NOBODY };
  const [first, second] = service.demoUsers();
  const greedy = await logIn(service, must(first, 'there are demo users'));
  return { service, greedy, modest: await logIn(service, must(second, 'there are two')) };
}

const NOBODY: Who = { userId: '', jKey: '' };

interface Seen {
  readonly statuses: Readonly<Record<string, number>>;
  readonly alive: Waits;
  readonly operator: Waits;
  readonly user: Waits | undefined;
}

/** Floods a service and watches what others wait meanwhile. */
async function flood({ service, modest }: Started, order: Omit<FloodOrder, 'port' | 'tls'>): Promise<Seen> {
  const url = new URL(service.base);
  const crowd = await Flood.open({ port: Number(url.port), tls: url.protocol === 'https:', ...order });
  try {
    const over = crowd.send().then(() => sleep(WATCHED_MS));
    const [alive, operator, user] = await Promise.all([
      waitsOf(asker(`${url.origin}/livez`), over),
      waitsOf(asker(`${service.operator}/livez`), over),
      modest === NOBODY ? undefined : waitsOf(asker(`${service.base}/getQuote/ltp`, { ...modest, ...SYMBOL }), over),
    ]);
    return { statuses: await crowd.statuses(), alive, operator, user };
  } finally {
    await crowd.end();
  }
}

/**
 * Floods a service, and again when others waited for too long, which fails when they did so each time. Gives what was
 * seen last.
 */
async function held(
  t: TestContext,
  what: string,
  started: Started,
  order: Omit<FloodOrder, 'port' | 'tls'>,
  check: (seen: Seen) => void,
): Promise<Seen> {
  for (let look = 1; ; look += 1) {
    const seen = await flood(started, order);
    say(t, what, seen);
    try {
      check(seen);
      return seen;
    } catch (error) {
      if (look === LOOKS) throw error;
      await sleep(GONE_MS);
    }
  }
}

function say(t: TestContext, what: string, { statuses, alive, operator, user }: Seen): void {
  const words = [alive, operator, ...(user ? [user] : [])].map(
    ({ longest, p99, refused }) => `${Math.round(longest)} ms (p99 ${Math.round(p99)}, ${refused} refused)`,
  );
  t.diagnostic(
    `${what}: longest waits of /livez, of the operator's and of a user: ${words.join('; ')}; ${JSON.stringify(statuses)}`,
  );
}

function checkStall({ alive, operator, user }: Seen): void {
  const longest = Math.max(alive.longest, operator.longest, user?.longest ?? 0);
  assert.ok(longest <= LONGEST_STALL_MS, `others wait for ${Math.round(longest)} ms`);
}

/**
 * Many requests of the greedy user may be refused at once, so that few of another's waits are long: both are bounded.
 */
function checkWaits({ user }: Seen): void {
  const { p99, longest } = must(user, 'a user was watched');
  assert.ok(p99 <= MOST_P99_MS, `the p99 of another user is ${Math.round(p99)} ms`);
  assert.ok(longest <= LONGEST_STALL_MS, `the longest wait of another user is ${Math.round(longest)} ms`);
}

describe('clients that ask for symbol files and read nothing (F35)', () => {
  const files = (connections: number) => ({ connections, reads: false, bytes: FILE_REQUESTS });

  it('hold nobody up, and those who are too many are refused', async (t) => {
    const started = await start('files');
    await trials(t, 'F35 floods of symbol files', 1, async () => {
      for (const connections of [200, 900]) {
        const seen = await held(t, `${connections} connections`, started, files(connections), checkStall);
        assert.ok((seen.statuses['503'] ?? 0) >= connections - 64, JSON.stringify(seen.statuses));
        assert.ok((seen.statuses['200'] ?? 0) >= 16, 'some are served');
      }
      return 1_100;
    });
    assert.equal(await asker(`${started.service.base}/symbols/NFO`)(), true, 'whoever comes later is served');
    await started.service.end('SIGKILL');
  });

  it('hold nobody up over TLS', async (t) => {
    const [cert, key] = ['cert', 'key'].map((part) => {
      const copy = join(scratch, `${part}.pem`);
      copyFileSync(join(PROJECT, `test/kit/tls/only-for-tests.${part}.pem`), copy);
      chmodSync(copy, 0o600);
      return copy;
    }) as [string, string];
    const started = await start('tls', [], { SAUDA_TLS_CERT: cert, SAUDA_TLS_KEY: key });
    const seen = await held(t, '200 connections over TLS', started, files(200), checkStall);
    assert.ok((seen.statuses['503'] ?? 0) >= 200 - 64, JSON.stringify(seen.statuses));
    await started.service.end('SIGKILL');
  });

  longRun('are seen by the same check to hold everybody up when all are served at once', async (t) => {
    const started = await start('all-files', UNBOUNDED);
    const seen = await flood(started, { ...files(900), bytes: FILE_REQUESTS.slice(0, 1) });
    say(t, '900 connections without protection', seen);
    assert.throws(() => checkStall(seen), /others wait for/);
    await started.service.end('SIGKILL');
  });
});

describe('clients that ask for long answers and read nothing, in a process of 1 GiB (F35)', () => {
  it('do not end it, and others are answered', async (t) => {
    const limit = new MemoryLimit(GIBIBYTE);
    const started = await start('answers', [], {}, limit);
    await trials(t, 'F35 unread answers of 12 MB', 1, async () => {
      const bytes = [candles(started.greedy), candles(started.modest)];
      const seen = await flood(started, { connections: 300, reads: false, bytes });
      say(t, '300 connections', seen);
      t.diagnostic(`the process took ${Math.round(limit.peak / 1024 ** 2)} MiB at most`);
      assert.ok((seen.statuses['503'] ?? 0) >= 250, JSON.stringify(seen.statuses));
      const user = must(seen.user, 'a user was watched');
      assert.ok(user.refused * 20 <= user.answers, 'others are answered');
      return 300;
    });
    assert.equal(await started.service.end('SIGTERM'), 0, started.service.output);
    limit.remove();
  });

  longRun('end it when answers are made without looking whether there is room', async () => {
    const limit = new MemoryLimit(GIBIBYTE + 4_096);
    const started = await start('no-rooms', NO_ROOMS, {}, limit);
    const url = new URL(started.service.base);
    const order = { connections: 150, reads: false, bytes: [candles(started.greedy)] };
    const crowd = await Flood.open({ port: Number(url.port), tls: false, ...order });
    await crowd.send();
    const ended = await Promise.race([
      new Promise((resolve) => started.service.child.on('exit', resolve)).then(() => true),
      sleep(60_000, false),
    ]);
    await crowd.end();
    assert.ok(ended, 'the process lives');
    limit.remove();
  });
});

describe('a user who asks for more than his share (F35)', () => {
  /** Each looks for something else, so nothing is known from before. */
  const searches = (who: Who) => {
    const words = ['nifty', 'bank', 're', 'a'];
    const of = (connection: number) =>
      Array.from({ length: 1_000 }, (_, i) =>
        bytesOf('searchScrips', { ...who, stext: `${words[i % 4]} ${(i % 90) + connection}` }),
      );
    return {
      connections: 50,
      reads: true,
      bytes: Array.from({ length: 50 }, (_, connection) => of(connection).join('')),
    };
  };

  it('leaves others their turn', async (t) => {
    const started = await start('turns');
    await trials(t, 'F35 greedy users', 1, async () => {
      const many = searches(started.greedy);
      await held(t, '50 connections with 1,000 searches each', started, many, checkWaits);
      const long = { connections: 8, reads: true, bytes: [candles(started.greedy).repeat(30)] };
      await held(t, '8 connections with 30 questions for candles each', started, long, checkWaits);
      const small = { connections: 50, reads: true, bytes: ['GET /x HTTP/1.1\r\nhost:\r\n\r\n'.repeat(20_000)] };
      await held(t, '50 connections with 20,000 requests of 25 bytes each', started, small, checkStall);
      return 50_240;
    });
    await started.service.end('SIGKILL');
  });

  longRun('is seen by the same check to make others wait when work is done as it comes', async (t) => {
    const started = await start('no-turns', NO_TURNS);
    const seen = await flood(started, searches(started.greedy));
    say(t, '50 connections with 1,000 searches each, without turns', seen);
    assert.throws(() => checkWaits(seen), /of another user/);
    await started.service.end('SIGKILL');
  });
});
