/**
 * Adds up what the users of one data folder did and won since a record, for `sauda compare`: one pass over the journal
 * that folds it as a start does. Money and prices are those of the ledger and of the views; nothing is booked again.
 */
import type { AccountId, Tick } from '../../base/ids.ts';
import { addPaise, amountOf, type Paise, subtractPaise, ZERO_PAISE } from '../../base/money.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time.ts';
import type { Account } from '../../core/account.ts';
import type { ChargeTable } from '../../core/charges/charge-rates.ts';
import type { Event } from '../../core/event.ts';
import type { MarketData } from '../../core/market.ts';
import type { Live } from '../../engine/live.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { ComparedUser } from '../../operator/cli/folder/compare-command.ts';
import { accountWorth } from '../../views/account-worth.ts';
import { DayCharges } from '../../views/day/day-charges.ts';

/** At most this number of moments is looked at for the drawdown, and fewer where there are many users. */
const MOST_MOMENTS = 2_000;
const MOST_LOOKS = 200_000;
const LEAST_MOMENTS = 50;

/** The sums of one account as the records come. */
interface Sums {
  /** Worth and open result at the beginning, and charges of that day which were not posted by then. */
  begunWorth: Paise;
  begunOpen: Paise;
  begunUnposted: Paise;
  /** Paid in less paid out, and the cost of shares that were credited. */
  paidIn: Paise;
  posted: Paise;
  orders: number;
  fills: number;
  turnover: Paise;
  peak: Paise;
  drawdown: Paise;
}

export interface TallyTerms {
  /** The live state at or before `since`, from which the records are folded. */
  readonly live: Live;
  readonly market: MarketData;
  readonly charges: ChargeTable;
  /** The last record that is not counted. */
  readonly since: number;
  /** The instants of that record and of the last one. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** The users that are counted; all when absent. */
  readonly isWanted: (userId: string) => boolean;
}

/** Takes the records after a live state, in order, and counts those after `since`. */
export class FolderTally {
  private readonly terms: TallyTerms;
  private readonly dayCharges = new DayCharges();
  private readonly sums = new Map<AccountId, Sums>();
  private next: number;
  private hasBegun = false;

  constructor(terms: TallyTerms) {
    this.terms = terms;
    this.next = (Math.floor(terms.from / MINUTE_MS) + 1) * MINUTE_MS;
    if (terms.live.seq >= terms.since) this.begin();
  }

  take(record: JournalRecord): void {
    const { live, since } = this.terms;
    if (this.hasBegun) this.lookUntil(record.at);
    live.fold(record);
    if (!this.hasBegun && live.seq >= since) this.begin();
    else if (this.hasBegun) this.count(record.events);
  }

  /** The sums of the users at the last record that was taken. */
  rows(): ComparedUser[] {
    const { live } = this.terms;
    this.look(this.tickOf(live.at));
    return this.accounts().map((account) => this.rowOf(account));
  }

  private begin(): void {
    this.hasBegun = true;
    for (const account of this.accounts()) {
      const { worth, open } = this.worthOf(account, this.tickOf(this.terms.live.at));
      const sums = this.sumsOf(account.id);
      Object.assign(sums, { begunWorth: worth, begunOpen: open, begunUnposted: this.unposted(account) });
    }
  }

  private rowOf(account: Account): ComparedUser {
    const sums = this.sumsOf(account.id);
    const { worth, open: openNow } = this.worthOf(account, this.tickOf(this.terms.live.at));
    const gross = grossOf(sums, worth);
    const open = subtractPaise(openNow, sums.begunOpen);
    const charges = addPaise(sums.posted, subtractPaise(this.unposted(account), sums.begunUnposted));
    const { orders, fills, turnover, drawdown } = sums;
    const realised = subtractPaise(gross, open);
    const net = subtractPaise(gross, charges);
    return { userId: account.userId, net, realised, open, charges, orders, fills, turnover, drawdown };
  }

  private count(events: readonly Event[]): void {
    for (const event of events) this.countEvent(event);
    for (const { event, lines } of this.terms.live.state.posted) {
      if (event.type === 'DayRolled') continue;
      for (const { account, book, amount } of lines) {
        if (account === undefined || book !== 'charges') continue;
        const sums = this.sumsOf(account);
        sums.posted = subtractPaise(sums.posted, amount);
      }
    }
  }

  private countEvent(event: Event): void {
    switch (event.type) {
      case 'OrderReceived':
        this.sumsOf(event.account).orders += 1;
        break;
      case 'Traded':
        for (const side of [event.buy, event.sell]) {
          if (side === undefined) continue;
          const sums = this.sumsOf(side.account);
          sums.fills += 1;
          sums.turnover = addPaise(sums.turnover, amountOf(event.price, event.quantity));
        }
        break;
      case 'CashDeposited':
        this.pay(event.account, event.amount);
        break;
      case 'CashPaidOut':
        this.pay(event.account, subtractPaise(ZERO_PAISE, event.amount));
        break;
      case 'HoldingCredited':
        this.pay(event.account, event.cost);
        break;
      default:
    }
  }

  private pay(account: AccountId, amount: Paise): void {
    const sums = this.sumsOf(account);
    sums.paidIn = addPaise(sums.paidIn, amount);
  }

  /** Looks at the results before each whole step of time up to an instant. */
  private lookUntil(at: EpochMs): void {
    for (; this.next <= at; this.next += this.step()) this.look((this.next / SECOND_MS - 1) as Tick);
  }

  private look(tick: Tick): void {
    for (const account of this.accounts()) {
      const sums = this.sumsOf(account.id);
      const gross = grossOf(sums, this.worthOf(account, tick).worth);
      if (gross > sums.peak) sums.peak = gross;
      const drawdown = subtractPaise(sums.peak, gross);
      if (drawdown > sums.drawdown) sums.drawdown = drawdown;
    }
  }

  /** Whole minutes, the more of them the longer the time and the more users there are. */
  private step(): number {
    const { from, to } = this.terms;
    const moments = Math.min(MOST_MOMENTS, Math.max(LEAST_MOMENTS, MOST_LOOKS / Math.max(1, this.accounts().length)));
    return Math.max(1, Math.ceil((to - from) / MINUTE_MS / moments)) * MINUTE_MS;
  }

  private worthOf(account: Account, tick: Tick) {
    const { live, market } = this.terms;
    return accountWorth({ state: live.state, views: live.views, market }, account, tick);
  }

  /** The charges of the day so far that are in no book. */
  private unposted(account: Account): Paise {
    const { live, charges } = this.terms;
    const source = { state: live.state, trades: live.views.trades, charges };
    this.dayCharges.follow(source, account, Number.POSITIVE_INFINITY);
    return addPaise(this.dayCharges.totals(source, account).total, account.books.charges);
  }

  private accounts(): readonly Account[] {
    return [...this.terms.live.state.accounts].filter(({ userId }) => this.terms.isWanted(userId));
  }

  private tickOf(at: EpochMs): Tick {
    return this.terms.market.tickAt(at);
  }

  private sumsOf(account: AccountId): Sums {
    const known = this.sums.get(account);
    if (known !== undefined) return known;
    const fresh = {
      begunWorth: ZERO_PAISE,
      begunOpen: ZERO_PAISE,
      begunUnposted: ZERO_PAISE,
      paidIn: ZERO_PAISE,
      posted: ZERO_PAISE,
      orders: 0,
      fills: 0,
      turnover: ZERO_PAISE,
      peak: ZERO_PAISE,
      drawdown: ZERO_PAISE,
    };
    this.sums.set(account, fresh);
    return fresh;
  }
}

/** The result before charges since the beginning. */
function grossOf({ begunWorth, paidIn, posted }: Sums, worth: Paise): Paise {
  return addPaise(subtractPaise(subtractPaise(worth, begunWorth), paidIn), posted);
}
