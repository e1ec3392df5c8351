import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** An answer as it came. */
export interface Posted {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Posts to an operation on a connection of its own; `undefined` where that is closed without an answer. */
export async function postOrCut(
  port: number,
  operation: string,
  body: object,
  headers: object = {},
): Promise<Posted | undefined> {
  const sent = JSON.stringify(body);
  const posting = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/V1/${operation}`,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent), ...headers },
    agent: false,
  });
  posting.end(sent);
  let response: IncomingMessage;
  try {
    [response] = (await once(posting, 'response')) as [IncomingMessage];
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET');
    return undefined;
  }
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
