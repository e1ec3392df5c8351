import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { WallMs } from '../../../src/base/time.ts';
import { openLanes } from '../../../src/cluster/lanes/open-lanes.ts';
import type { Epoch } from '../../../src/cluster/message.ts';
import { encodeMessage } from '../../../src/cluster/message-codec.ts';
import { freePorts } from '../../kit/cluster/free-ports.ts';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

const EXIT_CONFIG = 78;

const scratch = temporaryFolder();
const [one, two] = [join(scratch.path, 'one'), join(scratch.path, 'two')];
const file = join(scratch.path, 'desk.json');
const running: StartedService[] = [];

after(async () => {
  await Promise.all(running.map((service) => service.end('SIGKILL')));
  await scratch.remove();
});

test('the first start makes an identity, and a later new folder is refused while no member answers', async () => {
  const ports = await freePorts(4);
  const members = ['one', 'two'].map((name, rank) => {
    return { name, publicUrl: `http://127.0.0.1:${ports[2 * rank]}` };
  });
  writeFileSync(file, JSON.stringify({ name: 'desk', members, log: { folder: 'log' } }));
  assert.equal((await sauda(['cluster', 'init', '--cluster', file])).code, 0);
  const settings = (rank: 0 | 1): Record<string, string> => {
    const [port, operatorPort] = ports.slice(2 * rank).map(String) as [string, string];
    return {
      SAUDA_PORT: port,
      SAUDA_OPERATOR_PORT: operatorPort,
      SAUDA_CLUSTER: file,
      SAUDA_MEMBER: `${members[rank]?.name}`,
    };
  };
  const first = await StartedService.start(one, settings(0));
  running.push(first);
  assert.ok(existsSync(join(one, 'identity')));
  assert.match(first.output, /two was not compared with this one: it does not answer/);
  assert.equal(await first.end('SIGKILL'), 'SIGKILL');

  const refused = await sauda(['start', '--data', two], settings(1));
  assert.equal(refused.code, EXIT_CONFIG);
  assert.match(refused.stderr, /sauda cluster provision/);
  assert.equal(existsSync(two), false, 'nothing was written, so the folder can be provisioned');
});

test('a lane with a fence and nothing else refuses a new folder', async () => {
  const other = join(scratch.path, 'other.json');
  const log = { type: 'Folder', folder: join(scratch.path, 'other-log') } as const;
  const member = { name: 'one', publicUrl: 'http://127.0.0.1:1' };
  writeFileSync(other, JSON.stringify({ name: 'other', members: [member], log: { folder: 'other-log' } }));
  mkdirSync(log.folder);
  const lanes = await openLanes({ log });
  const fence = { type: 'Epoch', epoch: 1 as Epoch, wall: 1 as WallMs, member: 'one', handedOver: false } as const;
  await lanes.a.append(0, encodeMessage(fence));
  await lanes.close();
  const refused = await sauda(['start', '--cluster', other, '--member', 'one', '--data', two]);
  assert.equal(refused.code, EXIT_CONFIG, refused.stderr);
});
