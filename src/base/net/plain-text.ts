import { isLoopbackAddress } from './ip-address.ts';

/** The parts of a parsed address that say where credentials go, and how. */
interface Address {
  readonly origin: string;
  readonly protocol: string;
  readonly hostname: string;
}

/** The warning of an address to which credentials go in the clear; `undefined` over TLS, and for this machine. */
export function plainTextWarning({ origin, protocol, hostname }: Address): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:' || host === 'localhost' || isLoopbackAddress(host)) return undefined;
  return `${origin} is plain HTTP: everybody on the way can read the credentials and the session`;
}
