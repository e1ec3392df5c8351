/** Opens the two addresses of a service, and says which setting names another where one is taken. */

import type { Config } from '../../config.ts';
import { CommandFailed, EXIT_UNAVAILABLE } from '../../os/command-failed.ts';

interface Listener {
  listen(address: { readonly host: string; readonly port: number }): Promise<unknown>;
}

/** The listener of the V1 interface, and that of the operator. */
interface Listeners {
  readonly gateway: Listener;
  readonly operator: Listener;
}

/** Rejects when an address cannot be listened on, with `CommandFailed` when its port is in use. */
export async function openListeners({ gateway, operator }: Listeners, config: Config): Promise<void> {
  const { host, port, operatorPort } = config;
  await gateway.listen({ host, port }).catch((error: unknown) => {
    throw inWords(error, `port ${port} of ${host} is in use: --port or SAUDA_PORT names another one`);
  });
  await operator.listen({ host: '127.0.0.1', port: operatorPort }).catch((error: unknown) => {
    throw inWords(error, `the operator's port ${operatorPort} is in use: ${OPERATOR_WORDS}`);
  });
}

const OPERATOR_WORDS = '--operator-port or SAUDA_OPERATOR_PORT names another one';

function inWords(error: unknown, words: string): unknown {
  const isInUse = error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  return isInUse ? new CommandFailed(words, EXIT_UNAVAILABLE) : error;
}
