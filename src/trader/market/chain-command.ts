/** `sauda chain`: calls and puts of one expiry around a strike, a line a strike. */
import { type Command, Option } from 'commander';
import type { Exchange } from '../../../client/src/generated/operations.ts';
import { toPaise } from '../../../client/src/money.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { ChainRow, GreeksRow } from '../../../client/src/wire.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { signedIn } from '../session/signed-in.ts';
import { grouped } from '../text/amounts.ts';
import { type Cell, type Column, table } from '../text/table.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';
import { instrumentOf, nameOf } from './instrument.ts';

interface ChainFlags {
  readonly strike?: string;
  readonly count: string;
  readonly greeks?: true;
  readonly json?: true;
}

type Row = ChainRow | GreeksRow;

const MOST_COUNT = 30;
const PRICES: readonly Column[] = [
  { title: 'call', isNumber: true },
  { title: 'strike', isNumber: true },
  { title: 'put', isNumber: true },
];
const GREEKS: readonly Column[] = [
  { title: 'interest', isNumber: true, rank: 2 },
  { title: 'theta', isNumber: true, rank: 3 },
  { title: 'vega', isNumber: true, rank: 3 },
  { title: 'delta', isNumber: true },
  { title: 'vol %', isNumber: true, rank: 1 },
];

/** Adds `chain`. */
export function addChainCommand(program: Command, parts: TraderParts): void {
  program
    .command('chain <underlying> [expiry]')
    .description('print the calls and puts of an expiry around a strike: sauda chain NIFTY 01DEC2026')
    .option('--strike <price>', 'the strike in the middle; the one at the last price when left out')
    .addOption(new Option('--count <number>', 'strikes on each side, at most 30').default('8'))
    .option('--greeks', 'with delta, theta, vega, volatility and open interest')
    .option('--json', 'as an array in JSON')
    .action((underlying: string, expiry: string | undefined, flags: ChainFlags) => {
      return signedIn(parts, async (sauda) => {
        const chain = await chainOf(sauda, underlying, expiry, flags);
        printAnswer(parts, flags, chain.rows, () => chainText(chain, flags, pageOf(parts)));
      });
    });
}

interface Chain {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The last price of the underlying. */
  readonly last: string;
}

async function chainOf(sauda: Sauda, text: string, wished: string | undefined, flags: ChainFlags): Promise<Chain> {
  const underlying = await instrumentOf(sauda, text);
  const expiry = wished ?? (await sauda.market.expiries(underlying))[0];
  if (expiry === undefined) throw new CommandFailed(`${nameOf(underlying)} has no contracts`, EXIT_FAILED);
  const last = await sauda.market.ltp(underlying);
  const exchange: Exchange = underlying.exchange === 'BSE' ? 'BFO' : 'NFO';
  const strikePrice = flags.strike ?? last;
  const question = { exchange, symbol: underlying.symbolName, expiry: expiry.toUpperCase(), strikePrice };
  const asked = { ...question, count: countOf(flags.count) };
  const rows = flags.greeks ? await sauda.market.greeks(asked) : await sauda.market.chain(asked);
  return { title: `${nameOf(underlying)} ${grouped(last)}, options of ${question.expiry}`, rows, last };
}

/** Strikes on each side. */
function countOf(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_COUNT) return Number(text);
  throw new CommandFailed(`--count is ${JSON.stringify(text)}: write 1 to ${MOST_COUNT}`, EXIT_USAGE);
}

function chainText({ title, rows, last }: Chain, { greeks }: ChainFlags, page: ReturnType<typeof pageOf>): string {
  const strikes = new Map<string, { CE?: Row; PE?: Row }>();
  for (const row of rows) strikes.set(row.strikePrice, { ...strikes.get(row.strikePrice), [row.optionType]: row });
  const middle = nearest([...strikes.keys()], last);
  const columns = greeks ? [...GREEKS, ...PRICES, ...GREEKS.toReversed()] : PRICES;
  const lines = Array.from(strikes, ([strike, { CE, PE }]): readonly Cell[] => {
    const tone = strike === middle ? ('strong' as const) : undefined;
    const prices = [priceOf(CE), { text: grouped(strike), tone }, priceOf(PE)];
    return greeks ? [...greeksOf(CE), ...prices, ...greeksOf(PE).toReversed()] : prices;
  });
  return `${page.paint(title, 'strong')}\n${table(columns, lines, page)}`;
}

function priceOf(row: Row | undefined): string {
  return row === undefined ? '' : grouped(row.lastTradedPrice);
}

function greeksOf(row: Row | undefined): readonly string[] {
  if (row === undefined || !('delta' in row)) return ['', '', '', '', ''];
  return [grouped(row.oi), row.theta, row.vega, row.delta, row.iv];
}

function nearest(strikes: readonly string[], price: string): string | undefined {
  const away = (strike: string): number => Math.abs(toPaise(strike) - toPaise(price));
  return strikes.toSorted((a, b) => away(a) - away(b))[0];
}
