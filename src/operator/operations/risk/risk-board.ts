/**
 * The risk of all accounts at a glance: every account is measured once, in slices of the event loop, and the first of
 * each ranking are kept. The rows in words are made in `risk-operations.ts`.
 */
import type { EpochMs } from '../../../base/time.ts';
import type { Config } from '../../../config.ts';
import type { EnginePort } from '../../../engine/port.ts';
import { inSlices, type SliceView } from '../in-slices.ts';
import type { AccountRisk } from './account-risk.ts';
import { RISK_SORTS, RiskRanking, type RiskSort } from './risk-ranking.ts';
import { RiskReading } from './risk-reading.ts';

/** All accounts added up: numbers of accounts, and amounts in paise. */
export interface RiskTotals {
  readonly accounts: number;
  readonly withPositions: number;
  readonly losing: number;
  /** With more margin in use than funds. */
  readonly short: number;
  readonly marginUsed: number;
  readonly available: number;
  readonly realised: number;
  readonly open: number;
}

/** All accounts, as they were measured one after the other until an instant. */
export interface RiskBoard {
  readonly at: EpochMs;
  readonly totals: RiskTotals;
  readonly rankings: Readonly<Record<RiskSort, RiskRanking>>;
}

/** Measures every account, in the order of registration. */
export async function measureAll(
  engine: Pick<EnginePort, 'read' | 'now'>,
  avgModel: Config['avgModel'],
): Promise<RiskBoard> {
  const scan = new RiskScan(avgModel);
  await inSlices(engine, (view) => scan.goOn(view));
  return { at: engine.now(), totals: scan.totals, rankings: scan.rankings };
}

/** The reading of all accounts, which can pause after each position. */
class RiskScan {
  readonly rankings = rankings();
  readonly totals = {
    accounts: 0,
    withPositions: 0,
    losing: 0,
    short: 0,
    marginUsed: 0,
    available: 0,
    realised: 0,
    open: 0,
  };
  private readonly reading: RiskReading;
  private next = 0;

  constructor(avgModel: Config['avgModel']) {
    this.reading = new RiskReading(avgModel);
  }

  /** True when all accounts are read. */
  goOn(view: SliceView): boolean {
    const { accounts } = view.state;
    while (!view.isOver()) {
      const account = accounts.at(this.next);
      if (account === undefined) return true;
      const tally = this.reading.goOn(account, view);
      if (tally === undefined) return false;
      this.add(tally.whole(account));
      this.next += 1;
    }
    return false;
  }

  private add(risk: AccountRisk): void {
    const { totals } = this;
    totals.accounts += 1;
    totals.marginUsed += risk.marginUsed;
    totals.available += risk.available;
    totals.realised += risk.realised;
    totals.open += risk.open;
    if (risk.positions > 0) totals.withPositions += 1;
    if (risk.result < 0) totals.losing += 1;
    if (risk.available < 0) totals.short += 1;
    for (const sort of RISK_SORTS) this.rankings[sort].add(risk);
  }
}

function rankings(): Record<RiskSort, RiskRanking> {
  return {
    marginUsed: new RiskRanking('marginUsed'),
    result: new RiskRanking('result'),
    available: new RiskRanking('available'),
    concentration: new RiskRanking('concentration'),
  };
}
