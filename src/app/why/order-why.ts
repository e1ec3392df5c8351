import { must } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import { orderTrials } from '../../engine/why/order-trials.ts';
import { type WhyReport, whyReport } from '../../engine/why/why-report.ts';
import type { DataFolder } from '../../folder/data-folder.ts';
import { readIdentity } from '../../folder/identity.ts';
import { CommandFailed, EXIT_FAILED, orConfigFault } from '../../os/command-failed.ts';
import { type KnownState, openMarket, portsOf } from '../opened-market.ts';

/**
 * Builds the market of the data folder again and judges an order's requests once more, as the journal has them.
 * `undefined` when the journal has no such order. It only reads, also beside a running service.
 */
export function orderWhy(folder: DataFolder, order: OrderNumber): WhyReport | undefined {
  const identity = orConfigFault(readIdentity(folder.identity));
  if (!identity)
    throw new CommandFailed(`${folder.folder} has no journal: has a service been started there?`, EXIT_FAILED);
  const known: KnownState = { state: undefined };
  const world = openMarket(folder, identity, known);
  const found = orderTrials(folder.folder, order, (state) => {
    known.state = state;
    return portsOf(world);
  });
  return found && whyReport(found, (id) => must(world.instruments.get(id), 'an order has its instrument'));
}
