import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseClusterFile, readClusterFile } from '../../src/cluster/cluster-file.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** The texts that show a cluster file, each with one in it. */
const SHOWN = ['docs/cluster/README.md', 'deploy/compose/cluster.json', 'deploy/kubernetes/cluster-file.yaml'];

const MEMBERS = ['one', 'two'].map((name) => ({ name, publicUrl: `https://${name}.example:8080` }));
const SERVERS = ['n1', 'n2', 'n3'].map((name, index) => ({
  name,
  url: `nats://10.0.1.${index + 1}:4222`,
  monitor: `http://10.0.1.${index + 1}:8222`,
}));
const FILE = { name: 'sauda', members: MEMBERS, log: { servers: SERVERS } };

function parsed(file: unknown): ReturnType<typeof parseClusterFile> {
  return parseClusterFile(JSON.stringify(file), '/etc/sauda/cluster.json');
}

function faultsOf(file: unknown): readonly string[] {
  const result = parsed(file);
  assert.ok(!result.ok, 'it is refused');
  return result.error.map((line) => line.replace('/etc/sauda/cluster.json: ', ''));
}

describe('the cluster file', () => {
  it('gives members and log, with names of lanes and times where it names none', () => {
    const result = parsed(FILE);
    assert.ok(result.ok);
    const { log, ...rest } = result.value;
    assert.deepEqual(rest, { path: '/etc/sauda/cluster.json', name: 'sauda', members: MEMBERS, silenceMs: 600 });
    assert.deepEqual(log, {
      type: 'Servers',
      servers: SERVERS,
      lanes: { a: 'sauda-a', b: 'sauda-b' },
      access: {},
      keepHours: 72,
    });
  });

  it('is right where documents and manifests show one', () => {
    for (const path of SHOWN) {
      const [text = ''] = /^ *\{\n.*^ *\}$/ms.exec(readFileSync(join(PROJECT, path), 'utf8')) ?? [];
      const result = parseClusterFile(text, path);
      assert.deepEqual(result.ok ? [] : result.error, []);
    }
  });

  it('takes paths from its own folder', () => {
    const access = { user: 'u', passwordFile: 'secret', tls: { ca: '../ca.pem', cert: '/c.pem', key: 'k.pem' } };
    const result = parsed({ ...FILE, log: { servers: SERVERS, ...access } });
    assert.ok(result.ok && result.value.log.type === 'Servers');
    assert.deepEqual(result.value.log.access, {
      user: 'u',
      passwordFile: '/etc/sauda/secret',
      tls: { ca: '/etc/ca.pem', cert: '/c.pem', key: '/etc/sauda/k.pem' },
    });
    const folder = parsed({ ...FILE, log: { folder: 'log' } });
    assert.ok(folder.ok);
    assert.deepEqual(folder.value.log, { type: 'Folder', folder: '/etc/sauda/log' });
  });

  it('names every field that is wrong, missing or not of it', () => {
    const [first, ...others] = SERVERS;
    const wrong = {
      name: 'a b',
      members: [{ name: 'one', publicUrl: 'one:8080', host: 'x' }, { name: 'two' }],
      log: { servers: [{ ...first, url: 'nats://me:secret@10.0.0.1' }, ...others] },
      silence: 5,
    };
    assert.deepEqual(faultsOf(wrong).toSorted(), [
      'log.servers[0].url must be an address such as nats://10.0.0.1:4222, without a user',
      'members[0].host is not a field of a cluster file',
      'members[0].publicUrl must be an address such as https://one.example:8080',
      'members[1].publicUrl is missing',
      'name must be a name of letters, digits and -',
      'silence is not a field of a cluster file',
    ]);
    assert.deepEqual(faultsOf({ ...FILE, silenceMs: 5, log: { servers: SERVERS, keepHours: 0.5 } }), [
      'log.keepHours must be a whole number from 1 to 8760',
      'silenceMs must be a whole number of milliseconds from 300 to 30000',
    ]);
    assert.deepEqual(faultsOf([]), ['the content must be an object']);
  });

  it('refuses values that are right each by itself and contradict each other', () => {
    const [first, second] = SERVERS;
    assert.deepEqual(faultsOf({ ...FILE, log: {} }), ['log must have either servers or a folder']);
    assert.deepEqual(faultsOf({ ...FILE, log: { folder: 'x', keepHours: 5 } }), [
      'log.keepHours is for a log of servers alone',
    ]);
    assert.deepEqual(faultsOf({ ...FILE, log: { servers: [first, second] } }), ['log.servers must be 3 servers']);
    const same = { servers: [first, second, { ...first, name: 'n3' }], lanes: { a: 'x', b: 'x' }, user: 'u' };
    assert.deepEqual(faultsOf({ ...FILE, members: [MEMBERS[0], MEMBERS[0]], log: same }), [
      'members[1].name is that of members[0] too',
      'members[1].publicUrl is that of members[0] too',
      'log.servers[2].url is that of log.servers[0] too',
      'log.servers[2].monitor is that of log.servers[0] too',
      'log.lanes.b must be another lane than a',
      'log.user and log.passwordFile go together',
    ]);
  });

  it('names the log server on the machine of a member, which is one of the log', () => {
    const [one, two] = MEMBERS;
    const result = parsed({ ...FILE, members: [{ ...one, logServer: 'n2' }, two] });
    assert.ok(result.ok);
    assert.deepEqual(
      result.value.members.map(({ logServer }) => logServer),
      ['n2', undefined],
    );
    const wrong = [
      { ...one, logServer: 'n4' },
      { ...two, logServer: 'n1' },
    ];
    assert.deepEqual(faultsOf({ ...FILE, members: wrong }), ['members[0].logServer is not a server of the log: n4']);
    assert.deepEqual(faultsOf({ ...FILE, members: wrong, log: { folder: 'log' } }), [
      'members[0].logServer is not a server of the log: n4',
      'members[1].logServer is not a server of the log: n1',
    ]);
  });

  it('says that a file is not there, or is not JSON, without its text', () => {
    const missing = readClusterFile('/nowhere/cluster.json');
    assert.deepEqual(missing, {
      ok: false,
      error: ['/nowhere/cluster.json cannot be read: there is no such file or folder'],
    });
    const text = parseClusterFile('{"password": "hunter2", }', 'c.json');
    assert.deepEqual(text, { ok: false, error: ['c.json is not JSON'] });
  });
});
