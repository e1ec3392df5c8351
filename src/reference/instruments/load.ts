/**
 * Reading of the data folder: the calendar, the timetable, the dated rules, the facts and the master, made of its
 * files. A missing file or a wrong cell ends the start. Symbol files of an operator are parsed here too, but stored in
 * `folder`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentId } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { IstDay } from '../../base/time.ts';
import type { Equity } from '../../core/instrument.ts';
import type { TradingDays } from '../../core/trading-days.ts';
import { ExchangeDays } from '../calendar/exchange-days.ts';
import { ExpiryCalendar } from '../calendar/expiry-calendar.ts';
import { Timetable } from '../calendar/timetable.ts';
import { CASH_EXCHANGES, type CashExchange, TradingCalendar } from '../calendar/trading-calendar.ts';
import { type ActionSource, AnnouncedActions, NO_ACTIONS } from '../corporate-actions/announced-actions.ts';
import { ContractCycles } from '../rules/contract-cycles.ts';
import { type DataRow, readTable } from '../rules/data-table.ts';
import { type DatedRules, loadRules } from '../rules/dated-rules.ts';
import { ExpiryWeekdays } from '../rules/expiry-weekdays.ts';
import { PhaseTable } from '../rules/phase-table.ts';
import { SessionHours } from '../rules/session-hours.ts';
import { StrikeSteps } from '../rules/strike-steps.ts';
import { TickBands } from '../rules/tick-bands.ts';
import { type EquityRules, readEquity, readIndex } from './cash-book.ts';
import { KnownFacts } from './cash-facts.ts';
import type { DailyClose } from './contracts/contract-book.ts';
import { ContractSchedule } from './contracts/contract-schedule.ts';
import { ContractTerms } from './contracts/contract-terms.ts';
import { readUnderlyings, type Underlying } from './contracts/underlying.ts';
import type { ImportedRow, LineError } from './instrument-row.ts';
import { InstrumentMaster } from './master.ts';
import { parseMasterCsv, shortened } from './master-csv.ts';

/** The content of the data folder, read once. */
export interface ReferenceData {
  readonly calendar: TradingCalendar;
  readonly timetable: Timetable;
  /** The trading days of the hours `exchange`. */
  readonly days: TradingDays;
  readonly expiries: ExpiryCalendar;
  readonly facts: KnownFacts;
  readonly rules: DatedRules;
  /** Builds the master over these facts. */
  readonly master: (options?: MasterOptions) => InstrumentMaster;
}

export interface MasterOptions {
  /** The market's daily closes, which strikes are listed around; the reference closes, for ever, when left out. */
  readonly closeOf?: DailyClose;
  /** The corporate actions that are announced; none when left out. */
  readonly actions?: ActionSource;
  /** The date at whose midnight a trading day begins, for contracts that are adjusted on it; its own when left out. */
  readonly beginOf?: (day: IstDay) => IstDay;
  /** Rows of imported symbol files, as `readImport` gave them. */
  readonly imported?: readonly ImportedRow[];
  /** Rows of earlier files that these left out. */
  readonly delisted?: readonly ImportedRow[];
}

/** Reads the data folder. Throws when a file is missing or a cell is not what its column says. */
export function loadReferenceData(dataFolder: string): ReferenceData {
  const table = (name: string) => readTable(name, readFileSync(join(dataFolder, name), 'utf8'));
  const phases = new PhaseTable(table('rules/phases.csv'));
  const hours = new SessionHours(phases);
  const calendar = new TradingCalendar(table('holidays.csv'), table('special-sessions.csv'), hours);
  const expiries = new ExpiryCalendar(calendar, new ExpiryWeekdays(table('rules/expiry-weekdays.csv')));
  const schedule = new ContractSchedule(calendar, expiries, new ContractCycles(table('rules/contract-cycles.csv')));
  const ticks = new TickBands(table('rules/tick-bands.csv'));
  const terms = new ContractTerms(
    table('lots.csv'),
    table('freeze.csv'),
    ticks,
    new StrikeSteps(table('rules/strike-steps.csv')),
  );
  const indices = table('indices.csv');
  const equities = {
    NSE: [...table('equities-nse.csv'), ...table('bonds-nse.csv')],
    BSE: [...table('equities-bse.csv'), ...table('bonds-bse.csv')],
  };
  const underlyings = readUnderlyings(table('underlyings.csv'));
  const [weights, openInterest] = [table('index-weights.csv'), table('open-interest.csv')];
  const facts = new KnownFacts({ indices, nse: equities.NSE, bse: equities.BSE, weights, openInterest });
  const cash = [
    ...indices.map(readIndex),
    ...readEquities(equities, underlyings, { ticks, terms, day: facts.lastDay }),
  ];
  const aliases = readAliases(indices);
  return {
    calendar,
    timetable: new Timetable(calendar, expiries, phases),
    days: new ExchangeDays(
      calendar,
      hours,
      table('rules/square-off.csv'),
      table('rules/after-market.csv'),
      table('settlement-holidays.csv'),
    ),
    expiries,
    facts,
    rules: loadRules(dataFolder),
    master: ({ closeOf, actions = NO_ACTIONS, beginOf = (day: IstDay) => day, imported = [], delisted = [] } = {}) => {
      const announced = new AnnouncedActions(actions);
      facts.addImported([...imported, ...delisted]);
      const referenceOf = facts.referenceOf.bind(facts);
      return new InstrumentMaster({
        cash,
        aliasesOf: (index) => aliases.get(index.id) ?? [],
        underlyings,
        contractRules: {
          calendar,
          expiries,
          schedule,
          terms,
          referenceOf,
          closeOf: closeOf ?? referenceOf,
          actions: () => announced.index(),
          beginOf,
        },
        imported,
        delisted,
        members: facts.members(),
      });
    },
  };
}

/**
 * Reads an imported symbol file against the built-in master and the rows of the `others`: all of its rows, or every
 * line that cannot be taken with the reason. A row replaces the built-in one of its token and the built-in or generated
 * one of its symbol; the others are added.
 */
export function readImport(
  text: string,
  builtIn: InstrumentMaster,
  others: readonly ImportedRow[] = [],
): Result<readonly ImportedRow[], readonly LineError[]> {
  const parsed = parseMasterCsv(text);
  if (!parsed.ok) return parsed;
  const problems = builtIn.importProblems(parsed.value, others);
  return problems.length > 0 ? fail(shortened(problems)) : ok(parsed.value);
}

function readEquities(
  tables: Readonly<Record<CashExchange, readonly DataRow[]>>,
  underlyings: readonly Underlying[],
  rules: EquityRules,
): Equity[] {
  const onDerivatives = new Set(underlyings.map((underlying) => underlying.id));
  return CASH_EXCHANGES.flatMap((exchange) =>
    tables[exchange].map((row) => readEquity(exchange, row, rules, (id) => onDerivatives.has(id))),
  );
}

function readAliases(indices: readonly DataRow[]) {
  return new Map(
    indices.map((row) => {
      const id = instrumentId(row.oneOf('exchange', CASH_EXCHANGES), row.number('token'));
      return [
        id,
        row
          .text('aliases')
          .split('|')
          .filter((alias) => alias !== ''),
      ] as const;
    }),
  );
}
