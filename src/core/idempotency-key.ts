/** A client's own name for one placement, so that a retry does not place twice. Source: contract W25. */
export interface IdempotencyKey {
  readonly key: string;
  /** A digest of the request that the key was first used with. */
  readonly bodyDigest: string;
}
