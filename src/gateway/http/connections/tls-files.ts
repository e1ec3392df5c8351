/** The files of the certificate: read and checked before they are used, and compared with the ones in force. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { fail, ok, type Result } from '../../../base/result.ts';
import { messageOf, systemFault } from '../../../base/system-fault.ts';
import { formatIstMoment, type WallMs } from '../../../base/time.ts';
import { expectFile } from '../../../os/durable-file.ts';

/** A certificate with its chain and its key, both as PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** A chain of certificates is a few kilobytes. */
const MOST_BYTES = 1024 * 1024;
/** Bits of a mode by which users who are neither the owner nor of the group of a file may use it. */
const OTHERS = 0o007;

/**
 * Reads a certificate and its key; a message when a file is not there, does not fit the other, or the key is not kept
 * from others.
 */
export function readTlsFiles(certPath: string, keyPath: string): Result<TlsFiles, string> {
  try {
    for (const path of [certPath, keyPath]) expectFile(path, MOST_BYTES);
    const files = { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
    if ((statSync(keyPath).mode & OTHERS) !== 0) {
      return fail(`${keyPath} can be read by every user of this machine: forbid that with chmod o= ${keyPath}`);
    }
    // Node makes a context of an empty certificate, of an empty key, and of a certificate and a key of two kinds.
    if (!new X509Certificate(files.cert).checkPrivateKey(createPrivateKey(files.key))) {
      return fail(`the certificate ${certPath} cannot be used with the key ${keyPath}: it is of another key`);
    }
    createSecureContext(files);
    return ok(files);
  } catch (error) {
    const fault = systemFault(error);
    const words = messageOf(error);
    const why = fault === undefined ? words : `${(error as NodeJS.ErrnoException).path}: ${fault}`;
    return fail(`the certificate ${certPath} cannot be used with the key ${keyPath}: ${why}`);
  }
}

/** Why clients refuse a certificate at an instant of the wall clock: it has ended, or begins later. */
export function validityFault({ cert }: TlsFiles, at: WallMs): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [from, to] = [Date.parse(validFrom) as WallMs, Date.parse(validTo) as WallMs];
  if (at < from) return `it begins at ${formatIstMoment(from)} IST`;
  return at > to ? `it ended at ${formatIstMoment(to)} IST` : undefined;
}

/** Why a certificate does not replace the one in force: clients refuse it, and not that one. */
export function renewalFault(inForce: TlsFiles, renewed: TlsFiles, at: WallMs): string | undefined {
  return validityFault(inForce, at) === undefined ? validityFault(renewed, at) : undefined;
}

/**
 * Whether a name or an address is one of a certificate's. A browser that was led here under another name ends the
 * connection by itself.
 */
export function certifiedBy({ cert }: TlsFiles): (host: string) => boolean {
  const certificate = new X509Certificate(cert);
  return (host) => (certificate.checkHost(host) ?? certificate.checkIP(host)) !== undefined;
}
