import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import { Random } from '../../src/base/random.ts';
import { REAL_DISK } from '../../src/journal/disk/real-disk.ts';
import { journalPaths } from '../../src/journal/upkeep/examine.ts';
import { verifyJournal } from '../../src/journal/upkeep/verify.ts';
import { Course } from '../process/kill/course.ts';
import { check, Ledger, lastPrice, logIn, trade } from '../process/kill/service-clients.ts';
import { toldCount } from '../process/kill/told.ts';
import type { Victim } from '../process/kill/victim.ts';
import { LAUNCHER, StartedService } from '../process/start/started-service.ts';
import { ACKNOWLEDGED_EARLY, type Change, changedSource, NO_MARK } from './changed-source.ts';
import { longRun, scratchFolder, trials } from './trials.ts';

const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});
/** A service with this number of files serves fewer connections than come, and needs fewer for itself. */
const FILES = 320;
const CONNECTIONS = 400;
const SNAPSHOT_RECORDS = '100';
const PATIENCE_MS = 60_000;

/** Waits until something holds; false when it never does. */
async function holds(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(50)) {
    if (await condition()) return true;
  }
  return false;
}

function snapshots(data: string): number {
  return REAL_DISK.names(journalPaths(data).snapshots).length;
}

describe('clients that take all descriptors (F18)', () => {
  /** A service that may have few files open. */
  async function start(name: string, root?: string): Promise<StartedService> {
    const launcher = root === undefined ? LAUNCHER : join(root, 'bin', 'sauda.mjs');
    const limited = ['prlimit', `--nofile=${FILES}:${FILES}`, process.execPath, launcher];
    const service = await StartedService.start(
      join(scratch, name),
      { SAUDA_SNAPSHOT_RECORDS: SNAPSHOT_RECORDS, SAUDA_CONNECTIONS_PER_ADDRESS: '100000', SAUDA_HEAD_SECONDS: '300' },
      limited,
    );
    services.push(service);
    return service;
  }

  /** More clients connect than there are descriptors, and stay. */
  async function crowd(service: StartedService): Promise<Socket[]> {
    const { port } = new URL(service.base);
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => socket.destroy());
      return socket;
    });
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    await sleep(500);
    return sockets;
  }

  /**
   * Clients who were there before trade on in a crowd, a snapshot is taken beside it, and afterwards others are served.
   */
  async function crowded(service: StartedService, random: Random): Promise<number> {
    const data = service.data;
    const users = service.demoUsers();
    const clients = await Promise.all(
      users.map(async (user) => ({ who: await logIn(service, user), ledger: new Ledger() })),
    );
    const venue = { service, last: await lastPrice(service, must(clients[0], 'there are clients').who) };
    const sockets = await crowd(service);
    let goOn = true;
    const trading = clients.map(({ who, ledger }) => trade(venue, who, random, ledger, () => goOn));
    const before = snapshots(data);
    const taken = await holds(() => snapshots(data) > before || service.child.exitCode !== null);
    goOn = false;
    await Promise.all(trading);
    for (const socket of sockets) socket.destroy();
    assert.ok(taken && service.child.exitCode === null, `a snapshot is taken beside a crowd: ${service.output}`);
    const others = await holds(
      async () => (await fetch(`${service.operator}/livez`).catch(() => undefined))?.ok === true,
    );
    assert.ok(others, 'others are served when the crowd has left');
    await service.end('SIGKILL');
    assert.equal(verifyJournal(data).damage, undefined);
    const again = await StartedService.start(data);
    services.push(again);
    for (const { who, ledger } of clients) await check(again, who, ledger, 'after the crowd');
    await again.end('SIGKILL');
    return clients.reduce((sum, { ledger }) => sum + ledger.placed.size, 0);
  }

  it('are turned away in time: orders, snapshots and all who were there before go on', async (t) => {
    await trials(t, 'F18 more clients than descriptors', 1, async (random, number) => {
      return crowded(await start(`crowd-${number}`), random);
    });
  });

  longRun('are seen to stop snapshots by the same check when as many are taken as the settings say', async () => {
    const all: Change = {
      file: 'src/gateway/http/connections/open-files.ts',
      from: 'if (files === undefined) return',
      to: 'return',
    };
    const root = changedSource(scratch, 'all', [all]);
    await assert.rejects(crowded(await start('control', root), new Random(1)), /a snapshot is taken beside a crowd/);
  });
});

/** The next file that the process opens is one too many, or there are enough again. */
function letOpen({ child }: Victim, files: 'none' | 'enough'): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${files === 'none' ? 0 : 1_024}:`]);
}

describe('an engine that gets no more descriptors (F18)', () => {
  /** A segment is followed by another soon. */
  const SMALL_SEGMENTS: Change = {
    file: 'src/journal/segments/segment-log.ts',
    from: 'segmentBytes: 64 * 1024 * 1024',
    to: 'segmentBytes: 256 * 1024',
  };
  /** But not while there are descriptors: the next segment would find that the last group is not there yet. */
  const LARGER_SEGMENTS: Change = { ...SMALL_SEGMENTS, to: 'segmentBytes: 2 * 1024 * 1024' };
  const MAX_LIFE_MS = 400;

  /** A life with the segments of the product, in which no snapshot can be taken for a while. */
  async function withoutSnapshot(course: Course, context: string): Promise<void> {
    const victim = await course.start(context);
    const says = (words: RegExp, from: number) =>
      holds(() => words.test(victim.log.slice(from)) || victim.child.exitCode !== null);
    const code = await course.trade(victim, async () => {
      letOpen(victim, 'none');
      assert.ok(await says(/snapshot failed/, 0), victim.log);
      letOpen(victim, 'enough');
      assert.ok(await says(/snapshot at \d+ taken/, victim.log.length), victim.log);
      await victim.kill();
    });
    assert.equal(code, 'SIGKILL', victim.log);
    course.check(context);
  }

  /** A life that ends when the next segment cannot be opened. */
  async function withoutSegment(course: Course, context: string, root: string): Promise<void> {
    const victim = await course.start(context, { root });
    const code = await course.trade(victim, async () => {
      await sleep(course.random.below(MAX_LIFE_MS));
      letOpen(victim, 'none');
      await Promise.race([victim.ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
      await victim.kill();
    });
    course.check(context);
    assert.equal(code, 74, `${context}: ended with ${code}: ${victim.log}`);
    assert.match(victim.log, /EMFILE/);
  }

  longRun(
    'goes on without a snapshot, and ends with code 74 without a segment; nothing that was acknowledged is lost',
    async (t) => {
      const root = changedSource(scratch, 'small-segments', [SMALL_SEGMENTS]);
      await trials(t, 'F18 no descriptor for a snapshot or a segment', 1, async (random, number) => {
        const course = new Course(join(scratch, `engine-${number}`), random);
        await course.open();
        await withoutSnapshot(course, `snapshot ${number}`);
        await withoutSegment(course, `segment ${number}`, root);
        return toldCount(course.ledger);
      });
    },
  );

  it('is seen to lose by the same check when groups are acknowledged before they are written', async () => {
    const root = changedSource(scratch, 'early', [LARGER_SEGMENTS, ACKNOWLEDGED_EARLY, NO_MARK]);
    const course = new Course(join(scratch, 'early-course'), new Random(1));
    await course.open();
    await assert.rejects(withoutSegment(course, 'early', root), /recorded 0 times|is lost/);
  });
});
