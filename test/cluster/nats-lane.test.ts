import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { initLanes } from '../../src/cluster/init-lanes.ts';
import { checkLog } from '../../src/cluster/start-gate.ts';
import { readTo, settle } from '../kit/cluster/lane-contract.ts';
import { NatsCluster } from '../kit/cluster/nats-cluster.ts';
import { lanesOf, makeLanes } from '../kit/cluster/nats-lane-kind.ts';
import { hasServerProgram } from '../kit/cluster/nats-server.ts';

/**
 * A log of three servers in short; `test/faults/cluster` has the whole contract of its lanes, and its faults. npm has
 * the server for Linux on x64 alone: elsewhere these tests are not there.
 */
if (hasServerProgram()) describe('lanes on three servers', onServers);

function onServers(): void {
  let cluster: NatsCluster;
  before(async () => {
    cluster = await NatsCluster.start();
  });
  after(() => cluster.close());

  it('are made once, with leaders on different servers, and pass the gate', async () => {
    const file = { path: 'cluster.json', name: 'short', members: [], log: cluster.log(), silenceMs: 600 };
    const before = await checkLog(file);
    assert.deepEqual(before.faults, [
      'there is no lane lane-a: "sauda cluster init" makes it',
      'there is no lane lane-b: "sauda cluster init" makes it',
    ]);
    const first = await initLanes(file);
    assert.ok(first.ok, JSON.stringify(first));
    assert.ok(first.value.includes('lane lane-a is led by n1, lane lane-b by n2'), first.value.join('\n'));
    const again = await initLanes(file);
    assert.ok(again.ok && again.value.includes('lane lane-a is there, with 0 messages'), JSON.stringify(again));
    assert.deepEqual((await checkLog(file)).faults, []);
    const other = { ...file, name: 'other' };
    const refused = [
      'lane lane-a is one of the cluster short, not of other',
      'lane lane-b is one of the cluster short, not of other',
    ];
    assert.deepEqual((await checkLog(other)).faults, refused);
    assert.deepEqual(await initLanes(other), { ok: false, error: refused });
    const moved = { ...file, log: cluster.log({ a: 'lane-c', b: 'lane-d' }) };
    const made = await initLanes(moved);
    assert.ok(!made.ok && made.error[0]?.startsWith('the stream lane-a is a lane of the cluster short too'));
  });

  it('take one of two writers behind the same message, and show it to both', async () => {
    await makeLanes(cluster, 'pair');
    const [one, two] = [await lanesOf(cluster, 'pair'), await lanesOf(cluster, 'pair')];
    for (let race = 0; race < 5; race += 1) {
      const outcomes = await Promise.all([
        settle(one.a, race, Buffer.from(`one ${race}`)),
        settle(two.a, race, Buffer.from(`two ${race}`)),
      ]);
      assert.deepEqual(outcomes.map(({ won }) => won).sort(), [false, true]);
      const winner = outcomes[0].won ? 'one' : 'two';
      for (const { a } of [one, two]) {
        const [message] = await readTo(a, race + 1, race);
        assert.equal(message && Buffer.from(message.bytes).toString(), `${winner} ${race}`);
      }
    }
    await Promise.all([one.close(), two.close()]);
  });
}
