import { type ChildProcess, execFileSync, execSync, spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { must } from '../src/base/assert.ts';
import { BOUND_MS, type Found, findRate } from './load/find.ts';
import { Generator } from './load/generator-process.ts';
import { Inspector } from './load/inspector.ts';
import { overload, overloadVerdict, stageText } from './load/overload.ts';
import { LoadedService } from './load/service.ts';
import type { Credentials } from './load/user.ts';

/*
 * `npm run load -- --rate R --seconds S` loads a service of its own with a mix of requests at a constant rate. `npm run
 * load -- --find` finds the highest rate that it holds, and that of a bare node:http server beside it. `npm run load --
 * --overload 2 --rated R` gives it twice the rated load and sees it recover; without `--rated` it finds the rate first.
 * The service has the first core, the load the second, unless `--cores any`.
 */

const { values } = parseArgs({
  options: {
    rate: { type: 'string' },
    seconds: { type: 'string', default: '30' },
    find: { type: 'boolean', default: false },
    overload: { type: 'string' },
    rated: { type: 'string' },
    users: { type: 'string', default: '50' },
    connections: { type: 'string', default: '900' },
    cores: { type: 'string', default: 'pinned' },
  },
});
const isPinned = values.cores === 'pinned' && cpus().length > 1;
const SERVICE_CORE = '0';
const LOAD_CORE = '1';
/** The service notices the next day with its next second. */
const DAY_BREAK_MS = 1_500;

const print = (line: string): void => console.log(line);

/** A service with users, and the load for it. */
class Bench {
  readonly generator: Generator;
  private readonly service: LoadedService;
  private readonly inspector: Inspector;
  private readonly users: readonly Credentials[];
  private isFresh = true;

  private constructor(service: LoadedService, inspector: Inspector, users: readonly Credentials[]) {
    this.service = service;
    this.inspector = inspector;
    this.users = users;
    this.generator = generatorOnCore();
  }

  static async start(): Promise<Bench> {
    const service = await LoadedService.start(isPinned ? SERVICE_CORE : undefined);
    return new Bench(service, await Inspector.open(service.inspector), await service.register(Number(values.users)));
  }

  /** Everybody logs in, on a day without orders. */
  async prepare(connections: number): Promise<void> {
    if (!this.isFresh) {
      await this.inspector.passDays(1);
      await new Promise((resolve) => setTimeout(resolve, DAY_BREAK_MS));
    }
    this.isFresh = false;
    await this.generator.prepare({ port: this.service.port, users: this.users, lines: connections });
  }

  /** An answer waits for the disk: a time that is longer than a few of these has another cause. */
  async printCommits(): Promise<void> {
    const seconds = await this.service.metric('sauda_journal_longest_commit_seconds');
    print(`longest commit: ${(seconds * 1000).toFixed(0)} ms`);
  }

  stop(): void {
    this.generator.stop();
    this.inspector.close();
    this.service.stop();
  }
}

function generatorOnCore(): Generator {
  const generator = new Generator();
  if (isPinned) execFileSync('taskset', ['-a', '-p', '-c', LOAD_CORE, String(generator.pid)], { stdio: 'ignore' });
  return generator;
}

/** The rate that a bare server holds which parses a placement and writes it again. */
async function findEcho(): Promise<Found> {
  const { child, port } = await startEcho();
  const generator = generatorOnCore();
  const echo = JSON.stringify({
    userId: 'LD1001',
    jKey: '0'.repeat(64),
    exchange: 'NSE',
    retention: 'DAY',
    product: 'I',
    priceType: 'LMT',
    tradingSymbol: 'RELIANCE-EQ',
    transactionType: 'B',
    price: '1200.00',
    triggerPrice: '0',
    quantity: '1',
    remarks: 'LD1001-1',
  });
  try {
    const prepare = (lines: number): Promise<void> => generator.prepare({ port, users: [], lines });
    return await findRate({ generator, prepare, echo }, (line) => print(`node:http ${line}`));
  } finally {
    generator.stop();
    child.kill('SIGKILL');
  }
}

function startEcho(): Promise<{ child: ChildProcess; port: number }> {
  const command = [process.execPath, join(import.meta.dirname, 'wire.ts'), 'echo'];
  const [first = '', ...rest] = isPinned ? ['taskset', '-c', SERVICE_CORE, ...command] : command;
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
    child.stdout.once('data', (chunk: Buffer) => resolve({ child, port: Number(chunk.toString().split(' ')[1]) }));
  });
}

async function find(bench: Bench): Promise<number> {
  const target = { generator: bench.generator, prepare: (lines: number) => bench.prepare(lines) };
  const found = await findRate(target, (line) => print(`service ${line}`));
  print(
    `rated load of the service: ${found.rate.toFixed(0)} requests a second with p99 within ${BOUND_MS} ms and no error`,
  );
  return found.rate;
}

async function findBoth(bench: Bench): Promise<void> {
  const rate = await find(bench);
  const bare = await findEcho();
  print(`rated load of node:http: ${bare.rate.toFixed(0)}`);
  print(`ratio: ${(rate / bare.rate).toFixed(2)}`);
}

async function load(bench: Bench, rate: number, seconds: number): Promise<void> {
  await bench.prepare(Number(values.connections));
  const { stages, faults } = await bench.generator.run({ stages: [{ rate, seconds }] });
  const report = must(stages[0], 'a run of one stage has its report');
  const verified = await bench.generator.verify();
  print(stageText(report));
  for (const [kind, { count, p50, p99 }] of Object.entries(report.answeredKinds)) {
    print(`  ${kind}: ${count}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  }
  print(`ledger: ${JSON.stringify(verified)}`);
  await bench.printCommits();
  for (const fault of faults) print(`  ${fault}`);
  const lost = verified.missing + verified.unwanted + verified.wrong;
  process.exitCode = report.bad + report.notSent + lost === 0 ? 0 : 1;
}

async function overloaded(bench: Bench, times: number): Promise<void> {
  const rated = values.rated === undefined ? await find(bench) : Number(values.rated);
  await bench.prepare(Number(values.connections));
  const report = await overload(bench.generator, rated, times);
  const verdict = overloadVerdict(report, await bench.generator.verify());
  print(`${times} times ${rated.toFixed(0)} requests a second, over ${values.connections} connections`);
  for (const line of verdict.lines) print(line);
  await bench.printCommits();
  process.exitCode = verdict.isGood ? 0 : 1;
}

const commit = execSync('git rev-parse --short HEAD', { cwd: import.meta.dirname })
  .toString()
  .trim();
print(`${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, commit ${commit}`);
const bench = await Bench.start();
try {
  if (values.overload !== undefined) await overloaded(bench, Number(values.overload));
  else if (values.find) await findBoth(bench);
  else await load(bench, Number(values.rate ?? 1000), Number(values.seconds));
} finally {
  bench.stop();
}
