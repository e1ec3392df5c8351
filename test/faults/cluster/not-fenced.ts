import type { Change } from '../changed-source.ts';

/** The log is asked to put a message at its end, wherever that is. */
export const NOT_FENCED: Change = {
  file: 'src/cluster/lanes/nats/nats-lane.ts',
  from: '{ streamName: this.name, lastSequence: expectedLast }',
  to: '{ streamName: this.name }',
};
