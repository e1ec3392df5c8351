import type { Config } from '../config.ts';
import { readTlsFiles, type TlsFiles } from '../gateway/http/connections/tls-files.ts';
import type { Gateway } from '../gateway/http/server.ts';
import { orConfigFault } from '../os/command-failed.ts';
import { note } from './log.ts';

/** The certificate that the settings name, read now; `undefined` for plain HTTP. */
export function tlsOf({ tlsCert, tlsKey }: Config): TlsFiles | undefined {
  return tlsCert === '' ? undefined : orConfigFault(readTlsFiles(tlsCert, tlsKey));
}

/** A renewed certificate is taken over at SIGHUP; one that cannot be used changes nothing. */
export function renewAtSignal(gateway: Gateway, { tlsCert, tlsKey, log }: Config): void {
  process.on('SIGHUP', () => {
    const read = readTlsFiles(tlsCert, tlsKey);
    if (read.ok) gateway.useCertificate(read.value);
    note(log, 'warn', read.ok ? `the certificate ${tlsCert} was read again` : read.error);
  });
}
