import type { AccountId } from '../../../src/base/ids.ts';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS } from '../../../src/base/time.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { recover } from '../../../src/journal/recovery.ts';
import { unasked } from '../../kit/unasked.ts';
import { ExchangeMonth } from './exchange-month.ts';
import { nextCommand, opening, type Scene, USERS } from './traders.ts';

/** Minutes after midnight at which the exchange is visited: around its doors, its cut-offs and its quiet hours. */
const VISITS = [555, 571, 645, 735, 840, 907, 912, 921, 931, 1_080];

/** The figures that are looked at while the month goes on. */
export interface Watch {
  /** After each command and each passing of time. */
  step(run: MonthRun): void;
  /** When the last visit of a day is over. */
  evening(run: MonthRun): void;
  /** When a process ended and another began from the journal. */
  restarted(before: Live, after: Live): void;
}

/** A month of one exchange with its users, one engine after the other. */
export class MonthRun {
  readonly exchange: ExchangeMonth;
  readonly journal = new MemoryJournal();
  live: Live = LIVE.empty();
  now: EpochMs;
  private readonly random: Random;
  private readonly watch: Watch;
  private engine: Engine;

  constructor(seed: number, first: IstDay, watch: Watch) {
    this.exchange = new ExchangeMonth(seed);
    this.random = new Random(seed);
    this.watch = watch;
    this.now = istInstant(first, 9 * 60 * MINUTE_MS);
    this.engine = this.startEngine();
  }

  /** Lives through the days from the first on; `away` days pass without a process. */
  async liveThrough(days: number, commandsEachVisit: number, away: readonly number[]): Promise<void> {
    this.engine.passSecond();
    for (const command of opening(this.exchange, this.now)) await this.engine.submit(unasked(command));
    const first = istDay(this.now);
    for (let day = first; day < first + days; day = (day + 1) as IstDay) {
      if (away.includes(day - first)) continue;
      if (this.random.chance(40) || away.includes(day - first - 1)) await this.restart(istInstant(day));
      for (const minute of VISITS) await this.visit(istInstant(day, minute * MINUTE_MS), commandsEachVisit);
      this.watch.evening(this);
    }
  }

  private async visit(at: EpochMs, commands: number): Promise<void> {
    const { exchange, random } = this;
    this.now = at;
    this.engine.passSecond();
    this.watch.step(this);
    const market = { shares: exchange.shares(at), contracts: exchange.contracts(at) };
    for (let index = 0; index < commands; index += 1) {
      const account = this.live.state.accounts.at(random.below(USERS) as AccountId);
      if (account === undefined) continue;
      const scene: Scene = { ...market, random, exchange, state: this.live.state, account, at: this.now };
      await this.engine.submit(unasked(nextCommand(scene)));
      this.watch.step(this);
    }
  }

  private async restart(at: EpochMs): Promise<void> {
    await this.engine.drain();
    const before = this.live;
    this.live = recover(this.journal, undefined, LIVE).replica;
    this.watch.restarted(before, this.live);
    this.now = at;
    this.engine = this.startEngine();
  }

  private startEngine(): Engine {
    const failStop = (error: Error): never => {
      throw error;
    };
    const { live, journal, exchange } = this;
    return new Engine({ live, journal, ports: exchange.ports, clock: () => this.now, elapsed: () => 0, failStop });
  }
}
