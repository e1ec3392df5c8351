/** Members of a cluster that speak TLS, and their renewed certificate. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from 'node:tls';
import { provision } from '../../../src/app/cluster/provision.ts';
import { freePorts } from '../../kit/cluster/free-ports.ts';
import { LAUNCHER, PROJECT, StartedService, sauda, temporaryFolder } from './started-service.ts';

const TLS_FOLDER = join(PROJECT, 'test/kit/tls');
const [FIRST, RENEWED] = ['cert', 'renewed'].map((part) => join(TLS_FOLDER, `only-for-tests.${part}.pem`)) as [
  string,
  string,
];
const LAUNCH = [process.execPath, LAUNCHER];

const scratch = temporaryFolder();
const cert = join(scratch.path, 'cert.pem');
const key = join(scratch.path, 'key.pem');
const file = join(scratch.path, 'desk.json');
const running: StartedService[] = [];

after(async () => {
  await Promise.all(running.map((service) => service.end('SIGKILL')));
  await scratch.remove();
});

/** The fingerprint of the certificate that a service shows to a new connection. */
function shown({ base }: StartedService): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(base).port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on('error', reject);
  });
}

function printOf(path: string): string {
  return new X509Certificate(readFileSync(path)).fingerprint256;
}

async function renew(service: StartedService, path: string): Promise<void> {
  copyFileSync(path, cert);
  service.output = service.output.replaceAll('was read again', '');
  service.child.kill('SIGHUP');
  await service.untilSaid(/the certificate .* was read again/);
}

test('members read a renewed certificate at SIGHUP, a follower for the time when it leads too', async () => {
  copyFileSync(FIRST, cert);
  copyFileSync(join(TLS_FOLDER, 'only-for-tests.key.pem'), key);
  chmodSync(key, 0o600);
  const ports = (await freePorts(4)).map(String);
  const members = ['one', 'two'].map((name, rank) => ({ name, publicUrl: `https://127.0.0.1:${ports[rank]}` }));
  writeFileSync(file, JSON.stringify({ name: 'desk', members, log: { folder: 'log' }, silenceMs: 5_000 }));
  assert.equal((await sauda(['cluster', 'init', '--cluster', file])).code, 0);
  const start = async (rank: 0 | 1, said?: RegExp[]): Promise<StartedService> => {
    const name = `${members[rank]?.name}`;
    const settings = {
      SAUDA_TLS_CERT: cert,
      SAUDA_TLS_KEY: key,
      SAUDA_PORT: `${ports[rank]}`,
      SAUDA_OPERATOR_PORT: `${ports[rank + 2]}`,
      SAUDA_CLUSTER: file,
      SAUDA_MEMBER: name,
      NODE_EXTRA_CA_CERTS: FIRST,
    };
    const service = await StartedService.start(join(scratch.path, name), settings, LAUNCH, said);
    running.push(service);
    return service;
  };
  const one = await start(0);
  await provision(one.data, join(scratch.path, 'two'));
  const two = await start(1, [/Sauda follows\./]);
  for (const service of [one, two]) assert.equal(await shown(service), printOf(FIRST));

  for (const service of [one, two]) {
    await renew(service, RENEWED);
    assert.equal(await shown(service), printOf(RENEWED));
  }
  writeFileSync(cert, 'none');
  two.child.kill('SIGHUP');
  await two.untilSaid(/the certificate .* cannot be used/);
  assert.equal(await shown(two), printOf(RENEWED));

  assert.equal(await one.end('SIGTERM'), 0, 'the leader of a cluster ends in order');
  await two.untilSaid(/Sauda leads/);
  assert.equal(await shown(two), printOf(RENEWED));
  await renew(two, FIRST);
  assert.equal(await shown(two), printOf(FIRST));
  assert.equal(await two.end('SIGTERM'), 0);
});
