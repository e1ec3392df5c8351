/**
 * How operators hold trading up, let it go on, and widen price bands.
 * The core decides what a hold refuses.
 */

import { setImmediate } from 'node:timers/promises';
import type { AccountId, Exchange, InstrumentId } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { formatIsoDay, formatIstMoment, type IstDay } from '../../base/time.ts';
import type { ShareBandPercent } from '../../core/exchange/guards/share-band.ts';
import type { Instrument, InstrumentDirectory } from '../../core/instrument.ts';
import type { PriceBand } from '../../core/market.ts';
import { refusalText } from '../../core/refusals/refusal-text.ts';
import type { State } from '../../core/state.ts';
import { countKilledBy } from '../../core/switches/cancel-killed.ts';
import { type Switch, type SwitchTarget, switchKey } from '../../core/switches/switch.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';

export interface SwitchDeskParts {
  readonly engine: EnginePort;
  readonly instruments: InstrumentDirectory;
  /** Reports every switch that is set or lifted. */
  readonly log: (message: string) => void;
}

/** An instrument as an operator names it. */
export interface InstrumentName {
  readonly exchange: Exchange;
  readonly symbol: string;
}

/** The scope that a switch holds up, as an operator names it. */
export type NamedTarget =
  | ({ readonly kind: 'Suspension' | 'InstrumentKill' } & InstrumentName)
  | { readonly kind: 'Halt' | 'RiskReduction'; readonly exchange: Exchange }
  | { readonly kind: 'AccountKill'; readonly userId: string }
  | { readonly kind: 'FullKill' };

/** The operator who acts, and the reason, for the journal. */
export interface Grounds {
  readonly by: string;
  readonly why: string;
}

/** A switch that is on, in words. */
export interface SwitchRow extends Grounds {
  readonly kind: SwitchTarget['kind'];
  /** The instrument, the exchange or the user; `all` for the switch that stops everybody. */
  readonly name: string;
  /** When it was set, in IST. */
  readonly since: string;
}

/** The result of setting or lifting a switch. */
export interface SwitchDone {
  readonly kind: SwitchTarget['kind'];
  readonly name: string;
  /** False when it was so before. */
  readonly changed: boolean;
  /** How many open orders were cancelled. */
  readonly cancelled: number;
}

/** How many open orders of a user were cancelled. */
export interface OrdersCancelled {
  readonly userId: string;
  readonly cancelled: number;
}

/** The band of an instrument as it is now, in paise. */
export interface WidenedBand extends InstrumentName, PriceBand {}

/** The fixed band of a share, and the day from which on it is in force. */
export interface FixedBand extends InstrumentName {
  readonly percent: ShareBandPercent;
  readonly from: string;
}

/**
 * Sets and lifts what operators hold up, and widens price bands: commands like all others, journaled with who and why.
 */
export class SwitchOperations {
  private readonly parts: SwitchDeskParts;
  /** The end of the last cancellation of each user whose orders are being cancelled. It never rejects. */
  private readonly cancelling = new Map<string, Promise<unknown>>();

  constructor(parts: SwitchDeskParts) {
    this.parts = parts;
  }

  /**
   * Sets a switch or lifts it, and answers when it is durable, its cancellations too; a message when there is no such
   * target. The kill switch of an account waits for a running cancellation, which lifts that switch.
   */
  async set(named: NamedTarget, on: boolean, grounds: Grounds): Promise<Result<SwitchDone, string>> {
    if (named.kind === 'AccountKill') await this.cancelling.get(named.userId);
    return this.change(named, on, grounds);
  }

  private async change(named: NamedTarget, on: boolean, grounds: Grounds): Promise<Result<SwitchDone, string>> {
    const { engine, log } = this.parts;
    const target = this.targetOf(named);
    if (!target.ok) return target;
    const isChange = (state: State): boolean => state.switches.has(switchKey(target.value)) !== on;
    const kills = on && target.value.kind.endsWith('Kill') && engine.glance(isChange);
    const counted = kills ? await this.countKilled(target.value) : 0;
    const { changed, name } = engine.glance((state) => {
      return { changed: isChange(state), name: this.nameOf(target.value, state) };
    });
    const cancelled = changed ? counted : 0;
    await engine.submit({ command: { type: 'SetSwitch', target: target.value, on, ...grounds }, origin: OPERATOR });
    if (changed) log(`${named.kind} ${name} is ${on ? 'set' : 'lifted'} by ${grounds.by}: ${grounds.why}`);
    return ok({ kind: named.kind, name, changed, cancelled });
  }

  /** Counts the open orders that a kill switch stops, some of them in each turn of the loop. It waits for no disk. */
  private async countKilled(target: SwitchTarget): Promise<number> {
    const { engine } = this.parts;
    const counting = engine.glance((state) => countKilledBy(target, state));
    for (;;) {
      const { done, value } = engine.glance(() => counting.next());
      if (done === true) return value;
      await setImmediate();
    }
  }

  /**
   * Cancels the open orders of a user, who may go on trading: the kill switch of the account is set and lifted at once.
   * Orders of the user that come in between are refused. While the switch is on already nothing is open. The number of
   * cancelled orders, or a message.
   */
  async cancelOrders(userId: string, grounds: Grounds): Promise<Result<OrdersCancelled, string>> {
    const before = this.cancelling.get(userId) ?? Promise.resolve();
    const run = before.then(() => this.killAndLift(userId, grounds));
    const ended = run.catch(() => undefined);
    this.cancelling.set(userId, ended);
    try {
      return await run;
    } finally {
      if (this.cancelling.get(userId) === ended) this.cancelling.delete(userId);
    }
  }

  private async killAndLift(userId: string, grounds: Grounds): Promise<Result<OrdersCancelled, string>> {
    const named = { kind: 'AccountKill', userId } as const;
    const done = await this.change(named, true, grounds);
    if (!done.ok) return done;
    if (done.value.changed) await this.change(named, false, grounds);
    return ok({ userId, cancelled: done.value.cancelled });
  }

  /** The switches that are on, in the order in which they were set. */
  async list(): Promise<readonly SwitchRow[]> {
    return this.parts.engine.read((state) => Array.from(state.switches.values(), (set) => this.rowOf(set, state)));
  }

  /**
   * Widens the band of an instrument to a share of its base on each side, until the day ends; a message when it cannot
   * be.
   */
  async widen(named: InstrumentName, percent: number, grounds: Grounds): Promise<Result<WidenedBand, string>> {
    const { engine, log } = this.parts;
    const instrument = this.find(named);
    if (instrument === undefined) return fail(unknown(named));
    const reply = await engine.submit({
      command: { type: 'WidenBand', instrument: instrument.id, percent, ...grounds },
      origin: OPERATOR,
    });
    if (reply.type === 'Refused') {
      return fail(refusalText(reply.refusal, { userId: grounds.by, kind: instrument.kind }));
    }
    const band = await engine.read((state) => state.widenedBands.get(instrument.id));
    if (band === undefined) return fail('the day of the band has ended');
    const { exchange, tradingSymbol } = instrument;
    log(`the band of ${exchange} ${tradingSymbol} is widened by ${grounds.by}: ${grounds.why}`);
    return ok({ exchange, symbol: tradingSymbol, lower: band.lower, upper: band.upper });
  }

  /**
   * Gives a share another fixed band from the next trading day on; a message when it has none. Source: market-rules
   * R1.40.
   */
  async setShareBand(
    named: InstrumentName,
    percent: ShareBandPercent,
    grounds: Grounds,
  ): Promise<Result<FixedBand, string>> {
    const { engine, log } = this.parts;
    const instrument = this.find(named);
    if (instrument === undefined) return fail(unknown(named));
    const { id, kind, exchange, tradingSymbol } = instrument;
    const reply = await engine.submit({
      command: { type: 'SetShareBand', instrument: id, percent, ...grounds },
      origin: OPERATOR,
    });
    if (reply.type === 'Refused') return fail(refusalText(reply.refusal, { userId: grounds.by, kind }));
    const from = await engine.read(({ shareBands, day }) => {
      const days = shareBands.flatMap((band) => (band.instrument === id ? [band.from] : []));
      return Math.max(day, ...days) as IstDay;
    });
    log(
      `the band of ${exchange} ${tradingSymbol} is ${percent} % from ${formatIsoDay(from)}, by ${grounds.by}: ${grounds.why}`,
    );
    return ok({ exchange, symbol: tradingSymbol, percent, from: formatIsoDay(from) });
  }

  private targetOf(named: NamedTarget): Result<SwitchTarget, string> {
    switch (named.kind) {
      case 'Halt':
      case 'RiskReduction':
      case 'FullKill':
        return ok(named);
      case 'AccountKill': {
        const { kind, userId } = named;
        const account = this.parts.engine.glance((state) => state.accountByUser.get(userId));
        return account === undefined ? fail(`there is no user ${userId}`) : ok({ kind, account });
      }
      default: {
        const found = this.find(named) ?? this.findHeldUp(named);
        return found === undefined ? fail(unknown(named)) : ok({ kind: named.kind, instrument: found.id });
      }
    }
  }

  private find({ exchange, symbol }: InstrumentName): Instrument | undefined {
    const { engine, instruments } = this.parts;
    const now = engine.now();
    return instruments.find(exchange, symbol, now) ?? instruments.find(exchange, `${symbol}-EQ`, now);
  }

  /** A contract that has expired since it was held up is found no more by its symbol alone. */
  private findHeldUp({ exchange, symbol }: InstrumentName): Instrument | undefined {
    const { engine, instruments } = this.parts;
    const held = engine.glance(({ switches }) => Array.from(switches.values(), ({ target }) => target));
    return held
      .flatMap((target) => ('instrument' in target ? [instruments.get(target.instrument)] : []))
      .find((one) => one?.exchange === exchange && one.tradingSymbol === symbol.toUpperCase());
  }

  private rowOf({ target, since, by, why }: Switch, state: State): SwitchRow {
    return { kind: target.kind, name: this.nameOf(target, state), since: formatIstMoment(since), by, why };
  }

  private nameOf(target: SwitchTarget, state: State): string {
    switch (target.kind) {
      case 'Halt':
      case 'RiskReduction':
        return target.exchange;
      case 'FullKill':
        return 'all';
      case 'AccountKill':
        return userIdOf(state, target.account);
      default:
        return this.instrumentName(target.instrument);
    }
  }

  private instrumentName(id: InstrumentId): string {
    const instrument = this.parts.instruments.get(id);
    return instrument === undefined ? String(id) : `${instrument.exchange} ${instrument.tradingSymbol}`;
  }
}

function userIdOf({ accounts }: State, account: AccountId): string {
  return accounts.at(account)?.userId ?? String(account);
}

function unknown({ exchange, symbol }: InstrumentName): string {
  return `there is no instrument ${symbol} on ${exchange}`;
}
