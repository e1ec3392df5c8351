import type { Trouble } from './cluster-trouble.ts';

/** A protection of a cluster that is taken away in a run that must fail: the proof that the checks bite. */
export interface ClusterControls {
  /** The lanes that store an append whatever stands after the place that its writer expects. */
  readonly unfenced?: 'both' | 'second';
  /** The first member fences the second lane before the first one. */
  readonly secondLaneFirst?: true;
  /** A leader answers reads without its lease. */
  readonly noLease?: true;
  /** Members with a wrong wall clock become candidates. */
  readonly noClockGuard?: true;
}

/** A protection that is taken away, and what must be found then. */
export interface TakenAway {
  readonly what: string;
  readonly controls: ClusterControls;
  /** The kinds of trouble in which the protection is needed. */
  readonly troubles: readonly Trouble[];
  readonly found: RegExp;
}

/** The protections by the names that `--without` takes. */
export const TAKEN_AWAY: ReadonlyMap<string, TakenAway> = new Map([
  [
    'fences',
    {
      what: 'no lane fences',
      controls: { unfenced: 'both' },
      troubles: ['pause', 'cut'],
      found: /lane [AB]: .*(?:is stored in epoch|begins behind|two contents|not whole)/,
    },
  ],
  [
    'second-fence',
    {
      what: 'the first lane alone fences',
      controls: { unfenced: 'second' },
      troubles: ['pause', 'cut', 'logs'],
      found: /lane B[:,] .*(?:is stored in epoch|begins behind|two contents|not whole|follows)/,
    },
  ],
  [
    'order',
    {
      what: 'a member fences the second lane before the first',
      controls: { secondLaneFirst: true },
      troubles: ['kill', 'killAll'],
      found: /epoch \d+ is of one and of|epoch \d+ is of \w+ and of one/,
    },
  ],
  [
    'lease',
    {
      what: 'a leader answers reads without a lease',
      controls: { noLease: true },
      troubles: ['pause', 'cut'],
      found: /stale read/,
    },
  ],
  [
    'clock-guard',
    {
      what: 'members with a wrong clock take over',
      controls: { noClockGuard: true },
      troubles: ['jump', 'kill'],
      found: /whose clock is/,
    },
  ],
]);
