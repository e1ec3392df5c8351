/**
 * Starts the service as a member of a cluster: its listeners open at once and name the leader, it follows the lanes,
 * and when it leads the engine is made over its state and the same listeners serve. The protocol is in `src/cluster`.
 */
import { existsSync } from 'node:fs';
import { openLanes } from '../../cluster/lanes/open-lanes.ts';
import type { Config } from '../../config.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { openFolder } from '../first-start.ts';
import { note } from '../log.ts';
import { expectSoundLog, onLanes } from './cluster-work.ts';
import { MemberProcess } from './member/member-process.ts';
import { memberPlace } from './member-place.ts';
import { expectNoHistory, joinAtStart } from './membership.ts';

/** Runs the service as a member. Resolves when it follows; a signal, a failure or a new leader ends the process. */
export async function startMember(config: Config, acceptLoss: number | undefined): Promise<void> {
  const place = memberPlace(config);
  await expectSoundLog(place.file, (warning) => note(config.log, 'warn', warning));
  if (!existsSync(dataFolder(config.data).identity)) {
    await onLanes(place.file, (lanes) => expectNoHistory(config.data, place.file.name, lanes));
  }
  openFolder(config);
  joinAtStart(config.data, place.file.name);
  const service = new MemberProcess({ config, place, log: await openLanes(place.file), acceptLoss });
  await service.listen();
  await service.follow();
}
