import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initLanes } from '../../../src/cluster/init-lanes.ts';
import { openLanes } from '../../../src/cluster/lanes/open-lanes.ts';
import { checkLog, judge, type Verdict } from '../../../src/cluster/start-gate.ts';
import { settle } from '../../kit/cluster/lane-contract.ts';
import { NatsCluster, type NatsOptions } from '../../kit/cluster/nats-cluster.ts';
import { makeLanes } from '../../kit/cluster/nats-lane-kind.ts';
import { scratchFolder } from '../trials.ts';

const TLS = join(import.meta.dirname, '..', '..', 'kit', 'tls');
const scratch = scratchFolder();
/** A server that ends or starts is known within this time, and the log has a leader again. */
const KNOWN_MS = 20_000;
const LOOK_MS = 50;

/** Looks again until the faults are these ones, as a start and a leader do. Gives the last verdict. */
async function lookUntil(look: () => Promise<Verdict>, faults: readonly string[]): Promise<Verdict> {
  const deadline = performance.now() + KNOWN_MS;
  for (;;) {
    const verdict = await look();
    if (String(verdict.faults) === String(faults) || performance.now() > deadline) return verdict;
    await sleep(LOOK_MS);
  }
}

/** Asks the gate about a log whose servers have other settings, and tries to make lanes there. */
async function refusalsOf(options: NatsOptions): Promise<readonly string[]> {
  const cluster = await NatsCluster.start(options);
  try {
    const file = { path: 'c', name: 'lax', members: [], log: cluster.log(), silenceMs: 600 };
    const made = await initLanes(file);
    assert.ok(!made.ok, 'no lane is made');
    const { faults } = await checkLog(file);
    assert.deepEqual(faults.slice(0, made.error.length), made.error);
    assert.ok(faults.includes('there is no lane lane-a: "sauda cluster init" makes it'), 'nothing was made');
    return made.error;
  } finally {
    await cluster.close();
  }
}

it('refuses servers that flush now and then, as they do by default', async () => {
  const lax = 'sync_interval is not always: a power cut would take messages that it acknowledged';
  assert.deepEqual(
    await refusalsOf({ syncInterval: '2m' }),
    ['n1', 'n2', 'n3'].map((name) => `log server ${name}: ${lax}`),
  );
});

it('refuses servers that take no message of the largest size', async () => {
  const [first] = await refusalsOf({ maxPayload: '1MB' });
  assert.equal(first, 'log server n1: max_payload is 1048576, and a message may have 4198400 bytes');
});

it('starts with one server away, with a word, and makes no lane then', async (t) => {
  const cluster = await NatsCluster.start();
  t.after(() => cluster.close());
  await makeLanes(cluster, 'pair');
  await cluster.server('n3').kill();
  const log = cluster.log({ a: 'pair-a', b: 'pair-b' });
  const { faults, warnings } = await lookUntil(() => checkLog({ name: 'of-pair', log }), []);
  assert.deepEqual(faults, []);
  assert.ok(warnings.some((line) => line.startsWith('log server n3 is not reached, and was not checked')));
  const made = await initLanes({ path: 'c', name: 'of-pair', members: [], log, silenceMs: 600 });
  assert.deepEqual(made, { ok: false, error: ['log server n3 must be there when the lanes are made'] });
});

it('is asked again by a leader: a server that comes back with other settings is found', async (t) => {
  const cluster = await NatsCluster.start();
  t.after(() => cluster.close());
  await makeLanes(cluster, 'back');
  const log = cluster.log({ a: 'back-a', b: 'back-b' });
  const lanes = await openLanes({ log });
  t.after(() => lanes.close());
  const look = async (): Promise<Verdict> => {
    const report = await lanes.report();
    assert.ok(report);
    return judge('of-back', log, report);
  };
  const seen = async (expected: readonly string[]): Promise<void> => {
    assert.deepEqual((await lookUntil(look, expected)).faults, expected);
  };
  await seen([]);
  await cluster.server('n3').kill();
  const settings = join(cluster.folder, 'n3.conf');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('sync_interval: always', 'sync_interval: 2m'));
  await seen([]);
  cluster.server('n3').start();
  await cluster.ready();
  await seen(['log server n3: sync_interval is not always: a power cut would take messages that it acknowledged']);
});

it('lets a member in with its password over TLS, and says why another is not let in', async (t) => {
  const [ca, key] = ['cert', 'key'].map((kind) => join(TLS, `only-for-tests.${kind}.pem`));
  const more = [`tls { cert_file: "${ca}", key_file: "${key}" }`, 'authorization { user: sauda, password: right }'];
  const cluster = await NatsCluster.start({ more });
  t.after(() => cluster.close());
  const passwordFile = join(scratch, 'password');
  const access = { user: 'sauda', passwordFile, tls: { ca: String(ca) } };
  const log = { ...cluster.log(), access };
  const file = { path: 'c', name: 'closed', members: [], log, silenceMs: 600 };
  for (const [password, words] of [
    ['wrong', /was not checked: .*[Aa]uthorization/],
    [undefined, /was not checked: .*ENOENT/],
  ] as const) {
    if (password === undefined) rmSync(passwordFile);
    else writeFileSync(passwordFile, password);
    const { faults, warnings } = await checkLog(file);
    assert.equal(faults[0], '0 of 3 log servers are reached: no majority');
    assert.match(warnings[0] ?? '', words);
  }
  writeFileSync(passwordFile, 'right\n');
  assert.ok((await initLanes(file)).ok);
  assert.deepEqual((await checkLog(file)).faults, []);
  const { a, close } = await openLanes(file);
  assert.ok((await settle(a, 0, Buffer.from('a'))).won);
  await close();
});
