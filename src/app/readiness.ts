import { marketMoves } from './opened-market.ts';
import type { RunningParts } from './running-parts.ts';

/** Whether the service is ready, for the operator's port and for the gateway. */
export class Readiness {
  private readonly parts: Pick<RunningParts, 'running' | 'world' | 'cluster'>;
  private ending = false;

  constructor(parts: Pick<RunningParts, 'running' | 'world' | 'cluster'>) {
    this.parts = parts;
  }

  /** From now on the service is not ready, since it is about to end. */
  readonly endService = (): void => {
    this.ending = true;
  };

  /** The reasons for which the service is not ready; empty when it is. */
  readonly missing = (): string[] => {
    const { running, world, cluster } = this.parts;
    const found: string[] = [];
    const { unavailable } = running.engine.status();
    if (this.ending) found.push('the service is ending');
    else if (unavailable !== undefined) found.push(unavailable);
    if (cluster?.standing().mayAnswerReads === false) found.push('this member may not lead any more');
    if (!marketMoves(world, running.engine.now())) found.push('the market does not move');
    return found;
  };
}
