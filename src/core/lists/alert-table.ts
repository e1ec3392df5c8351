/**
 * All price alerts of the state: those that are active, and the last ones of each account that ended. Only `alerts.ts`
 * writes it.
 */

import { must } from '../../base/assert.ts';
import type { AccountId, AlertNumber, InstrumentId } from '../../base/ids.ts';
import type { Alert, AlertEnd } from './alert.ts';

/** This number of ended alerts of an account is kept, so that their user can read them: the last that ended. */
export const ENDED_ALERTS_KEPT = 100;

interface OwnAlerts {
  /** By number, in the order in which they were placed. */
  readonly active: Map<AlertNumber, Alert>;
  /** In the order in which they ended. */
  readonly ended: Alert[];
}

export class AlertTable {
  private readonly byAccount = new Map<AccountId, OwnAlerts>();
  private readonly active = new Map<AlertNumber, Alert>();
  /** How many active alerts each instrument has that has some. */
  private readonly counts = new Map<InstrumentId, number>();

  /** The alerts of an account that are kept, oldest first. */
  of(account: AccountId): Alert[] {
    const own = this.byAccount.get(account);
    if (own === undefined) return [];
    return [...own.active.values(), ...own.ended].sort((one, other) => one.number - other.number);
  }

  /** An alert of the account that is kept; one of another account is treated as unknown. */
  get(account: AccountId, number: AlertNumber): Alert | undefined {
    const own = this.byAccount.get(account);
    return own?.active.get(number) ?? own?.ended.find((alert) => alert.number === number);
  }

  /** An alert that is active. It must be. */
  activeOf(number: AlertNumber): Alert {
    return must(this.active.get(number), 'only an active alert ends');
  }

  activeCountOf(account: AccountId): number {
    return this.byAccount.get(account)?.active.size ?? 0;
  }

  activeCountOn(instrument: InstrumentId): number {
    return this.counts.get(instrument) ?? 0;
  }

  /** Account by account, those that are active in front: filed in this order, they give the same table. */
  *values(): Iterable<Alert> {
    for (const { active, ended } of this.byAccount.values()) {
      yield* active.values();
      yield* ended;
    }
  }

  /** Files an alert that is new, or that a snapshot holds. */
  file(alert: Alert): void {
    const own = this.ownOf(alert.account);
    if (alert.end !== undefined) {
      own.ended.push(alert);
      if (own.ended.length > ENDED_ALERTS_KEPT) own.ended.shift();
      return;
    }
    own.active.set(alert.number, alert);
    this.active.set(alert.number, alert);
    this.counts.set(alert.instrument, this.activeCountOn(alert.instrument) + 1);
  }

  /** Ends an active alert, and forgets the one of its account that ended first when too many have. */
  end(number: AlertNumber, end: AlertEnd): void {
    const alert = this.activeOf(number);
    const { account, instrument } = alert;
    this.active.delete(number);
    this.ownOf(account).active.delete(number);
    const left = this.activeCountOn(instrument) - 1;
    if (left === 0) this.counts.delete(instrument);
    else this.counts.set(instrument, left);
    this.file({ ...alert, end });
  }

  private ownOf(account: AccountId): OwnAlerts {
    const known = this.byAccount.get(account);
    if (known !== undefined) return known;
    const own: OwnAlerts = { active: new Map(), ended: [] };
    this.byAccount.set(account, own);
    return own;
  }
}
