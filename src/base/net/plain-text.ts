import { isLoopbackAddress } from './ip-address.ts';

/** The warning of an address to which credentials go in the clear; `undefined` over TLS, and for this machine. */
export function plainTextWarning(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:' || host === 'localhost' || isLoopbackAddress(host)) return undefined;
  return `${url} is plain HTTP: everybody on the way can read the credentials and the session`;
}
