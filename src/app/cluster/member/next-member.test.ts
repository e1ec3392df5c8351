import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { ListedMember } from '../../../cluster/cluster-file.ts';
import { isReadyToLead, nextMember, type Standing } from './next-member.ts';

const members = ['one', 'two', 'three'].map((name) => ({ name, publicUrl: `http://${name}` }) as ListedMember);

/** The name of the member that follows the one at `rank`, when those of these names are ready. */
async function next(rank: number, ready: readonly string[]): Promise<string | undefined> {
  const found = await nextMember({ members }, rank, async (url) =>
    ready.includes(url.slice('http://'.length)) ? 'Ready' : 'Away',
  );
  return found?.name;
}

test('the place goes to the next member of the file that is ready, round its end', async () => {
  assert.equal(await next(0, ['one', 'two', 'three']), 'two');
  assert.equal(await next(0, ['three']), 'three');
  assert.equal(await next(2, ['one', 'two', 'three']), 'one');
  assert.equal(await next(2, ['two', 'three']), 'two');
});

test('when no member is ready the place goes to the next one, and nowhere where there is none', async () => {
  assert.equal(await next(1, ['two']), 'three');
  assert.equal(await nextMember({ members: members.slice(0, 1) }, 0, async () => 'Ready'), undefined);
});

/** Members of which each stands as in its list, one look after the other, and as at its end from then on. */
function course(standings: Readonly<Record<string, readonly Standing[]>>): (url: string) => Promise<Standing> {
  const looks = new Map<string, number>();
  return async (url) => {
    const name = url.slice('http://'.length);
    const look = looks.get(name) ?? 0;
    looks.set(name, look + 1);
    return standings[name]?.[look] ?? standings[name]?.at(-1) ?? 'Away';
  };
}

test('a leader waits for a member that starts, whether it is the next one or another one', async () => {
  const next = course({ two: ['NotReady', 'NotReady', 'Ready'], three: ['Ready'] });
  assert.equal((await nextMember({ members }, 0, next))?.name, 'two');
  let looks = 0;
  const third = course({ two: ['Ready'], three: ['NotReady', 'NotReady', 'Ready'] });
  const counted = (url: string): Promise<Standing> => {
    looks += 1;
    return third(url);
  };
  assert.equal((await nextMember({ members }, 0, counted))?.name, 'two');
  assert.equal(looks, 6);
});

test('a leader does not wait for ever for a member that starts', async () => {
  const found = await nextMember({ members }, 0, course({ two: ['NotReady'], three: ['Ready'] }));
  assert.equal(found?.name, 'three');
});

test('a member that is named has to become ready', async () => {
  assert.ok(await isReadyToLead({ members }, 0, 'three', course({ two: ['Away'], three: ['NotReady', 'Ready'] })));
  assert.ok(!(await isReadyToLead({ members }, 0, 'two', course({ two: ['Away'], three: ['Ready'] }))));
});

test('a member is asked at its V1 address: one that refuses, is away or is silent is not ready', async () => {
  const targets: string[] = [];
  const serverOf = async (status: number | undefined): Promise<[string, () => void]> => {
    const server = createServer((request, response) => {
      targets.push(request.url ?? '');
      if (status !== undefined) response.writeHead(status).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = (): void => {
      server.closeAllConnections();
      server.close();
    };
    return [`http://127.0.0.1:${port}`, close];
  };
  const servers = [await serverOf(503), await serverOf(undefined), await serverOf(200)];
  const [away, close] = await serverOf(200);
  close();
  const urls = ['http://127.0.0.1:1', away, ...servers.map(([url]) => url)];
  const five = urls.map((publicUrl, index) => ({ name: String(index), publicUrl }) as ListedMember);
  try {
    // The first request of a process loads the client of HTTP: on a busy machine that may be longer than the wait.
    await fetch(`${urls[4]}/readyz?follower=ok`);
    assert.equal((await nextMember({ members: five }, 0))?.name, '4');
    assert.deepEqual(new Set(targets), new Set(['/readyz?follower=ok']));
  } finally {
    for (const [, end] of servers) end();
  }
});
