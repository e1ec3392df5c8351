import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Config } from '../../config.ts';
import { openListeners } from './open-listeners.ts';

const CONFIG = { host: '127.0.0.1', port: 8080, operatorPort: 8081 } as Config;

/** Both listeners, of which the one with `port` fails so. */
function listeners(port: number, code: string) {
  const listen = async (address: { readonly port: number }): Promise<void> => {
    if (address.port === port) throw Object.assign(new Error(code), { code });
  };
  return { gateway: { listen }, operator: { listen } };
}

test('a port that is in use is named with its setting, and other errors stay as they are', async () => {
  const gateway = { message: 'port 8080 of 127.0.0.1 is in use: --port or SAUDA_PORT names another one', exitCode: 69 };
  await assert.rejects(openListeners(listeners(8080, 'EADDRINUSE'), CONFIG), gateway);
  const named = '--operator-port or SAUDA_OPERATOR_PORT names another one';
  const operator = { message: `the operator's port 8081 is in use: ${named}`, exitCode: 69 };
  await assert.rejects(openListeners(listeners(8081, 'EADDRINUSE'), CONFIG), operator);
  await assert.rejects(openListeners(listeners(8080, 'EACCES'), CONFIG), { name: 'Error', code: 'EACCES' });
  await openListeners(listeners(0, ''), CONFIG);
});
