/**
 * The listings of a market in which some instruments follow tapes. They, the contracts on them and their twins trade on
 * the days of the tape; everything else is drawn, or stands still where tapes alone are played.
 */
import { must } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import type { Equity, Instrument } from '../../core/instrument.ts';
import type { ActionIndex } from '../../reference/corporate-actions/announced-actions.ts';
import type { PlayedDays } from '../session/listed.ts';
import type { Sessions } from '../session/sessions.ts';
import { ModelListed, type ModelTerms } from '../synthetic/model-listed.ts';
import { Roster, type RosterTerms } from '../synthetic/roster.ts';
import { CONTRACT_PRINT_LOTS, cashDay } from '../synthetic/trades/liquidity.ts';
import { TwinSource } from '../synthetic/twin-source.ts';
import { NO_DAYS, RecordedPlay } from './played-days.ts';
import type { RecordedDays } from './recorded-days.ts';
import { RecordedListed } from './recorded-listed.ts';
import { RecordedSource, StandingSource } from './recorded-source.ts';

/** The tapes of a market. */
export interface Tapes {
  readonly recorded: RecordedDays;
  /** Whether instruments without a tape are drawn; else they do not trade. */
  readonly drawsTheRest: boolean;
  /** The days that are kept, over all lists of corporate actions. */
  readonly plays: Map<InstrumentId, RecordedPlay>;
}

/** Finds or makes the listing of an instrument: recorded, behind a recorded one, drawn, or standing still. */
export class RecordedRoster extends Roster {
  private readonly tapes: Tapes;
  private readonly names: ReadonlySet<string>;

  constructor(terms: RosterTerms, sessions: Sessions, actions: ActionIndex, tapes: Tapes) {
    super(terms, sessions, actions);
    this.tapes = tapes;
    this.names = new Set(tapes.recorded.instruments().map(({ exchange, symbol }) => `${exchange} ${symbol}`));
  }

  protected override listed(terms: ModelTerms, number: number): ModelListed {
    const { instrument, underlying, source } = terms;
    const play = this.playOf(terms);
    if (play !== undefined) {
      const recorded = new RecordedSource(play);
      return new RecordedListed(alone({ ...terms, source: recorded, model: source }), this.sessions, number, play);
    }
    const following = instrument.kind === 'equity' ? this.behindTwin(instrument, terms) : undefined;
    if (following !== undefined) return new ModelListed(following, this.sessions, number);
    const played = underlying === undefined ? this.unlessDrawn() : underlying.terms.played;
    if (played === undefined) return super.listed(terms, number);
    if (underlying !== undefined) return new ModelListed({ ...terms, played }, this.sessions, number);
    return new ModelListed(this.standing(terms, played), this.sessions, number);
  }

  private playOf(terms: ModelTerms): RecordedPlay | undefined {
    const { instrument } = terms;
    const { exchange, tradingSymbol } = instrument;
    if (!this.hasTape(instrument)) return undefined;
    const { recorded, plays } = this.tapes;
    const known = plays.get(instrument.id);
    if (known !== undefined) return known;
    const made = new RecordedPlay({
      recorded,
      name: { exchange, symbol: tradingSymbol },
      instrument,
      regime: this.regime,
      seed: terms.seed,
      hoursOn: (day) => this.sessions.hours(instrument, day),
      orderUnits: ordinaryUnits(terms),
    });
    plays.set(instrument.id, made);
    return made;
  }

  /** A share whose listing on the other exchange has a tape is as near to it as its twin always is. */
  private behindTwin(share: Equity, terms: ModelTerms): ModelTerms | undefined {
    const twin = this.facts.twinOf(share.id);
    if (twin === undefined || !this.hasTape(must(this.instruments.get(twin), 'the twin'))) return undefined;
    const other = this.get(twin);
    const source = new TwinSource(other.terms.source, share.tick, this.seedOf(share.id));
    return { ...terms, source, model: terms.source, played: must(other.terms.played, 'the days of a tape') };
  }

  private hasTape({ exchange, tradingSymbol }: Instrument): boolean {
    return this.names.has(`${exchange} ${tradingSymbol}`);
  }

  private unlessDrawn(): PlayedDays | undefined {
    return this.tapes.drawsTheRest ? undefined : NO_DAYS;
  }

  private standing(terms: ModelTerms, played: PlayedDays): ModelTerms {
    const reference = this.facts.factsOf(terms.instrument.id)?.reference ?? terms.instrument.tick;
    return alone({ ...terms, source: new StandingSource(reference), model: terms.source, played });
  }
}

/** A record has its own close: that of an index is not summed up from its members. */
function alone({ membersClose: _, ...terms }: ModelTerms): ModelTerms {
  return terms;
}

/** Units of an ordinary trade. */
function ordinaryUnits({ instrument, cashVolume, turnover }: ModelTerms): number {
  if (instrument.kind === 'index') return 1;
  if (instrument.kind !== 'equity') return CONTRACT_PRINT_LOTS * instrument.lot;
  const { lots, trades } = cashDay(cashVolume, turnover);
  return Math.max(lots / Math.max(trades, 1), 1);
}
