/**
 * The names and addresses under which the service is asked. A web page whose own name leads to this machine (DNS
 * rebinding) sends that name in `Host`, and is refused. The names come from the settings: nothing here asks the
 * machine or a name server.
 */
import { canonicalAddress } from './ip-address.ts';

/** The scheme and the authority of an absolute target. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** An origin of a page: a scheme and an authority, and nothing else. Source: RFC 6454. */
const ORIGIN = /^https?:\/\/([^/?#@]+)$/i;
/** Texts of headers that are known to be good. */
const MOST_KNOWN = 1_000;

/**
 * The host that an authority names, in one form: without a port, brackets and the root's dot, in small letters, an IP
 * address as `canonicalAddress` writes it.
 */
function hostOf(authority: string): string {
  const address = canonicalAddress(authority);
  if (address !== undefined) return address;
  const bare = /^\[(.*)\](?::\d*)?$/.exec(authority)?.[1] ?? authority.replace(/:\d*$/, '');
  const name = bare.toLowerCase().replace(/\.$/, '');
  return canonicalAddress(name) ?? name;
}

/** The authority of an absolute target (`http://name:80/path`); `undefined` for a target that is a path. */
export function authorityOf(target: string): string | undefined {
  return ABSOLUTE.exec(target)?.[1];
}

export class OwnHosts {
  private readonly names: ReadonlySet<string>;
  private isCertified: (name: string) => boolean = () => false;
  /** The hosts that were admitted, by address and text. */
  private readonly known = new Set<string>();

  constructor(names: Iterable<string>) {
    this.names = new Set(Array.from(names, hostOf));
  }

  /** From now on the names of a certificate are among them, in the place of those of the one before. */
  certify(isCertified: (name: string) => boolean): void {
    this.isCertified = isCertified;
    this.known.clear();
  }

  /**
   * True when a request that says this authority means the service: by one of its names, or by the address that the
   * connection was made to. One that says nothing names nobody else: no browser sends that.
   */
  admit(authority: string, localAddress: string | undefined): boolean {
    if (authority === '') return true;
    const key = `${localAddress} ${authority}`;
    if (this.known.has(key)) return true;
    if (!this.has(hostOf(authority), localAddress)) return false;
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.add(key);
    return true;
  }

  /**
   * True for a page of the service itself, on any of its ports, and for a program: that names no origin. A page without
   * an origin of its own says `null`, and is another's.
   */
  admitPage(origin: string | undefined, localAddress: string | undefined): boolean {
    if (origin === undefined) return true;
    const [, host] = ORIGIN.exec(origin) ?? [];
    return host !== undefined && this.admit(host, localAddress);
  }

  private has(host: string, localAddress: string | undefined): boolean {
    if (this.names.has(host) || this.isCertified(host)) return true;
    const [bare = ''] = (localAddress ?? '').split('%');
    return bare !== '' && host === hostOf(bare);
  }
}
