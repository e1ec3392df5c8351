import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SaudaError } from '../../../client/src/errors.ts';
import { Sauda } from '../../../client/src/sauda.ts';
import { FENCED, MEMBERS } from '../../kit/cluster/member-processes.ts';
import { type Change, changedSource } from '../changed-source.ts';
import { longRun, scratchFolder } from '../trials.ts';
import { Clusters, type Scene } from './scene.ts';

const scratch = scratchFolder();

/** A placement with this word throws where it is decided. */
const POISONED: Change = {
  file: 'src/core/decide.ts',
  from: '  const decider = DECIDERS[command.type] as Decider<Command>;\n',
  to:
    '  const decider = DECIDERS[command.type] as Decider<Command>;\n' +
    "  if (command.type === 'PlaceOrder' && command.remarks.startsWith('poison')) throw new TypeError('poisoned');\n",
};

/** Leaders take every command. */
const FATAL_TAKEN: Change = {
  file: 'src/cluster/fatal-commands.ts',
  from: '    return this.digests.size > 0 && this.digests.has(digestOf(command));\n',
  to: '    return false;\n',
};

/** A client goes on with its repeats for this time. */
const REPEATS_MS = 8_000;

/** Places the poisoned order as a client does, again under its key as long as that goes on. */
async function poison({ members }: Scene, number: number): Promise<void> {
  const client = new Sauda({ url: members.urls, userId: 'SD1001' });
  await client.demoLogin();
  const order = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', transactionType: 'B', priceType: 'MKT' } as const;
  const placed = client.orders.place(
    { ...order, product: 'I', quantity: 1, remarks: `poison ${number}` },
    { signal: AbortSignal.timeout(REPEATS_MS) },
  );
  await assert.rejects(placed, (error) => error instanceof SaudaError && error.ambiguous);
}

/** How often words are in the outputs of all members. */
function countOf({ members }: Scene, words: string): number {
  return MEMBERS.map((name) => members.output(name).split(words).length - 1).reduce((sum, count) => sum + count);
}

/** One poisoned order: one leader ends, with the code of a defect, and the next one takes no repeat of the order. */
async function poisoned(scene: Scene, number: number): Promise<void> {
  const { members } = scene;
  const before = countOf(scene, 'a defect: TypeError: poisoned');
  const refused = countOf(scene, 'a leader has failed at this command');
  const leader = await members.leader();
  const ended = members.ended(leader);
  await poison(scene, number);
  assert.equal(await ended, FENCED, 'a defect and a fence end with the same code');
  assert.equal(countOf(scene, 'a defect: TypeError: poisoned') - before, 1, 'leaders that ended');
  assert.ok(countOf(scene, 'a leader has failed at this command') > refused, 'a repeat is refused');
  await members.leader();
  for (const name of MEMBERS) await members.caughtUp(name);
}

describe('a command that makes the core of a cluster throw (C09)', () => {
  it('ends one leader, and the next one refuses its repeats and trades on', async (t) => {
    const members = { root: changedSource(scratch, 'poisoned', [POISONED]) };
    await Clusters.under(
      t,
      join(scratch, 'thrown'),
      (clusters) => clusters.trials('C09 poisoned command', 1, (scene, _random, number) => poisoned(scene, number)),
      { members },
    );
  });

  longRun('is seen to end more leaders by the same check when its repeats are taken', async (t) => {
    const members = { root: changedSource(scratch, 'taken', [POISONED, FATAL_TAKEN]) };
    const control = Clusters.under(
      t,
      join(scratch, 'control'),
      async (clusters) => {
        await clusters.fault((scene) => poisoned(scene, 0));
      },
      { members, mayFail: true },
    );
    await assert.rejects(control, /leaders that ended/);
  });
});
