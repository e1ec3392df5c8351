/**
 * Builds the market of a service: calendar, instruments, dated rules, SPAN files and price tapes, from the shipped
 * facts and from the data folder. It holds no accounts and no orders.
 */
import { fileURLToPath } from 'node:url';
import { exchangeOf, type InstrumentId, type SymbolFile, tokenOf } from '../base/ids.ts';
import type { Price } from '../base/money.ts';
import { nameList } from '../base/name-list.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import { type CorporateActions, NO_CORPORATE_ACTIONS } from '../core/broker/corporate-actions/corporate-action.ts';
import { NO_SHARE_BANDS, type ShareBands } from '../core/exchange/guards/share-band.ts';
import { RiskSheets } from '../core/margin/risk-sheet.ts';
import type { Ports } from '../core/ports.ts';
import type { State } from '../core/state.ts';
import { dateOfBegin, everyDaySettledAs, type TradingDays } from '../core/trading-days.ts';
import type { DataFolder } from '../folder/data-folder.ts';
import type { Identity } from '../folder/identity.ts';
import { readImportedFiles } from '../folder/imported-files.ts';
import type { PlayedTapes } from '../folder/played-tapes.ts';
import { SpanStore } from '../folder/span-store.ts';
import type { ContractsOn } from '../market/options/open-positions.ts';
import type { RecordedDays } from '../market/recorded/recorded-days.ts';
import { RecordedMarket } from '../market/recorded/recorded-market.ts';
import { calendarHours } from '../market/session/sessions.ts';
import { SyntheticMarket, type SyntheticMarketTerms } from '../market/synthetic/synthetic-market.ts';
import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';
import type { ActionSource } from '../reference/corporate-actions/announced-actions.ts';
import { loadReferenceData } from '../reference/instruments/load.ts';
import type { InstrumentMaster } from '../reference/instruments/master.ts';
import { representationName } from '../reference/instruments/representation-name.ts';
import type { DatedRules } from '../reference/rules/dated-rules.ts';
import { SpanReader } from '../reference/span/span-reader.ts';
import { importedRows } from './imported-rows.ts';
import { followedTapes, recordedDaysOf } from './tapes/followed-tapes.ts';

/** The facts that the market and the instruments are made from. */
export const FACTS = fileURLToPath(new URL('../../data', import.meta.url));

/** The market of an identity over the tapes that it follows. */
function marketOf({ market }: Identity, recorded: RecordedDays, terms: SyntheticMarketTerms): SyntheticMarket {
  if (market === 'synthetic') return new SyntheticMarket(terms);
  return new RecordedMarket({ ...terms, recorded, drawsTheRest: market === 'mixed' });
}

/** The state of the service; nothing before it is recovered. */
export interface KnownState {
  state: State | undefined;
}

/** Corporate actions, as the market and the master know them. */
function actionsOf({ state }: KnownState): CorporateActions {
  return state?.corporateActions ?? NO_CORPORATE_ACTIONS;
}

/** Bands that operators gave to shares, as the market knows them. */
function shareBandsOf({ state }: KnownState): ShareBands {
  return state?.shareBands ?? NO_SHARE_BANDS;
}

/** The ports of decisions, but for the one that the settings give. */
export function portsOf({ instruments, market, rules, days, spanFiles }: OpenedMarket): Omit<Ports, 'strictTrigger'> {
  return { instruments, market, ...rules, days, spanFiles, riskSheets: new RiskSheets() };
}

/** The market of a service, and all that it is made of. */
export interface OpenedMarket {
  readonly instruments: InstrumentMaster;
  readonly market: SyntheticMarket;
  readonly days: TradingDays;
  readonly rules: DatedRules;
  readonly spanFiles: SpanStore;
  /** The tapes that it follows; none where all prices are drawn. */
  readonly followed: PlayedTapes;
  /** The market as clients read it. Questions of the state are answered with the engine's ports. */
  readonly forClients: MarketForClients;
}

/** The market, the instruments and the rates of charges as clients read them. */
interface MarketForClients {
  /** Source: contract W29. */
  readonly marketLabel: 'replay' | 'simulated';
  readonly instruments: InstrumentMaster;
  readonly market: SyntheticMarket;
  readonly charges: DatedRules['charges'];
  readonly symbolLines: (file: SymbolFile, at: EpochMs) => Iterable<string>;
  readonly representationName: typeof representationName;
}

/** The market of an identity, and the instruments that trade on it. Strikes are listed around its closes. */
export function openMarket(folder: DataFolder, identity: Identity, known: KnownState): OpenedMarket {
  const data = loadReferenceData(FACTS);
  const imported = importedRows(data, readImportedFiles(folder.instruments), EXIT_CONFIG);
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => market.closeOn(id, day, asOf);
  const actions: ActionSource = () => actionsOf(known);
  const { seed, hours: regime } = identity;
  const days = regime === 'exchange' ? data.days : everyDaySettledAs(data.days);
  const instruments = data.master({ closeOf, actions, beginOf: (day) => dateOfBegin(days, day), ...imported });
  const calendar = calendarHours(data);
  const shareBands = (): ShareBands => shareBandsOf(known);
  const { facts } = data;
  const contractsOn: ContractsOn = (underlying, at) => instruments.contractsOn(underlying, at);
  const recorded = recordedDaysOf(folder);
  const followed = followedTapes(identity, recorded);
  const market = marketOf(identity, recorded, {
    seed,
    regime,
    instruments,
    facts,
    calendar,
    actions,
    shareBands,
    contractsOn,
  });
  const spanFiles = spanStoreOf(folder);
  return {
    instruments,
    market,
    days,
    rules: data.rules,
    spanFiles,
    followed,
    forClients: {
      marketLabel: followed.tapes.length > 0 ? 'replay' : 'simulated',
      instruments,
      market,
      charges: data.rules.charges,
      symbolLines: (file, at) => instruments.symbolLines(file, at),
      representationName,
    },
  };
}

/** True when the market has a price for its first instrument at this moment. */
export function marketMoves({ instruments, market }: OpenedMarket, now: EpochMs): boolean {
  const [first] = instruments.list('NSE', now);
  return first !== undefined && market.lastPrint(first.id, market.tickAt(now)).price > 0;
}

/** The instruments that are not known, by their tokens; `undefined` when all are. */
export function unknownOf(
  instruments: Pick<InstrumentMaster, 'get'>,
  named: ReadonlySet<InstrumentId>,
): string | undefined {
  const missing = [...named].filter((id) => instruments.get(id) === undefined);
  return missing.length === 0 ? undefined : nameList(missing.map((id) => `${exchangeOf(id)} ${tokenOf(id)}`));
}

/** Refuses to go on with instruments that lack one which the state or the kept history names. */
export function expectInstruments(
  { instruments }: OpenedMarket,
  folder: DataFolder,
  named: ReadonlySet<InstrumentId>,
): void {
  const missing = unknownOf(instruments, named);
  if (missing === undefined) return;
  throw new CommandFailed(
    `no instrument has the token ${missing}, and orders, positions, holdings or settings are in it: ` +
      `restore ${folder.instruments}, or import a symbol file that has it`,
    EXIT_CONFIG,
  );
}

/** The SPAN files of a data folder. Throws `SpanStoreError`. */
export function spanStoreOf({ spanFiles }: Pick<DataFolder, 'spanFiles'>): SpanStore {
  return new SpanStore(spanFiles, () => new SpanReader());
}
