import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectSound, expectSoundLog } from '../../src/app/cluster/cluster-work.ts';
import type { ServerLog } from '../../src/cluster/cluster-file.ts';
import type { LogReport, ServerReport, StreamReport } from '../../src/cluster/lanes/nats/log-report.ts';
import { streamSettings } from '../../src/cluster/lanes/nats/stream-settings.ts';
import { checkLog, judge } from '../../src/cluster/start-gate.ts';
import { type CommandFailed, EXIT_CONFIG, EXIT_UNAVAILABLE } from '../../src/os/command-failed.ts';

const NAMES = ['n1', 'n2', 'n3'];
const LOG: ServerLog = {
  type: 'Servers',
  servers: NAMES.map((name) => ({ name, url: `nats://${name}:4222`, monitor: `http://${name}:8222` })),
  lanes: { a: 'lane-a', b: 'lane-b' },
  access: {},
  keepHours: 72,
};

type Found = NonNullable<ServerReport['found']>;
type Stream = NonNullable<StreamReport['found']>;

function serverOf(index: number, change: Partial<Found> = {}): ServerReport {
  const server = LOG.servers[index];
  assert.ok(server);
  const id = `id-${server.name}`;
  const found = { id, name: server.name, version: '2.14.4', cluster: 'log', jetStream: true, maxPayload: 8_388_608 };
  return { server, found: { ...found, ...change }, fault: '', monitor: { id, syncAlways: true } };
}

function laneOf(name: string, leader: string, change: Partial<Stream['config']> = {}): StreamReport {
  const config = { ...streamSettings(name, 'sauda', 72), ...change };
  return { name, found: { config, leader, servers: NAMES, messages: 0 } };
}

const SOUND: LogReport = {
  servers: NAMES.map((_, index) => serverOf(index)),
  lanes: [laneOf('lane-a', 'n1'), laneOf('lane-b', 'n2')],
  others: [],
};

function withServer(report: ServerReport, at = 2): LogReport {
  return { ...SOUND, servers: SOUND.servers.with(at, report) };
}

function withLane(report: StreamReport): LogReport {
  return { ...SOUND, lanes: [report, laneOf('lane-b', 'n2')] };
}

function faultsOf(report: LogReport): readonly string[] {
  return judge('sauda', LOG, report).faults;
}

describe('the gate in front of a cluster', () => {
  it('lets a sound log through without a word', () => {
    assert.deepEqual(judge('sauda', LOG, SOUND), { faults: [], absences: [], warnings: [] });
  });

  it('refuses a server that does not flush each message, or does not show that it does', () => {
    const server = serverOf(2);
    const lax = { ...server, monitor: { id: 'id-n3', syncAlways: false } };
    assert.deepEqual(faultsOf(withServer(lax)), [
      'log server n3: sync_interval is not always: a power cut would take messages that it acknowledged',
    ]);
    assert.deepEqual(faultsOf(withServer({ ...server, monitor: 'connect ECONNREFUSED' })), [
      'log server n3: its monitoring port http://n3:8222 does not answer: connect ECONNREFUSED',
    ]);
    assert.deepEqual(faultsOf(withServer({ ...server, monitor: { id: 'id-n1', syncAlways: true } })), [
      'log server n3: the monitoring port http://n3:8222 is that of another server',
    ]);
  });

  it('refuses versions below 2.14, and warns below 2.14.4', () => {
    for (const version of ['2.9.10', '2.13.9', '1.99.9', 'none']) {
      assert.deepEqual(faultsOf(withServer(serverOf(2, { version }))), [
        `log server n3: version ${version} is below 2.14`,
      ]);
    }
    for (const version of ['2.14.0', '2.14.3-RC.1']) {
      const { faults, warnings } = judge('sauda', LOG, withServer(serverOf(2, { version })));
      assert.deepEqual([faults, warnings.length], [[], 1]);
      assert.match(warnings[0] ?? '', new RegExp(`^log server n3 has version ${version}: 2\\.14\\.4 or later`));
    }
    for (const version of ['2.14.10', '2.15.0', '3.0.0']) {
      assert.deepEqual(judge('sauda', LOG, withServer(serverOf(2, { version }))), {
        faults: [],
        absences: [],
        warnings: [],
      });
    }
  });

  it('refuses servers that are one, of several clusters, named otherwise, or too small for a message', () => {
    assert.deepEqual(faultsOf(withServer(serverOf(2, { name: 'n9' }))), ['log server n3: it calls itself n9']);
    assert.deepEqual(faultsOf(withServer(serverOf(2, { jetStream: false }))), ['log server n3: JetStream is off']);
    assert.deepEqual(faultsOf(withServer(serverOf(2, { cluster: 'other' }))), [
      'the log servers are of several clusters: log, other',
    ]);
    assert.deepEqual(faultsOf(withServer(serverOf(2, { maxPayload: 1_048_576 }))), [
      'log server n3: max_payload is 1048576, and a message may have 4198400 bytes',
    ]);
    const same = { ...serverOf(2, { id: 'id-n1' }), monitor: { id: 'id-n1', syncAlways: true } };
    assert.deepEqual(faultsOf(withServer(same)), ['two log servers of the file are the same']);
  });

  it('warns of one server that is away, and refuses to start with two away', () => {
    const away = (index: number): ServerReport => ({ ...serverOf(index), found: undefined, fault: 'timeout' });
    const one = withServer(away(2));
    assert.deepEqual(judge('sauda', LOG, one), {
      faults: [],
      absences: [],
      warnings: ['log server n3 is not reached, and was not checked: timeout'],
    });
    const two = { ...one, servers: one.servers.with(1, away(1)) };
    assert.deepEqual(faultsOf(two), ['1 of 3 log servers are reached: no majority']);
  });

  it('is shut for a time while the log comes up, and until it is mended where anything else is wrong', async () => {
    const away = (index: number): ServerReport => ({ ...serverOf(index), found: undefined, fault: 'refused' });
    const down = { servers: [away(0), away(1), away(2)], lanes: undefined, others: [] };
    const codeOf = (report: LogReport): unknown => {
      try {
        return expectSound(judge('sauda', LOG, report));
      } catch (error) {
        return (error as CommandFailed).exitCode;
      }
    };
    assert.equal(codeOf(SOUND), undefined);
    assert.equal(codeOf(down), EXIT_UNAVAILABLE);
    assert.equal(codeOf({ ...SOUND, lanes: undefined }), EXIT_UNAVAILABLE, 'it has no leader now');
    const lax = { ...serverOf(2), monitor: { id: 'id-n3', syncAlways: false } };
    assert.equal(codeOf({ ...down, servers: [away(0), away(1), lax] }), EXIT_CONFIG);
    assert.equal(codeOf({ ...SOUND, lanes: [{ name: 'lane-a', found: undefined }] }), EXIT_CONFIG);
    const nowhere = LOG.servers.map((server) => ({
      ...server,
      url: 'nats://127.0.0.1:1',
      monitor: 'http://127.0.0.1:1',
    }));
    const file = { name: 'sauda', log: { ...LOG, servers: nowhere } };
    await assert.rejects(
      expectSoundLog(file, () => undefined),
      { exitCode: EXIT_UNAVAILABLE, message: /^The log is not up/ },
    );
  });

  it('refuses lanes that are not there, have other settings, are of somebody else, or lie elsewhere', () => {
    assert.deepEqual(faultsOf(withLane({ name: 'lane-a', found: undefined })), [
      'there is no lane lane-a: "sauda cluster init" makes it',
    ]);
    assert.deepEqual(faultsOf(withLane(laneOf('lane-a', 'n1', { num_replicas: 1 }))), [
      'lane lane-a: num_replicas is 1, not 3',
    ]);
    assert.deepEqual(faultsOf(withLane(laneOf('lane-a', 'n1', { sources: [{ name: 'x' }], deny_purge: false }))), [
      'lane lane-a: deny_purge is false, not true',
      'lane lane-a: sources is set',
    ]);
    assert.deepEqual(faultsOf(withLane(laneOf('lane-a', 'n1', { metadata: {} }))), [
      'the stream lane-a is not a lane: it was made by something else',
    ]);
    assert.deepEqual(faultsOf(withLane(laneOf('lane-a', 'n1', { metadata: { 'sauda-cluster': 'other' } }))), [
      'lane lane-a is one of the cluster other, not of sauda',
    ]);
    const elsewhere = laneOf('lane-a', 'n1');
    assert.ok(elsewhere.found);
    const report = withLane({ ...elsewhere, found: { ...elsewhere.found, servers: ['n1', 'n2', 'n7'] } });
    assert.deepEqual(faultsOf(report), ['lane lane-a is on the server n7, which is not in the file']);
    assert.deepEqual(faultsOf({ ...SOUND, lanes: undefined }), [
      'the log does not list its streams: it may have no leader now',
    ]);
  });

  it('refuses another lane of the cluster that the file does not name, and warns of one leader for both', () => {
    const others = [streamSettings('lane-c', 'sauda', 72), streamSettings('x', 'other', 72), { name: 'OBJ_blobs' }];
    assert.deepEqual(faultsOf({ ...SOUND, others }), [
      'the stream lane-c is a lane of the cluster sauda too, and the file does not name it',
    ]);
    const { faults, warnings } = judge('sauda', LOG, withLane(laneOf('lane-a', 'n2')));
    assert.deepEqual([faults, warnings.length], [[], 1]);
    assert.match(warnings[0] ?? '', /^both lanes are led by n2/);
  });

  it('takes an age of messages that differs from the file', () => {
    assert.deepEqual(faultsOf(withLane(laneOf('lane-a', 'n1', { max_age: 1 }))), []);
  });

  it('warns of a log in a folder', async () => {
    const { faults, warnings } = await checkLog({ name: 'x', log: { type: 'Folder', folder: '/log' } });
    assert.deepEqual([faults, warnings], [[], ['the log is a folder, /log: it is lost with its machine']]);
  });
});
