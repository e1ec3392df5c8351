import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultyDisk, MachineDied } from '../../../sim/faulty-disk.ts';
import { type AnchorPlace, lastAnchored, writeAnchor } from '../../../src/audit/anchor.ts';
import { expectNothingLost } from '../../../src/audit/missing-history.ts';
import { storedTrail } from '../../../src/audit/reading/stored-trail.ts';
import { verifyTrail } from '../../../src/audit/reading/verify-trail.ts';
import { trailFolder } from '../../../src/audit/trail-file.ts';
import { bodiesOf } from '../../../src/audit/trail-line.ts';
import { TrailLog } from '../../../src/audit/trail-log.ts';
import { Random } from '../../../src/base/random.ts';
import { DAY_MS } from '../../../src/base/time.ts';
import { Committer } from '../../../src/journal/committer.ts';
import { makeReady } from '../../../src/journal/file-journal.ts';
import { commit, FOLDER, PATHS, SMALL } from '../../kit/journal/image.ts';

const CASES = 300;
const STARTS = 4;
const MOST_CALLS = 300;
const NOON = Date.UTC(2026, 10, 20, 6);
const TRAIL = trailFolder(FOLDER);
const ANCHOR: AnchorPlace = { path: '/anchor/anchor' };

/**
 * A process as a service runs: it starts, commits groups, and writes lines of records that are durable, which it
 * flushes and anchors now and then. It goes on until the machine dies. A start that is refused for what is lost throws.
 */
function work(disk: FaultyDisk, random: Random, day: number): void {
  const { start } = makeReady(disk, PATHS);
  let { seq } = start.head;
  assert.deepEqual(verifyTrail(disk, TRAIL, lastAnchored(disk, ANCHOR) === undefined ? undefined : ANCHOR).faults, []);
  const stored = storedTrail(disk, TRAIL);
  expectNothingLost(disk, stored, { data: FOLDER, anchor: ANCHOR, seq, acceptLoss: undefined, log: () => undefined });
  const log = new TrailLog(disk, TRAIL, stored);
  const say = (kind: string, utc: number): void => log.append(bodiesOf([`"utc":${utc},"kind":"${kind}","seq":${seq}`]));
  let utc = NOON + day * DAY_MS;
  say('Start', utc);
  log.flush();
  const committer = new Committer(disk, PATHS, start, SMALL);
  for (;;) {
    seq = commit(committer, seq + 1, random.between(1, 40)).seq;
    if (random.chance(10)) committer.passSecond();
    if (random.chance(5)) utc += DAY_MS / 4;
    if (random.chance(60)) say(random.chance(10) ? 'Seal' : 'Own', utc);
    if (!random.chance(30)) continue;
    log.flush();
    writeAnchor(disk, ANCHOR, log.head, utc);
  }
}

test('no death of the process or the machine leaves a trail that names a record which the journal lost, or an anchor before its trail', (t) => {
  const told = { named: 0, anchored: 0 };
  for (let seed = 1; seed <= CASES; seed += 1) {
    const random = new Random(seed);
    const disk = new FaultyDisk();
    for (let day = 0; day < STARTS; day += 1) {
      disk.dieAfter = disk.calls + random.between(1, MOST_CALLS);
      try {
        work(disk, random, day);
      } catch (error) {
        const { cause = error } = error as Error;
        if (!(cause instanceof MachineDied)) throw new Error(`seed ${seed}, start ${day}`, { cause: error });
      }
      disk.end(random.pick(['kill', 'power'] as const), random);
    }
    if (storedTrail(disk, TRAIL).seq !== undefined) told.named += 1;
    if (lastAnchored(disk, ANCHOR) !== undefined) told.anchored += 1;
  }
  assert.ok(told.named > CASES / 2 && told.anchored > CASES / 2, JSON.stringify(told));
  t.diagnostic(JSON.stringify(told));
});
