import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { TlsFiles } from '../../../src/gateway/http/connections/tls-files.ts';
import type { World } from './world.ts';

export const TLS_FOLDER = join(import.meta.dirname, '../tls');

/** A certificate for localhost that signs itself. */
export const TLS: TlsFiles = {
  cert: readFileSync(join(TLS_FOLDER, 'only-for-tests.cert.pem'), 'utf8'),
  key: readFileSync(join(TLS_FOLDER, 'only-for-tests.key.pem'), 'utf8'),
};

/** A connection over TLS to a world that has the certificate. */
export async function secure(world: World, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: world.port, ca: TLS.cert, servername: 'localhost', ...options });
  await once(socket, 'secureConnect');
  return socket;
}
