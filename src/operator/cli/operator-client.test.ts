/** Requests of the command line to an operator port that answers, breaks off, or is not there. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { EXIT_IN_DOUBT, EXIT_UNAVAILABLE } from '../../os/command-failed.ts';
import { sendAction, sendFile, sendQuestion } from './operator-client.ts';

/** The port of X11, to which no browser and no `fetch` connects. */
const FORBIDDEN_PORT = 6000;

describe('a request to the operator port', () => {
  const taken: string[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      taken.push(`${request.method} ${request.url}`);
      if (request.url === '/part')
        response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
      else request.socket.destroy();
    });
  });
  let address: { readonly port: number; readonly token: string };
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = { port: (server.address() as AddressInfo).port, token: 'token' };
  });
  after(() => {
    server.close();
  });

  it('is in doubt when it may change something and its answer is lost, whole or in part', async () => {
    const inDoubt = { name: 'CommandFailed', exitCode: EXIT_IN_DOUBT, message: /^the answer was lost .*sauda users/ };
    await assert.rejects(sendAction(address, '/deposits', { amount: 1 }), inDoubt);
    await assert.rejects(sendAction(address, '/part', {}), inDoubt);
    await assert.rejects(sendFile(address, '/span', new Blob(['<x/>'])), inDoubt);
    assert.deepEqual(taken, ['POST /deposits', 'POST /part', 'POST /span']);
  });

  it('has nobody who answers when it is a question, or was not sent', async () => {
    const unanswered = { name: 'CommandFailed', exitCode: EXIT_UNAVAILABLE, message: /^no service answers/ };
    await assert.rejects(sendQuestion(address, '/status'), unanswered);
    await assert.rejects(sendAction({ ...address, port: 1 }, '/deposits', {}), unanswered);
    await assert.rejects(sendAction({ ...address, port: FORBIDDEN_PORT }, '/deposits', {}), unanswered);
  });
});
