/** The limits of one client, and of all of them together, before a request is even read. Times in milliseconds. */
export interface HttpLimits {
  /** A head that takes longer to come whole is cut off. */
  readonly headMs: number;
  /** A request, head and body, that takes longer to come whole is cut off. */
  readonly requestMs: number;
  /** How long a connection without a request is kept, and one whose client reads nothing of its answer. */
  readonly keepAliveMs: number;
  /** A longer head is refused. In bytes, the request line included. */
  readonly headBytes: number;
  /** More headers in one request are refused. */
  readonly headers: number;
  /** More connections at the same time are refused. */
  readonly connections: number;
  /**
   * More connections of one address, or of one user on loopback and behind trusted proxies, at the same time are
   * refused.
   */
  readonly connectionsPerAddress: number;
  /** The answer to this request of a connection is its last; 0 for as many as come. */
  readonly requestsPerConnection: number;
}

/** Connections are kept for longer than balancers in front keep theirs. */
export const HTTP_LIMITS: HttpLimits = {
  headMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 72_000,
  headBytes: 16_384,
  headers: 100,
  connections: 10_000,
  connectionsPerAddress: 1_000,
  requestsPerConnection: 0,
};
