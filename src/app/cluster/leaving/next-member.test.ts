import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Member } from '../../../cluster/cluster-file.ts';
import { nextMember } from './next-member.ts';

const members = ['one', 'two', 'three'].map((name) => ({ name, publicUrl: `http://${name}` }) as Member);

/** The name of the member that follows the one at `rank`, when those of these names are ready. */
async function next(rank: number, ready: readonly string[]): Promise<string | undefined> {
  const found = await nextMember({ members }, rank, async (url) => ready.includes(url.slice('http://'.length)));
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
  assert.equal(await nextMember({ members: members.slice(0, 1) }, 0, async () => true), undefined);
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
  const five = urls.map((publicUrl, index) => ({ name: String(index), publicUrl }) as Member);
  try {
    assert.equal((await nextMember({ members: five }, 0))?.name, '4');
    assert.deepEqual(new Set(targets), new Set(['/readyz?follower=ok']));
  } finally {
    for (const [, end] of servers) end();
  }
});
