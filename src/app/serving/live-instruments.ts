import type { Gateway } from '../../gateway/http/server.ts';
import type { RunningParts } from '../running-parts.ts';

/** How many instruments are live now: known some seconds after a start, when the contracts of the date are listed. */
export async function liveInstruments(
  { world, running }: Pick<RunningParts, 'world' | 'running'>,
  gateway: Pick<Gateway, 'contractsListed'>,
): Promise<number> {
  await gateway.contractsListed();
  return world.instruments.count(running.engine.now());
}
