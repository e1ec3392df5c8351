/**
 * How operators read the risk of accounts: all of them in an order, or one of them by underlying, with its positions
 * and open orders. Nothing is changed, and no reading holds the event loop.
 */
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { Paise } from '../../../base/money.ts';
import { formatIstMoment } from '../../../base/time.ts';
import type { Config } from '../../../config.ts';
import type { Instruments } from '../../../core/instrument.ts';
import type { EnginePort } from '../../../engine/port.ts';
import { inSlices } from '../in-slices.ts';
import { measureAll, type RiskBoard, type RiskTotals } from './risk-board.ts';
import { isKilled, type UserRisk, UserRiskReading } from './risk-of-user.ts';
import type { RiskSort } from './risk-ranking.ts';
import { type NameOf, type RiskRow, riskRow } from './risk-rows.ts';

export interface RiskDeskParts {
  readonly engine: Pick<EnginePort, 'read' | 'glance' | 'now'>;
  readonly instruments: Instruments;
  readonly avgModel: Config['avgModel'];
}

/** All accounts added up: numbers of accounts, and amounts in rupees. */
export interface RiskTotalsRow {
  readonly accounts: number;
  readonly withPositions: number;
  readonly losing: number;
  /** With more margin in use than funds. */
  readonly short: number;
  readonly marginUsed: string;
  readonly available: string;
  readonly realised: string;
  readonly open: string;
  readonly result: string;
}

/** The accounts at the top of an order, and all of them added up. */
export interface RiskReport {
  /** The market time at which the last account was measured, in IST. */
  readonly time: string;
  readonly totals: RiskTotalsRow;
  readonly rows: readonly RiskRow[];
}

/** The risk of one account, and the market time at which it was measured, in IST. */
export interface UserRiskReport extends UserRisk {
  readonly time: string;
}

/** A measurement of all accounts is kept for this long at least, in milliseconds of the machine. */
const FRESH_MS = 1_000;
/** A measurement is kept for this number of times as long as it took, so that pages leave the machine to clients. */
const RESTS = 10;

interface KeptBoard {
  readonly board: Promise<RiskBoard>;
  /** Until when it is given out; without end while it is measured. */
  freshUntil: number;
}

/** Reads the risk of accounts. Those who ask for all accounts at the same time share one measurement. */
export class RiskOperations {
  private readonly parts: RiskDeskParts;
  private readonly nameOf: NameOf;
  private kept: KeptBoard | undefined;

  constructor(parts: RiskDeskParts) {
    this.parts = parts;
    this.nameOf = (id) => must(parts.instruments.get(id), 'a position is in a listed instrument');
  }

  /** The first accounts in an order, at most `most`. */
  async list(sort: RiskSort, most: number): Promise<RiskReport> {
    const { at, totals, rankings } = await this.board();
    const rows = await this.parts.engine.read((state) => {
      return rankings[sort].top(most).map((risk) => riskRow(risk, isKilled(state, risk.account), this.nameOf));
    });
    return { time: formatIstMoment(at), totals: totalsRow(totals), rows };
  }

  /** One account by underlying; `undefined` when there is no such user. */
  async of(userId: string): Promise<UserRiskReport | undefined> {
    const { engine, avgModel } = this.parts;
    const account = await engine.read((state) => state.accountByUser.get(userId));
    if (account === undefined) return undefined;
    const reading = new UserRiskReading(account, avgModel, this.nameOf);
    await inSlices(engine, (view) => reading.goOn(view));
    return { time: formatIstMoment(engine.now()), ...reading.risk() };
  }

  private board(): Promise<RiskBoard> {
    const { kept } = this;
    if (kept !== undefined && performance.now() < kept.freshUntil) return kept.board;
    const began = performance.now();
    const board = measureAll(this.parts.engine, this.parts.avgModel);
    const fresh: KeptBoard = { board, freshUntil: Number.POSITIVE_INFINITY };
    this.kept = fresh;
    const rest = (): void => {
      const now = performance.now();
      fresh.freshUntil = now + Math.max(FRESH_MS, (now - began) * RESTS);
    };
    // A measurement that fails is not kept.
    board.then(rest, () => {
      this.kept = undefined;
    });
    return board;
  }
}

function totalsRow({ marginUsed, available, realised, open, ...counts }: RiskTotals): RiskTotalsRow {
  const rupees = (amount: number): string => formatRupees(amount as Paise);
  return {
    ...counts,
    marginUsed: rupees(marginUsed),
    available: rupees(available),
    realised: rupees(realised),
    open: rupees(open),
    result: rupees(realised + open),
  };
}
