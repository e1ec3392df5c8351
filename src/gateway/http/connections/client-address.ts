/**
 * The address of a client: its one form, the network that it counts as, and the proxies that are trusted to name it.
 * Connections are counted in `connection-gate.ts`.
 */

import { BlockList, isIP, isIPv4 } from 'node:net';
import { canonicalAddress, groupsOf } from '../../../base/net/ip-address.ts';

/** Addresses of connections whose one form is remembered. */
const MOST_KNOWN = 10_000;
/** Groups of an IPv6 address that name a network: one customer has at least a /64. */
const NETWORK_GROUPS = 4;

/**
 * The address of a socket in its one form: without a zone, and an IPv4 address that came over an IPv6 socket as an IPv4
 * address.
 */
export function plainAddress(address: string): string {
  const [bare = ''] = address.split('%');
  return canonicalAddress(bare) ?? bare;
}

/**
 * Whom an address is counted as: an IPv4 address for itself, an IPv6 address for its network of 64 bits, since its
 * client has all of that.
 */
export function countedAs(address: string): string {
  const plain = plainAddress(address);
  const network = groupsOf(plain)?.slice(0, NETWORK_GROUPS);
  return network === undefined ? plain : `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The proxies whose word on where a request came from is taken: addresses, and networks such as `10.0.0.0/8`. */
export class TrustedProxies {
  private readonly list = new BlockList();
  private readonly forms = new Map<string, string>();
  /** True when there is no trusted proxy, so that no stated address is believed. */
  readonly none: boolean;

  /** Each is an IP address, or one with the bits that its network shares. */
  constructor(networks: readonly string[]) {
    this.none = networks.length === 0;
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.list.addAddress(address, family);
      else this.list.addSubnet(address, Number(bits), family);
    }
  }

  has(address: string): boolean {
    return !this.none && isIP(address) !== 0 && this.list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }

  /**
   * Where a request came from: the address of its connection or, when that is a trusted proxy, the nearest one of
   * `X-Forwarded-For` that is not. Everything to the left of that is the client's own word and counts for nothing.
   */
  clientOf(connected: string, forwardedFor: string | undefined): string {
    let client = this.formOf(connected);
    if (this.none || forwardedFor === undefined) return client;
    for (const hop of forwardedFor.split(',').reverse()) {
      if (!this.has(client)) break;
      const before = canonicalAddress(hop.trim());
      if (before === undefined) break;
      client = before;
    }
    return client;
  }

  private formOf(connected: string): string {
    const known = this.forms.get(connected);
    if (known !== undefined) return known;
    if (this.forms.size >= MOST_KNOWN) this.forms.clear();
    const form = plainAddress(connected);
    this.forms.set(connected, form);
    return form;
  }
}
