/**
 * Starts the service: opens the data folder, recovers the engine, and opens the listeners.
 * The parts are built in the files beside it; this file only gives their order.
 */
import type { Config } from '../config.ts';
import { collectSmallHeap } from '../os/free-memory.ts';
import { setLimitsForOrders } from '../os/start-limits.ts';
import { Certificate } from './certificate.ts';
import { expectNoMember } from './cluster/membership.ts';
import { endAtOnce } from './exit-codes.ts';
import { expectStartIsSafe } from './first-start.ts';
import { runEngine } from './run-engine.ts';
import type { RunningParts } from './running-parts.ts';
import { open, pageOf, serviceOf } from './serving/both-servers.ts';
import { openedFolder } from './serving/open-folder.ts';
import { openListeners } from './serving/open-listeners.ts';
import { endInOrder, endOnSignals } from './shutdown.ts';

/** Runs the service. Resolves when it is ready; a signal or a failure ends the process. */
export async function start(config: Config, acceptLoss: number | undefined): Promise<void> {
  expectStartIsSafe(config);
  if (config.cluster !== '') {
    setLimitsForOrders();
    const { startMember } = await import('./cluster/start-member.ts');
    await startMember(config, acceptLoss);
    return;
  }
  expectNoMember(config.data);
  const certificate = new Certificate(config);
  const tls = certificate.files;
  const page = pageOf();
  const parts = await openParts(config, acceptLoss);
  const service = await serviceOf(parts, { tls, page });
  collectSmallHeap();
  // The folder is closed in order where an address is taken: else the next start would repair a folder without a fault.
  await openListeners(service, config).catch((error: unknown) =>
    endInOrder({ ...service.ending, exit: () => endAtOnce(error) }),
  );
  certificate.showAt(service.gateway);
  endOnSignals({ ...service.ending, exit: () => process.exit(0), endsAtHangUp: tls === undefined });
  await open(parts, service, tls !== undefined);
}

/** Opens the data folder, makes its market, and starts the engine over its journal. */
async function openParts(config: Config, acceptLoss: number | undefined): Promise<RunningParts> {
  const { known, ...opened } = openedFolder(config);
  const { world, trail, identity } = opened;
  const running = await runEngine(config, world, { known, trail, identity }, acceptLoss);
  return { config, ...opened, running, asked: running.engine };
}
