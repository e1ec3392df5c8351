import type { Config } from '../config.ts';
import { readTlsFiles, renewalFault, type TlsFiles, validityFault } from '../gateway/http/connections/tls-files.ts';
import { orConfigFault } from '../os/command-failed.ts';
import { wallClock } from '../os/wall-clock.ts';
import { note } from './log.ts';

/** A server that began with a certificate. */
interface ShowsCertificate {
  useCertificate(tls: TlsFiles): void;
}

/**
 * The certificate that the settings name. A renewed one is taken over at SIGHUP, by the servers that show it and by
 * those that are made later; one that cannot be used, or that clients refuse while they take the one before, changes
 * nothing. A start goes on with one that has ended, and warns: some clients may take it.
 */
export class Certificate {
  private readonly config: Config;
  private current: TlsFiles | undefined;
  private readonly servers: ShowsCertificate[] = [];

  /** Reads it, and listens for SIGHUP. Throws `CommandFailed` when it cannot be used. */
  constructor(config: Config) {
    this.config = config;
    const { tlsCert, tlsKey, log } = config;
    if (tlsCert === '') return;
    this.current = orConfigFault(readTlsFiles(tlsCert, tlsKey));
    const fault = validityFault(this.current, wallClock());
    if (fault !== undefined) note(log, 'warn', `clients refuse the certificate ${tlsCert}: ${fault}`);
    process.on('SIGHUP', () => note(log, 'warn', this.readAgain()));
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

  /** Takes a renewed certificate over; gives the words of the log on it. */
  private readAgain(): string {
    const { tlsCert, tlsKey } = this.config;
    const read = readTlsFiles(tlsCert, tlsKey);
    if (!read.ok) return read.error;
    const now = wallClock();
    const fault = this.current && renewalFault(this.current, read.value, now);
    if (fault !== undefined) return `the certificate ${tlsCert} is not taken over, since clients refuse it: ${fault}`;
    this.current = read.value;
    for (const server of this.servers) server.useCertificate(read.value);
    const late = validityFault(read.value, now);
    return `the certificate ${tlsCert} was read again${late === undefined ? '' : `, and clients refuse it: ${late}`}`;
  }
}
