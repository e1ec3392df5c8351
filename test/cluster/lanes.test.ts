import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { openFileLane } from '../../src/cluster/lanes/file-lane.ts';
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

const scratch = mkdtempSync(join(tmpdir(), 'sauda-lanes-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

laneContract({
  name: 'in a folder',
  lasts: true,
  races: 50,
  open: (place) => openFileLane(join(scratch, place), place),
  async cutOff({ name }, work) {
    renameSync(join(scratch, name), join(scratch, `${name}-away`));
    await work();
    renameSync(join(scratch, `${name}-away`), join(scratch, name));
  },
});

it('keeps the newest messages of a lane in a folder, and says that the older ones are gone', async () => {
  const size = { shelfMessages: 10, keptShelves: 2 };
  const lane = await openFileLane(join(scratch, 'aging'), 'aging', size);
  for (let last = 0; last < 45; ) {
    const { type } = await lane.append(last, Buffer.from(`${last + 1}`));
    if (type !== 'Unknown') last += 1;
  }
  assert.equal(await lane.last(), 45);
  await assert.rejects(lane.read(28), { name: 'LaneTrimmed' });
  const kept = await lane.read(29);
  assert.deepEqual(
    kept.map(({ bytes }) => Number(Buffer.from(bytes).toString())),
    Array.from({ length: 16 }, (_, index) => index + 30),
  );
  for (const wrong of [0, 9, 28]) assert.notEqual((await lane.append(wrong, Buffer.from('x'))).type, 'Stored');
  assert.equal(await lane.last(), 45);
  await lane.close();
});

it('removes drafts of processes that are gone from a folder, and no others', async () => {
  const folder = join(scratch, 'drafts');
  const first = await openFileLane(folder, 'drafts');
  await first.append(0, Buffer.from('a'));
  const gone = 'message-1.4194305.new';
  const own = `message-900.${process.pid}.new`;
  for (const name of [gone, own]) writeFileSync(join(folder, name), 'half');
  await (await openFileLane(folder, 'drafts')).close();
  assert.deepEqual(readdirSync(folder).sort(), [own, 'shelf-000000000000']);
  assert.equal((await first.read(0)).length, 1);
});
