/** A protection of a cluster that is taken away in a run that must fail: the proof that the checks bite. */
export interface ClusterControls {
  /** The lanes that store an append whatever stands behind the place that its writer expects. */
  readonly unfenced?: 'both' | 'second';
  /** The first member fences the second lane before the first one. */
  readonly secondLaneFirst?: true;
  /** A leader answers reads without its lease. */
  readonly noLease?: true;
  /** Members with a wrong wall clock become candidates. */
  readonly noClockGuard?: true;
}
