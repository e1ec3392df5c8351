import type { EpochMs } from '../../base/time.ts';
import { decodeGroup } from '../codec.ts';
import type { Disk } from '../disk/disk.ts';
import { examineBeside, isNew, type JournalPaths } from './examine.ts';

/**
 * The instant of the market at which the last record of a journal stands; `undefined` for a journal without records.
 * It only reads, also beside a running service. Throws `JournalDamaged`.
 */
export function lastInstant(disk: Disk, paths: JournalPaths): EpochMs | undefined {
  if (isNew(disk, paths)) return undefined;
  const { stored, end } = examineBeside(disk, paths);
  let last: EpochMs | undefined;
  for (const group of stored.groups(end.head.seq - 1)) last = decodeGroup(group).at(-1)?.at;
  return last;
}
