import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FollowedEngine } from './followed-engine.ts';
import type { FollowerTerms } from './protocol.ts';

const KILLS = 3;
const RATE = 1_500;
const LATE_SINCE = 200;
const scratch = mkdtempSync(join(tmpdir(), 'sauda-feed-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** Eight that are quick, a slow one, and one that joins late, in the middle of what there is by then. */
const FOLLOWERS: readonly FollowerTerms[] = [
  ...Array.from({ length: 8 }, (_, index) => ({ name: `quick ${index}`, since: 0, pauseMs: 0, joinsAfterMs: 0 })),
  { name: 'slow', since: 0, pauseMs: 25, joinsAfterMs: 0 },
  { name: 'late', since: LATE_SINCE, pauseMs: 0, joinsAfterMs: 300 },
];

test('ten followers of an engine that is killed again and again are handed each record once, in order, after it was durable', async (t) => {
  const engine = new FollowedEngine(join(scratch, 'data'), true);
  const early = FOLLOWERS.filter(({ joinsAfterMs }) => joinsAfterMs === 0);
  // On a busy machine one life may have too few records for the one that joins late.
  for (let begun = 0; begun < LATE_SINCE; ) {
    begun = await engine.live(early, { rate: RATE, loadMs: 600, comesToRest: true });
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await engine.live(FOLLOWERS, { rate: RATE, loadMs: 500 + 97 * kill, comesToRest: false });
  }
  const head = await engine.live(FOLLOWERS, { rate: RATE, loadMs: 200, comesToRest: true });
  engine.check(FOLLOWERS, head);
  t.diagnostic(`${head} records, ${engine.taken.get('slow')?.length} batches of the slow one`);
});
