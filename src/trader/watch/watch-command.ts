/**
 * `sauda watch`: quotes as they change, as a grid on a terminal, as lines elsewhere, and as JSON lines for programs. It
 * follows the stream of the service, which goes on by itself when the service was restarted.
 */
import type { Command } from 'commander';
import type { Exchange } from '../../../client/src/generated/operations.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { ClockEvent, DepthEvent } from '../../../client/src/stream/events.ts';
import type { SaudaStream } from '../../../client/src/stream/stream.ts';
import { withoutControls } from '../../base/printable.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { changeOf } from '../market/change.ts';
import { instrumentsOf, nameOf } from '../market/instrument.ts';
import type { KeptSession } from '../session/session-file.ts';
import { signedIn } from '../session/signed-in.ts';
import { grouped, signed } from '../text/amounts.ts';
import { pageOf, type TraderParts } from '../trader-parts.ts';
import { LiveGrid } from './live-grid.ts';
import { Screen } from './screen.ts';
import { takeTerminal } from './terminal.ts';

interface WatchFlags {
  readonly list?: string;
  readonly json?: true;
}

/** Of a terminal that does not say its size. */
const USUAL_SIZE = { columns: 80, rows: 24 };

/** Adds `watch`. */
export function addWatchCommand(program: Command, parts: TraderParts): void {
  program
    .command('watch [instrument...]')
    .description('follow quotes as they change; of your positions and holdings when none is named')
    .option('--list <name>', 'the instruments of a watchlist')
    .option('--json', 'each change as a line of JSON')
    .action((instruments: readonly string[], flags: WatchFlags) => {
      return signedIn(parts, async (sauda, session) => {
        const names = [...new Set(await watchedNames(sauda, instruments, flags))];
        if (names.length === 0) throw new CommandFailed('name instruments: sauda watch NIFTY ITC', EXIT_USAGE);
        const isGrid = !flags.json && parts.output.isTTY === true && parts.input.isTTY === true;
        const stream = sauda.stream();
        await (isGrid ? showGrid(parts, stream, names, session) : printChanges(parts, stream, names, flags));
      });
    });
}

async function watchedNames(
  sauda: Sauda,
  typed: readonly string[],
  { list }: WatchFlags,
): Promise<readonly `${Exchange}:${string}`[]> {
  if (list !== undefined) {
    const found = (await sauda.watchlists.list()).find(({ name }) => name === list);
    if (found === undefined) throw new CommandFailed(`there is no watchlist ${JSON.stringify(list)}`, EXIT_FAILED);
    return found.instruments.map(nameOf);
  }
  if (typed.length > 0) return (await instrumentsOf(sauda, typed)).map(nameOf);
  const [positions, holdings] = await Promise.all([sauda.portfolio.positions(), sauda.portfolio.holdings()]);
  const listings = holdings.flatMap(({ exchangeTradingSymbol }) => exchangeTradingSymbol.slice(0, 1));
  return [...positions, ...listings].map(nameOf);
}

type Names = Awaited<ReturnType<typeof watchedNames>>;

/** Shows the grid until the person at the terminal ends it. */
async function showGrid(parts: TraderParts, stream: SaudaStream, names: Names, session: KeptSession): Promise<void> {
  const { input, output } = parts;
  const { paint } = pageOf(parts);
  const screen = new Screen(output);
  const terminal = () => ({
    columns: output.columns ?? USUAL_SIZE.columns,
    rows: output.rows ?? USUAL_SIZE.rows,
    paint,
  });
  const grid = new LiveGrid(names, `${session.userId} at ${session.url}`, screen, terminal);
  const quit = (): void => stream.close();
  stream.on('down', () => grid.setTrouble(`${session.url} does not answer: trying again`));
  stream.on('up', () => grid.setTrouble(''));
  const giveBack = takeTerminal(input, output, screen, { quit, scroll: grid.scroll, redraw: grid.draw });
  try {
    stream.clock().on(
      (event) => {
        grid.setTime(event.data.marketTime);
        grid.setPhases(phasesOf(event));
      },
      () => undefined,
    );
    for await (const event of stream.depth(names)) grid.take(event);
  } finally {
    stream.close();
    grid.end();
    giveBack();
  }
}

/** `NSE, NFO: Continuous; BSE, BFO: Closed` */
function phasesOf({ data }: ClockEvent): string {
  const byPhase = Map.groupBy(data.exchanges, ({ phase }) => phase);
  const phases = Array.from(byPhase, ([phase, rows]) => {
    return rows.length === data.exchanges.length
      ? phase
      : `${rows.map(({ exchange }) => exchange).join(', ')}: ${phase}`;
  });
  return withoutControls(phases.join('; '));
}

/** Prints changes until the process is asked to end, or nobody reads them any more. */
async function printChanges(
  parts: TraderParts,
  stream: SaudaStream,
  names: Names,
  { json }: WatchFlags,
): Promise<void> {
  const quit = (): void => stream.close();
  for (const signal of ENDING) process.on(signal, quit);
  parts.output.on('error', quit);
  stream.on('down', () => parts.errors.write('sauda: the connection was lost: trying again\n'));
  try {
    for await (const event of stream.depth(names)) {
      if (!parts.output.write(`${json ? JSON.stringify(event) : lineOf(event)}\n`)) await drained(parts);
    }
  } finally {
    stream.close();
    for (const signal of ENDING) process.off(signal, quit);
    parts.output.off('error', quit);
  }
}

const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** `10:15:03  NSE:ITC-EQ  425.50  +1.20  +0.28 %  bid 425.45  ask 425.50` */
function lineOf({ at, instrument, data }: DepthEvent): string {
  const { change, percent } = changeOf(data);
  const { bestBuyPrice1: bid, bestSellPrice1: ask } = data;
  const sides = [`bid ${grouped(bid)}`, `ask ${grouped(ask)}`].filter((side) => !side.endsWith(' 0.00'));
  const prices = [grouped(data.lastTradedPrice), signed(change), `${signed(percent)} %`];
  const cells = [at.slice(11, 19), instrument, ...prices, ...sides];
  return withoutControls(cells.join('  '));
}

/** Resolves when the reader has taken what was written, or is gone. */
function drained({ output }: TraderParts): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      output.off('drain', done);
      output.off('error', done);
      resolve();
    };
    output.on('drain', done);
    output.on('error', done);
  });
}
