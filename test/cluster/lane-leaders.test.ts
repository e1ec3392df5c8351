import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LaneMove, type LaneStanding, nextMove } from '../../src/cluster/lanes/lane-leaders.ts';
import { LanePlacement } from '../../src/cluster/leading/lane-placement.ts';
import { VirtualTime } from '../kit/cluster/virtual-time.ts';

const SERVERS = ['n1', 'n2', 'n3'];

function lane(name: string, leader: string, isWhole = true): LaneStanding {
  return { name, leader, servers: [leader, ...SERVERS.filter((server) => server !== leader)], isWhole };
}

function move(used: string, other: string, beside?: string): LaneMove {
  return nextMove(lane('a', used), lane('b', other), beside);
}

describe('the next step to good places of the lanes', () => {
  it('is none where two servers lead them, neither beside the leader', () => {
    assert.deepEqual(move('n2', 'n3', 'n1'), { type: 'None' });
    assert.deepEqual(move('n1', 'n3'), { type: 'None' });
  });

  it('moves the lane that is not used away from the other lane, and from the machine of the leader', () => {
    assert.deepEqual(move('n2', 'n2'), { type: 'Move', lane: 'b', server: 'n1' });
    assert.deepEqual(move('n2', 'n2', 'n1'), { type: 'Move', lane: 'b', server: 'n3' });
    assert.deepEqual(move('n2', 'n1', 'n1'), { type: 'Move', lane: 'b', server: 'n3' });
  });

  it('leaves the lane in use before that is moved', () => {
    assert.deepEqual(move('n1', 'n2', 'n1'), { type: 'Leave' });
    assert.deepEqual(nextMove(lane('b', 'n2'), lane('a', 'n1'), 'n1'), { type: 'Move', lane: 'a', server: 'n3' });
  });

  it('moves nothing while a server is away or behind, and asks for no move that is not needed', () => {
    const moves = [
      nextMove(lane('a', 'n2', false), lane('b', 'n2'), undefined),
      nextMove(lane('a', 'n2'), lane('b', 'n1', false), 'n1'),
      nextMove(lane('a', ''), lane('b', ''), 'n1'),
    ];
    assert.deepEqual(
      moves.map(({ type }) => type),
      ['Later', 'Later', 'Move'],
    );
    assert.deepEqual(nextMove(lane('a', 'n2', false), lane('b', 'n3', false), 'n1'), { type: 'None' });
  });

  it('comes to good places from any, with each move carried out, in four steps at most', () => {
    for (const a of SERVERS) {
      for (const b of SERVERS) {
        for (const beside of [undefined, ...SERVERS]) {
          const leaders: Record<string, string> = { a, b };
          let [used, other] = ['a', 'b'] as [string, string];
          let steps = 0;
          for (; steps < 5; steps += 1) {
            const step = nextMove(lane(used, leaders[used] ?? ''), lane(other, leaders[other] ?? ''), beside);
            if (step.type === 'None') break;
            if (step.type === 'Leave') [used, other] = [other, used];
            if (step.type === 'Move') leaders[step.lane] = step.server;
          }
          assert.ok(steps < 4, `${a} ${b} beside ${beside}`);
          assert.notEqual(leaders.a, leaders.b);
          assert.ok(!Object.values(leaders).includes(beside ?? 'none'));
        }
      }
    }
  });
});

/** A leader over lanes whose leaders a test says. */
function leading(place: (used: string) => Promise<LaneMove>) {
  const time = new VirtualTime();
  const looks: number[] = [];
  const moved: string[] = [];
  const journal = {
    lane: 'a',
    leaveLane: () => {
      journal.lane = journal.lane === 'a' ? 'b' : 'a';
    },
  };
  const looked = (used: string): Promise<LaneMove> => {
    looks.push(time.now);
    return place(used);
  };
  const parts = {
    time: time.of(),
    random: () => 0,
    place: looked,
    journal,
    moved: (words: string) => moved.push(words),
  };
  new LanePlacement(parts).start();
  return { time, looks, moved, journal };
}

describe('a leader that places its lanes', () => {
  it('takes one step after the other soon after it has begun, and looks again each two seconds', async () => {
    const leaders: Record<string, string> = { a: 'n1', b: 'n2' };
    const { time, looks, moved, journal } = leading(async (used) => {
      const other = used === 'a' ? 'b' : 'a';
      const step = nextMove(lane(used, leaders[used] ?? ''), lane(other, leaders[other] ?? ''), 'n1');
      if (step.type === 'Move') leaders[step.lane] = step.server;
      return step;
    });
    await time.run(6_000);
    assert.deepEqual(looks, [500, 1_000, 1_500, 3_500, 5_500]);
    assert.deepEqual(moved, ['lane a is to be led by the log server n3']);
    assert.equal(journal.lane, 'b');
  });

  it('gives a log some seconds that moves lanes back or does not answer', async () => {
    const back = leading(async () => ({ type: 'Move', lane: 'b', server: 'n3' }));
    await back.time.run(30_000);
    assert.deepEqual(
      back.looks,
      [500, 1_000, 1_500, 2_000, 12_000, 12_500, 13_000, 13_500, 23_500, 24_000, 24_500, 25_000],
    );
    const silent = leading(() => Promise.reject(new Error('no answer')));
    await silent.time.run(1_900);
    assert.deepEqual(silent.looks, [500, 1_000, 1_500]);
    assert.deepEqual(silent.moved, []);
  });
});
