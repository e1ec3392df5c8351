import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import { ask, logIn, restingOrder, type Who } from '../process/kill/service-clients.ts';
import { LAUNCHER, StartedService } from '../process/start/started-service.ts';
import { type Change, changedSource } from './changed-source.ts';
import { longRun, scratchFolder, trials } from './trials.ts';

const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});
const READERS = 60;
const MEGABYTE = 1024 * 1024;
/** The memory that readers of one file may take at most, however many they are. */
const MOST_FILE_BYTES = 64 * MEGABYTE;
/** So much of answers may wait, and the last ones on top of it. */
const MOST_WAITING_BYTES = (64 + 8) * MEGABYTE;
/** Looks at a service that copies, until one of them shows it. */
const LOOKS = 3;
/** An order book of this number of rows is more than the system's buffers take of an answer. */
const ORDERS = 16_000;
const AT_A_TIME = 100;
/** Longer than a reader is left in peace. */
const READING_MS = 1_500;
const SIP_MS = 100;

/** A client that asks and then takes a byte now and then. */
class SlowReader {
  /** Resolves when the answer begins. */
  readonly answered: Promise<unknown>;
  /** How it begins. */
  status = '';
  private readonly socket: Socket;
  private readonly sips: NodeJS.Timeout;

  constructor(port: number, bytes: string) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => this.socket.destroy());
    this.socket.write(bytes);
    this.answered = once(this.socket, 'readable').then(() => {
      this.status = String(this.socket.read('HTTP/1.1 200'.length)).slice(-3);
    });
    this.sips = setInterval(() => this.socket.read(1), SIP_MS);
  }

  leave(): void {
    clearInterval(this.sips);
    this.socket.destroy();
  }
}

function residentBytes({ child }: StartedService): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}

interface Started {
  readonly service: StartedService;
  readonly who: Who;
}

/** How many clients the service is connected with. */
async function connections({ operator }: StartedService): Promise<number> {
  const metrics = await (await fetch(`${operator}/metrics`)).text();
  return Number(/^sauda_connections (\d+)$/m.exec(metrics)?.[1] ?? assert.fail(metrics));
}

/** A request as bytes. */
function bytesOf(path: string, fields: object): string {
  const body = JSON.stringify(fields);
  const head = `POST /V1/${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Fills a book, many orders at a time on one connection. */
async function placeMany(service: StartedService, who: Who): Promise<void> {
  const socket = connect(Number(new URL(service.base).port), '127.0.0.1').setEncoding('latin1');
  const request = bytesOf('placeOrder', restingOrder(who, 'one of many'));
  for (let placed = 0; placed < ORDERS; ) {
    socket.write(request.repeat(AT_A_TIME));
    let answers = '';
    while (answers.split('HTTP/1.1 ').length <= AT_A_TIME || !answers.endsWith('}')) {
      answers += String((await once(socket, 'data'))[0]);
    }
    const taken = answers.split('HTTP/1.1 200').length - 1;
    assert.ok(taken > 0, answers);
    placed += taken;
  }
  socket.destroy();
}

describe('clients that read slowly (F35)', () => {
  async function start(name: string, root?: string): Promise<Started> {
    const launcher = root === undefined ? LAUNCHER : join(root, 'bin', 'sauda.mjs');
    const service = await StartedService.start(join(scratch, `${name}-data`), {}, [process.execPath, launcher]);
    services.push(service);
    return { service, who: await logIn(service, must(service.demoUsers()[0], 'there are demo users')) };
  }

  /**
   * Many ask for the same and read nearly nothing of it; meanwhile another client is served. Resolves with what is then
   * seen.
   */
  async function readSlowly<T>(
    { service, who }: Started,
    request: string,
    seen: (readers: readonly SlowReader[]) => T | Promise<T>,
  ): Promise<T> {
    const port = Number(new URL(service.base).port);
    const readers: SlowReader[] = [];
    try {
      for (let count = 0; count < READERS; count += 1) readers.push(new SlowReader(port, request));
      await Promise.all(readers.map(({ answered }) => answered));
      await sleep(READING_MS);
      const last = new SlowReader(port, request);
      readers.push(last);
      await last.answered;
      await sleep(READING_MS);
      assert.ok(await ask(service, 'placeOrder', restingOrder(who, 'beside')), 'others are served');
      return await seen(readers);
    } finally {
      for (const reader of readers) reader.leave();
    }
  }

  /** How much more memory a service has while many read its largest file. */
  async function bytesOfFiles(started: Started): Promise<number> {
    const { service } = started;
    await (await fetch(`${service.base}/symbols/NFO`)).text();
    const before = residentBytes(service);
    const after = await readSlowly(started, 'GET /V1/symbols/NFO HTTP/1.1\r\nhost: localhost\r\n\r\n', () =>
      residentBytes(service),
    );
    return after - before;
  }

  /**
   * How many bytes of answers may wait in a service while many ask for a large book: the answers of all who were not
   * refused and are still connected.
   */
  async function bytesOfAnswers(started: Started): Promise<number> {
    const { service, who } = started;
    await placeMany(service, who);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(who);
    const whole = await (await fetch(`${service.base}/orderBook`, { method: 'POST', headers, body })).text();
    const before = await connections(service);
    return readSlowly(started, bytesOf('orderBook', who), async (readers) => {
      const refused = readers.filter(({ status }) => status !== '200').length;
      return ((await connections(service)) - before - refused) * whole.length;
    });
  }

  function check(what: string, bytes: number): void {
    const most = what === 'a file' ? MOST_FILE_BYTES : MOST_WAITING_BYTES;
    const [owed, limit] = [bytes, most].map((count) => Math.round(count / MEGABYTE));
    assert.ok(bytes <= most, `${READERS} slow readers of ${what} take ${owed} MiB, more than ${limit}`);
  }

  it('take a bounded memory with a file and with answers of their own, and others are served', async (t) => {
    const started = await start('product');
    await trials(t, 'F35 sixty slow readers', 1, async () => {
      for (const [what, bytes] of [
        ['a file', await bytesOfFiles(started)],
        ['answers', await bytesOfAnswers(started)],
      ] as const) {
        t.diagnostic(`slow readers of ${what} take ${Math.round(bytes / MEGABYTE)} MiB`);
        check(what, bytes);
      }
      return ORDERS;
    });
    assert.equal(await started.service.end('SIGTERM'), 0, started.service.output);
  });

  longRun('are seen by the same check to take more when a file is copied for each', async () => {
    const copied: Change = {
      file: 'src/gateway/http/downloads.ts',
      from: 'pieces: [bytes]',
      to: 'pieces: [Buffer.from(bytes)]',
    };
    const started = await start('copied', changedSource(scratch, 'copied', [copied]));
    // Memory of the start that is given back meanwhile hides copies from the first look at times.
    let bytes = 0;
    for (let look = 0; look < LOOKS && bytes <= MOST_FILE_BYTES; look += 1) bytes = await bytesOfFiles(started);
    assert.throws(() => check('a file', bytes), /slow readers of a file take/);
    await started.service.end('SIGKILL');
  });

  longRun('are seen by the same check to take more when all answers are kept', async () => {
    const kept: Change = {
      file: 'src/gateway/http/answer-memory.ts',
      from: '{ most: 64 * MEBIBYTE, mostOfOne: 32 * MEBIBYTE }',
      to: '{ most: 1e12, mostOfOne: 1e12 }',
    };
    const started = await start('kept', changedSource(scratch, 'kept', [kept]));
    const bytes = await bytesOfAnswers(started);
    assert.throws(() => check('answers', bytes), /slow readers of answers take/);
    await started.service.end('SIGKILL');
  });
});
