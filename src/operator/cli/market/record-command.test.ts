/** `sauda tape record` against an operator port that answers whole, in part, with a refusal, or not at all. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { dataFolder } from '../../../folder/data-folder.ts';
import { CommandFailed, EXIT_FAILED, EXIT_UNAVAILABLE } from '../../../os/command-failed.ts';
import { ensureAccessToken } from '../../http/access-token.ts';
import { fetchFile } from '../operator-client.ts';
import { addRecordCommand } from './record-command.ts';

const WHOLE: RequestListener = (_request, response) => void response.end('a recording');
const BROKEN_OFF: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': 100 });
  response.write('a part', () => response.destroy());
};
const REFUSED: RequestListener = (_request, response) => {
  response.writeHead(404).end('{"error":"NSE has no instrument X"}');
};

interface Place {
  readonly port: number;
  /** The folder of the recording. */
  readonly folder: string;
  /** Runs the command, and returns its words. */
  readonly record: (data?: string) => Promise<string>;
}

async function answeredBy(answers: readonly RequestListener[], body: (place: Place) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'sauda-record-'));
  let next = 0;
  const server = createServer((request, response) => {
    answers[Math.min(next, answers.length - 1)]?.(request, response);
    next += 1;
  });
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const [served, folder] = [join(root, 'data'), join(root, 'out')];
    for (const made of [served, folder]) mkdirSync(made);
    ensureAccessToken(dataFolder(served).operatorToken);
    const record = async (data = served): Promise<string> => {
      let printed = '';
      const tape = new Command();
      addRecordCommand(tape, { env: {}, print: (text) => (printed = text) });
      const flags = ['--to', join(folder, 'itc.jsonl.zst'), '--data', data, '--operator-port', String(port)];
      await tape.parseAsync(['record', 'NSE:ITC-EQ', ...flags], { from: 'user' });
      return printed;
    };
    await body({ port, folder, record });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true });
  }
}

test('a recording that breaks off, is refused or cannot be asked for leaves no file, and the next try makes it', () =>
  answeredBy([BROKEN_OFF, REFUSED, WHOLE], async ({ folder, record }) => {
    await assert.rejects(record(), { name: 'CommandFailed', exitCode: EXIT_UNAVAILABLE });
    assert.deepEqual(readdirSync(folder), []);
    await assert.rejects(record(), { message: 'NSE has no instrument X', exitCode: EXIT_FAILED });
    assert.deepEqual(readdirSync(folder), []);
    await assert.rejects(record(folder), /has no operator token/);
    assert.deepEqual(readdirSync(folder), []);
    assert.match(await record(), /itc\.jsonl\.zst has 11 bytes; import it with: sauda tape import/);
    assert.equal(readFileSync(join(folder, 'itc.jsonl.zst'), 'utf8'), 'a recording');
    assert.deepEqual(readdirSync(folder), ['itc.jsonl.zst']);
  }));

test('a file that is there stays as it is, also one that came while the recording was fetched', () => {
  let path = '';
  const late: RequestListener = (_request, response) => {
    writeFileSync(path, 'another one');
    response.end('a recording');
  };
  return answeredBy([late], async ({ folder, record }) => {
    path = join(folder, 'itc.jsonl.zst');
    const refused = { message: `${path} cannot be written: it is there already`, exitCode: EXIT_FAILED };
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(record(), refused);
      assert.equal(readFileSync(path, 'utf8'), 'another one');
      assert.deepEqual(readdirSync(folder), ['itc.jsonl.zst']);
    }
  });
});

test('an error of whoever takes the bytes is that of the disk, and not one of the service', () =>
  answeredBy([WHOLE, BROKEN_OFF], async ({ port }) => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    const take = (): never => {
      throw full;
    };
    const address = { port, token: 'any' };
    await assert.rejects(fetchFile(address, '/recording', take), (error) => error === full);
    await assert.rejects(
      fetchFile(address, '/recording', () => undefined),
      (error) => error instanceof CommandFailed && /gave no whole answer/.test(error.message),
    );
  }));
