import type { Config } from '../config.ts';
import { readTlsFiles, type TlsFiles } from '../gateway/http/connections/tls-files.ts';
import { orConfigFault } from '../os/command-failed.ts';
import { note } from './log.ts';

/** A server that began with a certificate. */
interface ShowsCertificate {
  useCertificate(tls: TlsFiles): void;
}

/**
 * The certificate that the settings name. A renewed one is taken over at SIGHUP, by the servers that show it and by
 * those that are made later; one that cannot be used changes nothing.
 */
export class Certificate {
  private current: TlsFiles | undefined;
  private readonly servers: ShowsCertificate[] = [];

  /** Reads it, and listens for SIGHUP. Throws `CommandFailed` when it cannot be used. */
  constructor({ tlsCert, tlsKey, log }: Config) {
    if (tlsCert === '') return;
    this.current = orConfigFault(readTlsFiles(tlsCert, tlsKey));
    process.on('SIGHUP', () => {
      const read = readTlsFiles(tlsCert, tlsKey);
      if (read.ok) this.take(read.value);
      note(log, 'warn', read.ok ? `the certificate ${tlsCert} was read again` : read.error);
    });
  }

  /** As it was read last; `undefined` for plain HTTP. */
  get files(): TlsFiles | undefined {
    return this.current;
  }

  /** From now on a server shows the certificate that was read last. */
  showAt(server: ShowsCertificate): void {
    this.servers.push(server);
    if (this.current) server.useCertificate(this.current);
  }

  private take(files: TlsFiles): void {
    this.current = files;
    for (const server of this.servers) server.useCertificate(files);
  }
}
