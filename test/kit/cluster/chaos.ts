/** A life of a cluster full of faults, drawn from a seed, and its checks at the end. */
import assert from 'node:assert/strict';
import { hashAt, unitOf } from '../../../src/base/random.ts';
import { type LaneTrouble, NO_TROUBLE } from './faulty-lane.ts';
import { type ClusterOptions, type Life, TestCluster } from './test-cluster.ts';

/** How long the faults go on, in virtual milliseconds. */
const TROUBLED_MS = 12_000;
/** A cluster without faults trades again within this time: late appends are over, and restarts are read. */
const HEALED_MS = 15_000;

export interface ChaosOutcome {
  readonly acknowledged: number;
  /** The epochs that began. */
  readonly epochs: number;
}

/** Numbers in [0, 1) from a seed. */
function chancesOf(seed: number): () => number {
  let place = 0;
  return () => {
    place += 1;
    return unitOf(hashAt(seed, place));
  };
}

/** Runs a cluster through its faults, heals it, and checks it. Rejects with what was wrong. */
export async function endure(seed: number, options: ClusterOptions = {}): Promise<ChaosOutcome> {
  const chance = chancesOf(seed);
  const cluster = new TestCluster({ ...options, chance });
  cluster.startAll();
  const end = cluster.time.now + TROUBLED_MS;
  while (cluster.time.now < end) {
    trouble(cluster, chance);
    await cluster.time.run(20 + chance() * 700);
  }
  for (const [rank, life] of cluster.lives.entries()) heal(cluster, rank, life);
  await cluster.time.run(500);
  for (const [rank, life] of cluster.lives.entries()) heal(cluster, rank, life);
  const isTrading = await cluster.untilTrading(HEALED_MS);
  await cluster.time.run(3_500);
  for (const [rank, life] of cluster.lives.entries()) heal(cluster, rank, life);
  cluster.check();
  assert.ok(isTrading, 'a healed cluster trades');
  await agree(cluster);
  return { acknowledged: cluster.acknowledged.length, epochs: cluster.leader()?.epoch ?? 0 };
}

/** All members come to the leader's history. */
async function agree(cluster: TestCluster): Promise<void> {
  assert.ok(await cluster.time.until(() => cluster.leader() !== undefined, HEALED_MS), 'a healed cluster is led');
  await cluster.time.run(2_000);
  // The engine folds what a leader makes, and there is none here.
  const replicas = cluster.lives.filter((life) => life !== cluster.leader()).map(({ replica }) => replica);
  const seq = Math.min(...replicas.map((replica) => replica.seq));
  assert.ok(seq > 0, 'a follower has folded');
  const [first, ...others] = replicas.map(({ amounts }) => amounts.slice(0, seq).join());
  for (const other of others) assert.equal(other, first, 'the replicas are one');
}

function trouble(cluster: TestCluster, chance: () => number): void {
  const rank = Math.floor(chance() * cluster.lives.length);
  const life = cluster.lives[rank] as Life;
  const draw = chance();
  if (draw < 0.15) cluster.kill(rank);
  else if (draw < 0.4) heal(cluster, rank, life);
  else if (draw < 0.55) life.isFrozen = !life.isFrozen;
  else if (draw < 0.7) cut(life, chance);
  else if (draw < 0.8) cutAll(cluster, chance);
  else for (const lane of life.lanes) lane.trouble = troubleOf(chance);
}

function cut({ lanes }: Life, chance: () => number): void {
  const lane = lanes[Math.floor(chance() * lanes.length)];
  if (lane) lane.isCut = !lane.isCut;
}

/** A lane loses its machines: nobody reaches it, or everybody does again. */
function cutAll({ lives, logs }: TestCluster, chance: () => number): void {
  const index = Math.floor(chance() * logs.length);
  const isCut = chance() < 0.5;
  for (const { lanes, isKilled } of lives) {
    const lane = lanes[index];
    if (lane && !isKilled) lane.isCut = isCut;
  }
}

function troubleOf(chance: () => number): LaneTrouble {
  const up = (most: number): number => (chance() < 0.5 ? 0 : chance() * most);
  return {
    lostAnswer: up(0.3),
    lostAppend: up(0.3),
    lateAppend: up(0.3),
    slowAppend: up(0.3),
    staleRead: up(0.6),
    lostRead: up(0.3),
  };
}

function heal(cluster: TestCluster, rank: number, life: Life): void {
  if (life.isKilled || life.gone !== undefined) {
    if (life.gone) assert.equal(life.gone.name, 'Fenced', `${life.name}: ${life.gone.stack}`);
    life.isKilled = true;
    cluster.start(rank);
    return;
  }
  life.isFrozen = false;
  for (const lane of life.lanes) {
    lane.isCut = false;
    lane.trouble = NO_TROUBLE;
  }
}
