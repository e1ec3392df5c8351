import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { DELIVERY_ORDER } from '../audit/delivery-order.ts';
import { type CommandResult, StartedService, sauda, temporaryFolder } from './started-service.ts';

const JOURNAL = ['journal', 'high-water-mark', 'snapshots'];
const folder = temporaryFolder();
const copies = temporaryFolder();
const older = join(copies.path, 'older');
const newer = join(copies.path, 'newer');
const anchor = join(copies.path, 'anchor');

before(async () => {
  const data = folder.path;
  assert.equal(await (await StartedService.start(data, { SAUDA_AUDIT_ANCHOR: anchor })).end('SIGTERM'), 0);
  cpSync(data, older, { recursive: true });
  const service = await StartedService.start(data, { SAUDA_AUDIT_ANCHOR: anchor });
  await place(service);
  assert.equal(await service.end('SIGTERM'), 0);
  cpSync(data, newer, { recursive: true });
});

after(async () => {
  await folder.remove();
  await copies.remove();
});

/** Places an order as the demo user without one-time codes. */
async function place(service: StartedService): Promise<void> {
  const users = service.demoUsers();
  const { userId, vendorCode, apiKey, password } = must(
    users.find(({ totpSecret }) => totpSecret === undefined),
    'a demo user without one-time codes',
  );
  const digest = createHash('sha256').update(password).digest('hex');
  const login = await service.call('login', { userId, password: digest, vendorCode, apiKey });
  const { susertoken: jKey } = login.body.data as { susertoken: string };
  const placed = await service.call('placeOrder', { userId, jKey, ...DELIVERY_ORDER, price: '1000', remarks: '' });
  assert.equal(placed.status, 200, JSON.stringify(placed.body));
}

/** Makes the data folder one of the copies, with these parts of the other copy in place of its own. */
function lay(from: string, parts: readonly string[] = [], other = older): void {
  rmSync(folder.path, { recursive: true });
  cpSync(from, folder.path, { recursive: true });
  for (const part of parts) {
    rmSync(join(folder.path, part), { recursive: true });
    if (other !== '') cpSync(join(other, part), join(folder.path, part), { recursive: true });
  }
}

function start(...flags: string[]): Promise<CommandResult> {
  return sauda(['start', '--port', '0', '--operator-port', '0', '--data', folder.path, ...flags]);
}

/** The sequence number that a refused start names. */
function offered({ code, stderr }: CommandResult, words: RegExp): string {
  assert.equal(code, 65, stderr);
  assert.match(stderr, words);
  return must(/--accept-loss=(\d+)/.exec(stderr)?.[1], stderr);
}

const SHORTER = /the journal ends at \d+, and the audit trail \S+audit names record \d+; start with --accept-loss=\d+/;

test('an older journal beside the audit trail of a newer one is refused until its end is accepted', async () => {
  lay(newer, JOURNAL);
  const end = offered(await start(), SHORTER);
  const beyond = await start('--accept-loss', String(Number(end) + 1));
  assert.equal(offered(beyond, SHORTER), end, 'a refused start changes nothing');
  const accepted = await StartedService.start(folder.path, {}, [
    process.execPath,
    join(import.meta.dirname, '..', '..', '..', 'bin', 'sauda.mjs'),
    'start',
    '--accept-loss',
    end,
  ]);
  await place(accepted);
  assert.equal(await accepted.end('SIGKILL'), 'SIGKILL');
  assert.equal(await (await StartedService.start(folder.path)).end('SIGTERM'), 0, 'it is accepted once and for all');
});

test('an older copy of all is refused where an anchor remembers a later trail', async () => {
  lay(older);
  const words = /the audit trail \S+audit ends at line \d+, and \S+anchor remembers line \d+/;
  offered(await start('--audit-anchor', anchor), words);
});

test('a journal that is gone is not begun again beside its audit trail', async () => {
  lay(newer, JOURNAL, '');
  assert.equal(offered(await start(), SHORTER), '0');
  lay(newer, [...JOURNAL, 'identity'], '');
  const without = await start();
  assert.equal(without.code, 78, without.stderr);
  assert.match(without.stderr, /identity is missing/);
});
