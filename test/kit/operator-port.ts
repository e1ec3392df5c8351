import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WallMs } from '../../src/base/time.ts';
import { dataFolder } from '../../src/folder/data-folder.ts';
import { runCommandLine } from '../../src/operator/cli/cli.ts';
import { ensureAccessToken } from '../../src/operator/http/access-token.ts';
import { OperatorPort as Port } from '../../src/operator/http/operator-port.ts';
import {
  createOperatorServer,
  type OperatorOperations,
  type OperatorServerParts,
} from '../../src/operator/http/operator-server.ts';

export type Desks = Partial<
  Pick<OperatorServerParts, keyof OperatorOperations | 'trail' | 'trailReading' | 'status' | 'page'>
>;

/** A running operator's port, and what talks to it. */
export interface OperatorPort {
  /** Where it listens, without a path. */
  readonly address: string;
  /** The output of the command line. */
  readonly run: (...args: readonly string[]) => Promise<string>;
  readonly post: (path: string, content: object) => Promise<Response>;
  /** Asks a path with the token. */
  readonly get: (path: string) => Promise<Response>;
  /** The routes behind it, asked without a connection by `inject`. */
  readonly routes: ReturnType<typeof createOperatorServer>;
}

/** The person who types commands, and when. */
export interface Typist {
  readonly user?: string;
  readonly now?: () => WallMs;
}

/**
 * Runs `body` beside an operator's port in a data folder of its own. An operation that is not given must not be asked
 * for anything.
 */
export async function withOperatorPort(
  desksIn: (data: string) => Desks,
  { user, now = () => 0 as WallMs }: Typist,
  body: (port: OperatorPort, data: string) => Promise<void>,
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'sauda-operator-'));
  const token = ensureAccessToken(dataFolder(data).operatorToken);
  const onFailure = (error: unknown) => assert.fail(String(error));
  const parts = { ...desksIn(data), token, readiness: () => [], figures: [], onFailure } as object;
  const routes = createOperatorServer(parts as OperatorServerParts);
  const server = new Port(async () => routes, onFailure);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const run = async (...args: readonly string[]): Promise<string> => {
    const printed: string[] = [];
    await runCommandLine([...args, '--data', data, '--operator-port', String(port)], {
      addOthers: () => undefined,
      version: '0.0.0',
      env: user === undefined ? {} : { USER: user },
      now,
      print: (text: string) => printed.push(text),
    } as never);
    return printed.join('\n');
  };
  const address = `http://127.0.0.1:${port}`;
  const post = (path: string, content: object): Promise<Response> =>
    fetch(address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(content),
    });
  const get = (path: string): Promise<Response> =>
    fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
  try {
    await body({ address, run, post, get, routes }, data);
  } finally {
    await server.close();
    rmSync(data, { recursive: true });
  }
}
