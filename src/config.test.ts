import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type Config, type ConfigSources, isLoopback, loadConfig, offersDemoLogin } from './config.ts';

function load(sources: Partial<ConfigSources>): Config {
  const result = loadConfig({ flags: {}, env: {}, readFile: () => undefined, ...sources });
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function faults(sources: Partial<ConfigSources>): readonly string[] {
  const result = loadConfig({ flags: {}, env: {}, readFile: () => undefined, ...sources });
  assert.equal(result.ok, false);
  return result.ok ? [] : result.error;
}

test('nothing given is the published defaults', () => {
  const config = load({});
  assert.deepEqual(
    [config.port, config.host, config.operatorPort, config.data, config.hours, config.rateLimit, config.demo],
    [8080, '127.0.0.1', 8081, resolve('.sauda'), 'always', 'off', 'on'],
  );
  assert.equal(config.given.size, 0);
  assert.ok(Object.isFrozen(config));
});

test('a flag goes before the environment, that before the file, that before the default', () => {
  const file = JSON.stringify({ port: 1111, operatorPort: 2222, seed: '3333' });
  const config = load({
    flags: { port: '1' },
    env: { SAUDA_PORT: '11', SAUDA_OPERATOR_PORT: '22' },
    readFile: () => file,
  });
  assert.deepEqual([config.port, config.operatorPort, config.seed, config.log], [1, 22, 3333, 'warn']);
  assert.deepEqual([...config.given].sort(), ['operatorPort', 'port', 'seed']);
});

test('the file is the one that is named, else the one in the data folder', () => {
  const asked: string[] = [];
  const readFile = (path: string): string => {
    asked.push(path);
    return '{}';
  };
  load({ env: { SAUDA_DATA: 'here' }, readFile });
  load({ flags: { config: 'named.json' }, env: { SAUDA_DATA: 'here' }, readFile });
  assert.deepEqual(asked, [resolve('here', 'sauda.json'), 'named.json']);
});

test('every fault is named at once, with the place where it stands', () => {
  const lines = faults({
    flags: { port: '80800' },
    env: { SAUDA_HOURS: 'sometimes', SAUDA_PROT: '1', SAUDA_SEED: '-1', SAUDA_URL: 'x' },
    readFile: () => '{"snapshotRecords": "few", "colour": 1, "log": true, "data": "x"}',
  });
  for (const word of [
    '--port',
    'SAUDA_HOURS',
    'SAUDA_PROT',
    'SAUDA_SEED',
    'snapshotRecords in',
    'colour in',
    'log in',
    'data in',
  ]) {
    assert.equal(lines.filter((line) => line.startsWith(word)).length, 1, `${word} in ${JSON.stringify(lines)}`);
  }
  assert.equal(lines.length, 8);
});

test('a file that is not JSON, not an object or not there is reported', () => {
  assert.match(faults({ readFile: () => '{' })[0] ?? '', /is not JSON/);
  assert.match(faults({ readFile: () => '[]' })[0] ?? '', /one JSON object/);
  assert.match(faults({ flags: { config: 'gone.json' } })[0] ?? '', /there is no file gone\.json/);
});

test('a path with a byte 0, which a file of settings can spell, is refused', () => {
  const text = JSON.stringify({ data: 'x\u0000y', cluster: 'c\u0000.json', archive: '\u0000' });
  const [data = '', ...others] = faults({ flags: { config: 'named.json' }, readFile: () => text })
    .toSorted()
    .reverse();
  assert.match(data, /^data in named\.json is "x\\u0000y": it must be the path of a folder$/);
  assert.deepEqual(
    others.map((line) => line.split(' ')[0]),
    ['cluster', 'archive'],
  );
});

test('the two ports must differ unless both are free ones', () => {
  assert.match(faults({ flags: { port: '9000', operatorPort: '9000' } })[0] ?? '', /both 9000/);
  assert.equal(load({ flags: { port: '0', operatorPort: '0' } }).port, 0);
});

test('loopback addresses are distinguished from all others', () => {
  assert.deepEqual(['127.0.0.1', '127.1.2.3', '::1', 'localhost'].map(isLoopback), [true, true, true, true]);
  assert.deepEqual(
    ['0.0.0.0', '::', '10.0.0.1', 'example.com', '127.0.0.1.example.com'].map(isLoopback),
    Array(5).fill(false),
  );
});

test('TLS needs certificate and key, and nothing leaves the machine in the clear unasked', () => {
  const [both] = faults({ flags: { tlsCert: 'c.pem' } });
  assert.match(both ?? '', /--tls-cert and --tls-key go together/);
  const [clear] = faults({ env: { SAUDA_HOST: '0.0.0.0' } });
  assert.match(clear ?? '', /0\.0\.0\.0 is not loopback.*--tls-cert.*--insecure/);
  assert.equal(load({ flags: { host: '0.0.0.0', insecure: 'on' } }).host, '0.0.0.0');
  const config = load({ flags: { host: '::', tlsCert: 'c.pem', tlsKey: 'k.pem' } });
  assert.deepEqual([config.tlsCert, config.tlsKey], [resolve('c.pem'), resolve('k.pem')]);
  assert.deepEqual([load({}).tlsCert, load({}).insecure], ['', 'off']);
});

test('proxies are addresses and networks, at most as many bits as an address has', () => {
  const proxiesOf = (text: string) => load({ flags: { proxies: text } }).proxies;
  assert.deepEqual(proxiesOf(''), []);
  assert.deepEqual(proxiesOf('10.0.0.1, 10.1.0.0/16,::1,fc00::/7'), ['10.0.0.1', '10.1.0.0/16', '::1', 'fc00::/7']);
  for (const none of ['x', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '/8', '::/129', '10.0.0.0/-1', '10.0.0.1,']) {
    assert.match(faults({ flags: { proxies: none } }).join(), /IP addresses and networks/, none);
  }
});

test('limits of connections are whole numbers within their range', () => {
  const { headSeconds, requestSeconds, keepAliveSeconds, connections, connectionsPerAddress, connectionRequests } =
    load({});
  assert.deepEqual([headSeconds, requestSeconds, keepAliveSeconds], [10, 30, 72]);
  assert.deepEqual([connections, connectionsPerAddress, connectionRequests], [10_000, 1_000, 0]);
  for (const name of ['headSeconds', 'requestSeconds', 'keepAliveSeconds', 'connections'] as const) {
    assert.equal(faults({ flags: { [name]: '0' } }).length, 1, name);
  }
});

test('positions are averaged by the aggregate model unless the running one is named, in any of the three places', () => {
  assert.equal(load({}).avgModel, 'aggregate');
  assert.equal(load({ flags: { avgModel: 'running' } }).avgModel, 'running');
  assert.equal(load({ env: { SAUDA_AVG_MODEL: 'running' } }).avgModel, 'running');
  assert.equal(load({ readFile: () => '{"avgModel": "running"}' }).avgModel, 'running');
  assert.match(
    faults({ flags: { avgModel: 'fifo' } })[0] ?? '',
    /^--avg-model is "fifo": it must be aggregate or running/,
  );
});

test('demo users log in without credentials only where people of this machine alone come, unless it is said', () => {
  const offers = (...flags: readonly Partial<Record<keyof Config, string>>[]) =>
    offersDemoLogin(load({ flags: Object.assign({}, ...flags) }));
  assert.equal(offers({}), true);
  assert.equal(offers({ host: '::1' }), true);
  const reached = [{ hosts: 'sauda.example.com' }, { proxies: '127.0.0.1' }, { host: '0.0.0.0', insecure: 'on' }];
  for (const flags of reached) {
    assert.equal(offers(flags), false, JSON.stringify(flags));
    assert.equal(offers(flags, { demoLogin: 'on' }), true, JSON.stringify(flags));
  }
  assert.equal(offers({ demoLogin: 'off' }), false);
});

test('a start may set the market clock to an instant in IST and to a speed', () => {
  const config = load({ flags: { clock: '2026-11-20T09:00:00', speed: 'x60' } });
  assert.deepEqual([config.clock, config.speed], [Date.parse('2026-11-20T09:00:00+05:30'), 60]);
  const { clock, speed } = load({ env: { SAUDA_SPEED: '0' } });
  assert.deepEqual([clock, speed], ['kept', 0]);
  for (const wrong of ['0.05', '3601', '-1', 'x', '1e3', 'fast'])
    assert.equal(faults({ flags: { speed: wrong } }).length, 1);
  assert.match(faults({ flags: { clock: '09:00' } })[0] ?? '', /it must be a date and time in IST such as 2026-/);
});
