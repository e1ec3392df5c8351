/** `sauda candles`: prices and volume by minutes or by days. */
import { type Command, Option } from 'commander';
import { INTERVALS, type Interval } from '../../../client/src/generated/operations.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { CandleRow } from '../../../client/src/wire.ts';
import { CommandFailed, EXIT_USAGE } from '../../os/command-failed.ts';
import { signedIn } from '../session/signed-in.ts';
import { grouped, rupeesOf, signed, toneOf } from '../text/amounts.ts';
import { type Cell, type Column, table } from '../text/table.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';
import { type CandleTimes, candleTimes } from './candle-times.ts';
import { instrumentOf } from './instrument.ts';

interface CandleFlags extends CandleTimes {
  readonly interval: Interval;
  readonly last: string;
  readonly json?: true;
}

const COLUMNS: readonly Column[] = [
  { title: 'time' },
  { title: 'open', isNumber: true },
  { title: 'high', isNumber: true },
  { title: 'low', isNumber: true },
  { title: 'close', isNumber: true },
  { title: 'change', isNumber: true, rank: 1 },
  { title: 'volume', isNumber: true },
  { title: 'interest', isNumber: true, rank: 2 },
];

/** Adds `candles`. */
export function addCandlesCommand(program: Command, parts: TraderParts): void {
  program
    .command('candles <instrument>')
    .description('print the candles of an instrument, oldest first')
    .addOption(new Option('--interval <interval>', 'the time of a candle').choices(INTERVALS).default('5mi'))
    .option('--from <time>', "the first: YYYY-MM-DD, 'YYYY-MM-DD HH:MM', or HH:MM of today")
    .option('--to <time>', 'the last, in the same forms; now when left out')
    .addOption(new Option('--last <number>', 'print no more than the last ones').default('20'))
    .option('--json', 'as an array in JSON')
    .action((instrument: string, flags: CandleFlags) => {
      return signedIn(parts, async (sauda) => {
        const rows = (await candlesOf(sauda, instrument, flags)).slice(-countOf(flags.last));
        printAnswer(parts, flags, rows, () => candlesText(rows, pageOf(parts)));
      });
    });
}

async function candlesOf(sauda: Sauda, text: string, flags: CandleFlags): Promise<readonly CandleRow[]> {
  const [instrument, { marketTime }] = await Promise.all([instrumentOf(sauda, text), sauda.market.status()]);
  const { from, to } = candleTimes(flags, marketTime, flags.interval === '1d');
  return sauda.market.candles(instrument, { from, to, interval: flags.interval });
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new CommandFailed(`--last is ${JSON.stringify(text)}: it must be a number of candles`, EXIT_USAGE);
}

function candlesText(rows: readonly CandleRow[], page: ReturnType<typeof pageOf>): string {
  if (rows.length === 0) return 'there are no candles in that time';
  const hasInterest = rows.some(({ oi }) => oi > 0);
  const columns = hasInterest ? COLUMNS : COLUMNS.slice(0, -1);
  return table(columns, rows.map(cellsOf), page);
}

function cellsOf({ time, open, high, low, close, volume, oi }: CandleRow): readonly Cell[] {
  const change = rupeesOf(close - open);
  const tone = toneOf(change);
  const prices = [open, high, low].map((value) => grouped(rupeesOf(value)));
  const last = { text: grouped(rupeesOf(close)), tone };
  return [
    shownTime(time),
    ...prices,
    last,
    { text: signed(change), tone },
    grouped(String(volume)),
    grouped(String(oi)),
  ];
}

/** `2026-11-23 10:15` of a minute and `2026-11-23` of a day, which sort and line up. */
function shownTime(time: string): string {
  const [, day, month, year] = /^\S+ (\d\d)-(\d\d)-(\d{4})$/.exec(time) ?? [];
  return day === undefined ? time.replace('T', ' ').slice(0, 16) : `${year}-${month}-${day}`;
}
