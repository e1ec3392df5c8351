/**
 * The bhavcopy of NSE's futures and options before UDiFF (`fo05JUL2024bhav.csv`). Volumes are in contracts and the file
 * has no lots: the lot of an underlying's expiry is found from the traded value of its contracts and from open
 * interest, which is in units. So all rows are held until the file ends; it has one day.
 */

import type { Columns } from '../columns.ts';
import type { Row } from '../row.ts';
import { StampReader } from '../stamps.ts';
import { faultOf } from '../tape-fault.ts';
import { contractOf, dayFinder, keyOf, takeDay } from './bhavcopy.ts';
import { expectNoSymbol, type Form, NamedRows, type Reading } from './form.ts';

const MARKS = ['INSTRUMENT', 'SYMBOL', 'EXPIRY_DT', 'STRIKE_PR', 'OPTION_TYP', 'OPEN', 'CONTRACTS', 'OPEN_INT'];
/** A day has 40,000 of them. */
const MOST_ROWS = 400_000;
const LAKH_PAISE = 1e7;
/** The largest lots of shares have some ten thousand units. */
const MOST_LOT = 1_000_000;
/** Values are rounded to a thousand rupees, half of which is this. */
const VALUE_SLACK = 50_000;

/** The bounds of a lot, and the divisor of all open interest. */
interface LotClues {
  least: number;
  most: number;
  divisor: number;
}

export const readOlderContracts: Form = (columns, reading) => {
  if (!columns.has(...MARKS)) return undefined;
  expectNoSymbol(reading);
  const held: { readonly row: Row; readonly group: string }[] = [];
  const clues = new Map<string, LotClues>();
  const groupOf = keyOf(columns, 'SYMBOL', 'EXPIRY_DT');
  const contracts = columns.find('CONTRACTS');
  return {
    title: 'bhavcopy of NSE futures and options (before UDiFF)',
    row: (row) => {
      const group = groupOf(row);
      noteClue(clues, group, row, columns);
      if (row.count(contracts) === 0) reading.instruments.untraded += 1;
      else held.push({ row: row.copy(), group });
      if (held.length > MOST_ROWS) throw faultOf(reading.document, `it has more than ${MOST_ROWS} rows of one day`);
    },
    end: () => takeHeld(held, clues, columns, reading),
  };
};

function takeHeld(
  held: readonly { readonly row: Row; readonly group: string }[],
  clues: ReadonlyMap<string, LotClues>,
  columns: Columns,
  reading: Reading,
): void {
  const cells = {
    open: columns.find('OPEN'),
    high: columns.find('HIGH'),
    low: columns.find('LOW'),
    close: columns.find('CLOSE'),
    last: -1,
    previous: -1,
    settlement: columns.find('SETTLE_PR'),
    volume: columns.find('CONTRACTS'),
    interest: columns.find('OPEN_INT'),
    date: columns.find('TIMESTAMP'),
  };
  const dayOf = dayFinder(cells.date, reading);
  const stamps = new StampReader();
  const named = new NamedRows(reading, 'candles', (key) => {
    const [symbol = '', expiry = '', strike = '', type = ''] = key.split('\t');
    return contractOf(reading.names, 'NFO', symbol, stamps.date(expiry), { strike, type });
  });
  const nameOf = keyOf(columns, 'SYMBOL', 'EXPIRY_DT', 'STRIKE_PR', 'OPTION_TYP');
  for (const { row, group } of held) {
    const series = named.of(nameOf(row));
    if (series === undefined) continue;
    const lot = lotOf(clues.get(group));
    if (lot === undefined) throw row.fault(cells.volume, 'values and open interest do not show the lot');
    takeDay(row, { series, cells, units: row.count(cells.volume) * lot, lot, day: dayOf(row) }, reading);
  }
}

function noteClue(clues: Map<string, LotClues>, group: string, row: Row, columns: Columns): void {
  const clue = clues.get(group) ?? { least: 1, most: Number.POSITIVE_INFINITY, divisor: 0 };
  clues.set(group, clue);
  clue.divisor = divisor(clue.divisor, row.count(columns.find('OPEN_INT')));
  const contracts = row.count(columns.find('CONTRACTS'));
  const high = row.priceIfAny(columns.find('HIGH'));
  const low = row.priceIfAny(columns.find('LOW'));
  if (contracts === 0 || low === 0) return;
  // The traded value of an option counts its strike too.
  const strike = row.priceIfAny(columns.find('STRIKE_PR'));
  const value = row.decimal(columns.find('VAL_INLAKH')) * LAKH_PAISE;
  clue.least = Math.max(clue.least, (value - VALUE_SLACK) / (contracts * (strike + high)));
  clue.most = Math.min(clue.most, (value + VALUE_SLACK) / (contracts * (strike + low)));
}

/** The one lot that fits the clues; `undefined` when none does, or several do. */
function lotOf(clue: LotClues | undefined): number | undefined {
  if (clue === undefined || !Number.isFinite(clue.most)) return undefined;
  const most = Math.min(clue.most, MOST_LOT);
  const fitting: number[] = [];
  for (let lot = Math.ceil(clue.least); lot <= most && fitting.length < 2; lot += 1) {
    if (clue.divisor % lot === 0) fitting.push(lot);
  }
  return fitting.length === 1 ? fitting[0] : undefined;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
