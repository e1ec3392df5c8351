import { must } from '../../../src/base/assert.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import type { Wire } from '../../../src/gateway/wire.ts';

/** Sends a login through a wire without a connection. An answer in pieces, or none, is an error. */
export function loginThrough(wire: Wire, body: object, address: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const exchange = {
      address,
      idempotencyKey: undefined,
      belongTo: () => true,
      send: resolve,
      sendLong: reject,
      cut: reject,
    };
    const operation = must(wire.route('POST', '/V1/login', exchange), 'the login');
    wire.enter(operation, JSON.stringify(body), exchange);
  });
}
