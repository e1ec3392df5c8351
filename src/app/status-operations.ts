import type { Gateway } from '../gateway/http/server.ts';
import { StatusOperations } from '../operator/operations/service/status-operations.ts';
import { measureLoopDelay } from '../os/loop-delay.ts';
import { wallClock } from '../os/wall-clock.ts';
import { keptFilesOf } from './kept-files.ts';
import type { Readiness } from './readiness.ts';
import type { RunningParts } from './running-parts.ts';
import { liveInstruments } from './serving/live-instruments.ts';

/** Reads the health of a running service; the event loop is measured from now on. */
export function statusOperations(
  { config, identity, running, asked, world }: RunningParts,
  { gateway, readiness }: { readonly gateway: () => Gateway; readonly readiness: Readiness },
): StatusOperations {
  const { engine, head } = running;
  const { market, seed, hours } = identity;
  return new StatusOperations({
    engine: asked,
    engineStatus: () => engine.status(),
    head,
    market: world.market,
    readiness: readiness.missing,
    files: keptFilesOf(config.data),
    loopDelay: measureLoopDelay(),
    sockets: () => gateway().room.counts(),
    connections: () => gateway().connections(),
    refused: () => gateway().refused(),
    wall: wallClock,
    instruments: () => liveInstruments({ world, running }, gateway()),
    facts: { market, seed, hours, data: config.data },
  });
}
