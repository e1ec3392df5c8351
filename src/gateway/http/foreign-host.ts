import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { authorityOf, type OwnHosts } from '../../base/net/own-hosts.ts';
import { type Failure, FOREIGN_HOST } from '../fields/envelope.ts';

/** The failure of a request that names another host than this service, in its header or in its target. */
export function foreignHost(
  hosts: OwnHosts | undefined,
  { headers, url = '', socket }: IncomingMessage,
): Failure | undefined {
  if (hosts === undefined) return undefined;
  const said = [headers.host ?? '', authorityOf(url) ?? ''];
  return said.every((authority) => hosts.admit(authority, socket.localAddress)) ? undefined : FOREIGN_HOST;
}

/** True for a request whose `Origin` is a page of another site. */
export function isForeignPage(hosts: OwnHosts | undefined, origin: string | undefined, socket: Socket): boolean {
  return hosts !== undefined && !hosts.admitPage(origin, socket.localAddress);
}
