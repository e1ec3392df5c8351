/**
 * How operators announce, withdraw and list bonuses, splits and dividends.
 * The core applies them on the ex-date.
 */
import { formatRupees } from '../../base/decimal.ts';
import type { Exchange, InstrumentId } from '../../base/ids.ts';
import { type Price, ZERO_PRICE } from '../../base/money.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type EpochMs, formatIsoDay, type IstDay } from '../../base/time.ts';
import {
  type CorporateAction,
  type CorporateActionKind,
  isSpecialDividend,
} from '../../core/broker/corporate-actions/corporate-action.ts';
import type { Command } from '../../core/command.ts';
import type { Equity, InstrumentDirectory } from '../../core/instrument.ts';
import { refusalText } from '../../core/refusals/refusal-text.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';

export interface CorporateDeskParts {
  readonly engine: EnginePort;
  readonly instruments: InstrumentDirectory;
  /** True when contracts on a share come from an imported file, which no action can change. */
  readonly hasImportedContracts: (underlying: InstrumentId, at: EpochMs) => boolean;
  /** The previous close. */
  readonly priceOf: (instrument: InstrumentId) => Price;
}

/** A share as an operator names it. */
export interface ShareName {
  readonly exchange: Exchange;
  readonly symbol: string;
}

/** An announcement of a company: `after` units for `before` units, or a dividend for each unit. */
export interface Announcement {
  readonly kind: CorporateActionKind;
  readonly exDay: IstDay;
  readonly before: number;
  readonly after: number;
  readonly dividend: Price;
}

/** An announced action in words. */
export interface CorporateActionRow {
  readonly exDate: string;
  readonly exchange: string;
  readonly symbol: string;
  readonly isin: string;
  readonly kind: CorporateActionKind;
  /** `1 new for 2`, `5 for 1`, or rupees a share. */
  readonly terms: string;
  readonly adjustsContracts: boolean;
  readonly inEffect: boolean;
}

/** Announces and withdraws what companies do to their shares. Source: market-rules R7.6. */
export class CorporateActionOperations {
  private readonly parts: CorporateDeskParts;

  constructor(parts: CorporateDeskParts) {
    this.parts = parts;
  }

  /** Announces an action on all listings of a share; a message when it cannot be. */
  async announce(name: ShareName, announcement: Announcement): Promise<Result<CorporateActionRow, string>> {
    const share = this.find(name);
    if (share === undefined) return fail(`there is no share ${name.symbol} on ${name.exchange}`);
    const listings = this.listingsOf(share);
    const { kind, dividend } = announcement;
    const adjusts = kind !== 'dividend' || isSpecialDividend(dividend, this.parts.priceOf(share.id));
    if (adjusts && listings.some((id) => this.parts.hasImportedContracts(id, this.parts.engine.now()))) {
      return fail(
        `contracts on ${share.symbol} come from an imported file: import one with adjusted contracts instead`,
      );
    }
    const done = await this.submit({ ...announcement, type: 'AnnounceCorporateAction', listings });
    if (!done.ok) return done;
    const rows = await this.list();
    const exDate = formatIsoDay(announcement.exDay);
    const row = rows.find((known) => known.isin === share.isin && known.exDate === exDate);
    return row === undefined ? fail('the announcement was withdrawn') : ok(row);
  }

  /** Withdraws what is announced for a share and a day. */
  async withdraw(name: ShareName, exDay: IstDay): Promise<Result<undefined, string>> {
    const share = this.find(name);
    if (share === undefined) return fail(`there is no share ${name.symbol} on ${name.exchange}`);
    return this.submit({ type: 'WithdrawCorporateAction', isin: share.isin, exDay });
  }

  /** Every action that was announced and not withdrawn, by ex-date. */
  async list(): Promise<readonly CorporateActionRow[]> {
    const { actions, day } = await this.parts.engine.read((state) => {
      return { actions: state.corporateActions, day: state.day };
    });
    return [...actions].sort((a, b) => a.exDay - b.exDay).map((action) => this.rowOf(action, day));
  }

  private rowOf(action: CorporateAction, day: IstDay): CorporateActionRow {
    const { kind, isin, exDay, adjustsContracts } = action;
    const [first] = action.listings;
    const listing = first === undefined ? undefined : this.parts.instruments.get(first);
    const terms = termsOf(action);
    const name = { exchange: listing?.exchange ?? '', symbol: listing?.symbol ?? '', isin };
    return { exDate: formatIsoDay(exDay), ...name, kind, terms, adjustsContracts, inEffect: exDay <= day };
  }

  private find({ exchange, symbol }: ShareName): Equity | undefined {
    const { engine, instruments } = this.parts;
    const now = engine.now();
    const found = instruments.find(exchange, symbol, now) ?? instruments.find(exchange, `${symbol}-EQ`, now);
    return found?.kind === 'equity' ? found : undefined;
  }

  /** All listings of a share, itself first. */
  private listingsOf(share: Equity): [InstrumentId, ...InstrumentId[]] {
    const others: InstrumentId[] = [];
    for (const exchange of ['NSE', 'BSE'] as const) {
      for (const listed of this.parts.instruments.list(exchange, this.parts.engine.now())) {
        if (listed.kind === 'equity' && listed.isin === share.isin && listed.id !== share.id) others.push(listed.id);
      }
    }
    return share.isin === '' ? [share.id] : [share.id, ...others];
  }

  private async submit(command: Command): Promise<Result<undefined, string>> {
    const reply = await this.parts.engine.submit({ command, origin: OPERATOR });
    return reply.type === 'Refused' ? fail(refusalText(reply.refusal, { userId: '' })) : ok(undefined);
  }
}

/** `1:2` as its two numbers; `undefined` when it is not a pair of whole numbers above 0. */
export function parseRatio(text: string): readonly [number, number] | undefined {
  const match = /^([1-9]\d{0,3}):([1-9]\d{0,3})$/.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** A bonus of `issued` new shares for every `held` ones. */
export function bonusTerms([issued, held]: readonly [number, number]): Pick<
  Announcement,
  'before' | 'after' | 'dividend'
> {
  return { before: held, after: held + issued, dividend: ZERO_PRICE };
}

/** A split from one face value to another. */
export function splitTerms([from, to]: readonly [number, number]): Pick<Announcement, 'before' | 'after' | 'dividend'> {
  return { before: to, after: from, dividend: ZERO_PRICE };
}

/** A bonus as it was announced, new shares for held ones; a split as shares that one becomes. */
function termsOf({ kind, before, after, dividend }: CorporateAction): string {
  if (kind === 'dividend') return `${formatRupees(dividend)} rupees a share`;
  return kind === 'bonus' ? `${after - before} new for ${before}` : `${after} for ${before}`;
}
