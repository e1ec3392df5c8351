/**
 * Starts the service as a member of a cluster: its listeners open at once and name the leader, it follows the lanes,
 * and when it leads the engine is made over its state and the same listeners serve. The protocol is in `src/cluster`.
 */
import { once } from 'node:events';
import { Fenced } from '../../cluster/fenced.ts';
import type { Lane } from '../../cluster/lanes/lane.ts';
import { Member, type MemberStatus, type Promotion } from '../../cluster/member.ts';
import type { Config } from '../../config.ts';
import { type EngineSurroundings, openReplica, promote, type RunningEngine } from '../../engine/start-engine.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { createStandbyServer, type StandbyServer } from '../../gateway/standby/standby-server.ts';
import type { TlsFiles } from '../../gateway/http/connections/tls-files.ts';
import { OwnHosts } from '../../base/net/own-hosts.ts';
import { ensureAccessToken } from '../../operator/http/access-token.ts';
import { clusterFigures } from '../../operator/http/cluster-figures.ts';
import { createFollowerPort } from '../../operator/http/operator-server.ts';
import { wallClock } from '../../os/wall-clock.ts';
import type { PageFiles } from '../../page/page-files.ts';
import { tlsOf } from '../certificate.ts';
import { endAtOnce } from '../exit-codes.ts';
import { openFolder } from '../first-start.ts';
import { limitsOf } from '../gateway.ts';
import { note, reportFailure, startProgress } from '../log.ts';
import { type OpenWorld, openWorld } from '../open-world.ts';
import { engineSettings, expectSpanFiles, surroundings } from '../run-engine.ts';
import type { RunningParts } from '../running-parts.ts';
import { open, pageOf, type Service, serviceOf } from '../service.ts';
import { type Ending, endInOrder, endOnSignals } from '../shutdown.ts';
import { ArchivedTrail } from './archived-trail.ts';
import { expectSameFiles } from './blobs.ts';
import { FollowedLive } from './followed-live.ts';
import { LeasedEngine } from './leased-engine.ts';
import { openLog } from './log-of-cluster.ts';
import { MemberOperations, standingWords } from './member-operations.ts';
import { addressOfMember, type MemberPlace, memberPlace } from './member-place.ts';

/** The exit code of a leader that another member has followed, as of a defect: it may know less than others. */
const EXIT_FENCED = 70;
/** The trail takes what the files have this often. */
const TRAIL_MS = 100;
const SECOND_MS = 1_000;

/** Runs the service as a member. Resolves when it follows; a signal, a failure or a new leader ends the process. */
export async function startMember(config: Config, acceptLoss: number | undefined): Promise<void> {
  const service = new MemberService(config, memberPlace(config));
  await service.listen();
  await service.join(acceptLoss);
}
