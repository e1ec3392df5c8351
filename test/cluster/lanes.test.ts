import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Lane } from '../../src/cluster/lanes/lane.ts';
import { MemoryLane, MemoryLog } from '../../src/cluster/lanes/memory-lane.ts';
import { laneContract } from '../kit/cluster/lane-contract.ts';

const logs = new Map<string, MemoryLog>();

function memoryLane(place: string): MemoryLane {
  const log = logs.get(place) ?? new MemoryLog(place);
  logs.set(place, log);
  return new MemoryLane(log);
}

function faultsOf(lane: Lane): MemoryLane['faults'] {
  return (lane as MemoryLane).faults;
}

laneContract({
  name: 'in memory',
  lasts: true,
  races: 200,
  open: async (place) => memoryLane(place),
  async cutOff(lane, work) {
    faultsOf(lane).cut = true;
    await work();
    faultsOf(lane).cut = false;
  },
  async loseAnswer(lane, append) {
    faultsOf(lane).deaf = true;
    const outcome = await append();
    faultsOf(lane).deaf = false;
    return outcome;
  },
});

it('says of a memory lane that messages are gone because of their age', async () => {
  const log = new MemoryLog('short');
  const lane = new MemoryLane(log);
  for (let last = 0; last < 5; last += 1) await lane.append(last, Buffer.from(`${last}`));
  log.trim(3);
  await assert.rejects(lane.read(2), { name: 'LaneTrimmed' });
  assert.deepEqual(
    (await lane.read(3)).map(({ position }) => position),
    [4, 5],
  );
  assert.deepEqual(await lane.append(5, Buffer.from('5')), { type: 'Stored', position: 6 });
});
