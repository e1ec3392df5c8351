import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Random } from '../../../src/base/random.ts';
import type { AppendOutcome, Lane } from '../../../src/cluster/lanes/lane.ts';
import { LogServers } from '../../../src/cluster/lanes/nats/log-servers.ts';
import { placeLeader } from '../../../src/cluster/lanes/nats/stream-leaders.ts';
import { lastOf, readTo, settle } from '../../kit/cluster/lane-contract.ts';
import { NatsCluster, SERVER_NAMES, type ServerName } from '../../kit/cluster/nats-cluster.ts';
import { type CutLanes, lanesOf, makeLanes, streamsOf } from '../../kit/cluster/nats-lane-kind.ts';
import { changedSource } from '../changed-source.ts';
import { IS_LONG, scratchFolder, trials } from '../trials.ts';
import { NOT_FENCED } from './not-fenced.ts';

/** Messages that are written before the fault and after it. */
const CALM = 20;
/** Some faults are over before the log elects another leader, which takes 4 to 9 seconds, and some are not. */
const SHORTEST_MS = 500;
const LONGEST_MS = 11_000;
/** Between two looks of a leader at the places of the lanes. */
const LOOK_MS = 200;
const MOST_LOOKS = 150;

const scratch = scratchFolder();

/** A fault of a server, and its end. */
interface Fault {
  readonly name: string;
  begin(cluster: NatsCluster, server: ServerName, random: Random): Promise<void> | void;
  end(cluster: NatsCluster, server: ServerName): Promise<void> | void;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'the death of a server',
    begin: (cluster, server) => cluster.server(server).kill(),
    end: (cluster, server) => cluster.server(server).start(),
  },
  {
    name: 'a server that stops and goes on',
    begin: (cluster, server) => cluster.server(server).pause(),
    end: (cluster, server) => cluster.server(server).goOn(),
  },
  {
    name: 'a server that is cut off from the others',
    begin: (cluster, server) => cluster.isolate(server),
    end: (cluster) => cluster.heal(),
  },
  {
    name: 'a server that hears and is not heard',
    begin: (cluster, server) => {
      for (const other of SERVER_NAMES) if (other !== server) cluster.cutOneWay(server, other);
    },
    end: (cluster) => cluster.heal(),
  },
];

/** Writers that append one after the other for as long as they run, and each message that was acknowledged to them. */
class Writers {
  readonly stored = new Map<number, string>();
  private running = true;
  private readonly done: Promise<unknown>;

  constructor(lanes: readonly Lane[], trial: string) {
    this.done = Promise.all(lanes.map((lane, writer) => this.write(lane, `${trial} writer ${writer}`)));
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  /** Waits until `count` more messages are stored. */
  async more(count: number): Promise<void> {
    const wanted = this.stored.size + count;
    while (this.stored.size < wanted) {
      const pause = new Promise((resolve) => setTimeout(resolve, 10));
      await Promise.race([pause, this.done]);
    }
  }

  private async write(lane: Lane, name: string): Promise<void> {
    for (let index = 0; this.running; index += 1) {
      const text = `${name} message ${index}`;
      const { won, position } = await settle(lane, await lastOf(lane), Buffer.from(text));
      if (!won) continue;
      assert.equal(this.stored.get(position), undefined, `two messages are stored at ${position}`);
      this.stored.set(position, text);
    }
  }
}

describe('a lane whose servers fail', () => {
  let cluster: NatsCluster;
  let lanes: readonly CutLanes[];
  before(async () => {
    cluster = await NatsCluster.start();
    await makeLanes(cluster, 'failing');
    lanes = await Promise.all([lanesOf(cluster, 'failing'), lanesOf(cluster, 'failing')]);
  });
  after(async () => {
    await Promise.all((lanes ?? []).map((each) => each.close()));
    await cluster.close();
  });

  // A short run has the death of a server and one that stops.
  for (const fault of IS_LONG ? FAULTS : FAULTS.slice(0, 2)) {
    it(`keeps each stored message at its place, once, through ${fault.name}`, async (t) => {
      await trials(t, `lane: ${fault.name}`, 1, async (random, number) => {
        const server = SERVER_NAMES[random.below(SERVER_NAMES.length)] as ServerName;
        const own = lanes.map(({ a }) => a);
        const writers = new Writers(own, `trial ${number} of ${fault.name}`);
        await writers.more(CALM);
        await fault.begin(cluster, server, random);
        await new Promise((resolve) => setTimeout(resolve, random.between(SHORTEST_MS, LONGEST_MS)));
        await fault.end(cluster, server);
        await writers.more(CALM);
        await writers.stop();
        await cluster.ready();
        await checkStored(own[number % own.length] as Lane, writers.stored);
        return writers.stored.size;
      });
    });
  }

  it('stores nothing in a minority, and takes the message when the majority is there again', async () => {
    const [one] = lanes as [CutLanes];
    const last = await lastOf(one.b);
    cluster.server('n1').pause();
    cluster.server('n2').pause();
    assert.deepEqual(await one.b.append(last, Buffer.from('a')), { type: 'Unknown' });
    cluster.server('n1').goOn();
    cluster.server('n2').goOn();
    assert.ok((await settle(one.b, last, Buffer.from('a'))).won);
    assert.equal((await readTo(one.b, await lastOf(one.b), last)).length, 1);
  });

  for (const beside of [undefined, 'n2', 'n3'] as const) {
    const place = beside === undefined ? '' : `, and neither on the machine of ${beside}`;
    it(`lets two servers lead the lanes when one leads both${place}`, async (t) => {
      const [one] = lanes as [CutLanes];
      const { a, b } = streamsOf('failing');
      const urls = cluster.log().servers.map(({ url }) => url);
      const servers = new LogServers(urls, {});
      t.after(() => servers.close());
      await placeLeader(servers, a, 'n2');
      await placeLeader(servers, b, 'n2');
      // As a leader of the service does: it looks again and again, since replicas that are behind put a move off.
      let used = b;
      const steps: string[] = [];
      for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
        const { type } = await one.place(used, beside).catch(() => ({ type: 'Later' }));
        if (type === 'Leave') used = used === a ? b : a;
        if (type !== 'Later') steps.push(type);
        if (type === 'None') break;
        await sleep(LOOK_MS);
      }
      const found = await one.leaders();
      assert.equal(steps.at(-1), 'None', `lanes led by ${found} after ${steps}`);
      assert.equal(steps[0], 'Move');
      assert.notEqual(found[0], found[1]);
      assert.ok(!found.includes(''));
      if (beside !== undefined) assert.ok(!found.includes(beside), `lanes led by ${found}`);
      // The lane in use was left first where it had to be moved, and stays where it is else.
      assert.equal(steps.includes('Leave'), beside === 'n2');
      if (beside !== 'n2') assert.equal(found[1], 'n2');
    });
  }

  it('takes two messages behind the same one when an append does not name it, which the contract sees', async () => {
    await makeLanes(cluster, 'not-fenced');
    const root = changedSource(scratch, 'not-fenced', [NOT_FENCED]);
    const { openLanes }: typeof import('../../../src/cluster/lanes/open-lanes.ts') = await import(
      pathToFileURL(join(root, 'src/cluster/lanes/open-lanes.ts')).href
    );
    const { a, close } = await openLanes({ log: cluster.log(streamsOf('not-fenced')) });
    const outcomes = [
      await patient(() => a.append(0, Buffer.from('x'))),
      await patient(() => a.append(0, Buffer.from('y'))),
    ];
    assert.deepEqual(outcomes, ['Stored', 'Stored']);
    await close();
  });

  it('sees by its check when a message is not at the place that was acknowledged', async () => {
    const [one] = lanes as [CutLanes];
    const end = await lastOf(one.a);
    await assert.rejects(checkStored(one.a, new Map([[end, 'another text']])), { name: 'AssertionError' });
  });
});

/** Repeats an append until its outcome is known. */
async function patient(append: () => Promise<AppendOutcome>): Promise<AppendOutcome['type']> {
  for (;;) {
    const { type } = await append();
    if (type !== 'Unknown') return type;
  }
}

/** Reads the lane from its begin: every stored message is at its place, and no message is there twice. */
async function checkStored(lane: Lane, stored: ReadonlyMap<number, string>): Promise<void> {
  const found = await readTo(lane, await lastOf(lane));
  const texts = found.map(({ bytes }) => Buffer.from(bytes).toString());
  assert.equal(new Set(texts).size, texts.length, 'a message is there twice');
  const at = new Map(found.map(({ position }, index) => [position, texts[index]]));
  for (const [position, text] of stored) assert.equal(at.get(position), text, `the message at ${position}`);
}
