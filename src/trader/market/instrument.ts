/**
 * Instruments as traders type them: `NSE:ITC-EQ`, or `ITC`, `nifty` and `NIFTY01DEC26C24000` without the exchange.
 */
import { InvalidRequest } from '../../../client/src/errors.ts';
import type { Exchange } from '../../../client/src/generated/operations.ts';
import type { InstrumentName } from '../../../client/src/instrument.ts';
import { untilAllowed } from '../../../client/src/patience.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { SecurityInfo } from '../../../client/src/wire.ts';
import { EXCHANGES } from '../../base/ids.ts';
import { withoutControls } from '../../base/printable.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { proposals } from './proposals.ts';

/** Futures and options have the date of their expiry and what they are in their symbols. */
const CONTRACT = /\d{2}[A-Z]{3}\d{2}[FCP]/;
/** Contracts on these indices are listed at BSE. */
const OF_BSE = /^(SENSEX|BANKEX)/;
/** The instruments that are asked for at a time. */
const AT_ONCE = 4;

/** `NSE:ITC-EQ` */
export function nameOf({ exchange, tradingSymbol }: InstrumentName): `${Exchange}:${string}` {
  return `${exchange}:${tradingSymbol}`;
}

/** The exchange and the symbol that a trader typed. Throws `CommandFailed` for an exchange that there is not. */
export function typedInstrument(text: string): InstrumentName {
  const colon = text.indexOf(':');
  const tradingSymbol = text.slice(colon + 1).toUpperCase();
  if (tradingSymbol === '') throw new CommandFailed(`${JSON.stringify(text)} names no instrument`, EXIT_USAGE);
  if (colon < 0) return { exchange: usualExchange(tradingSymbol), tradingSymbol };
  const exchange = EXCHANGES.find((known) => known === text.slice(0, colon).toUpperCase());
  if (exchange !== undefined) return { exchange, tradingSymbol };
  throw new CommandFailed(`${JSON.stringify(text)}: the exchange is one of ${EXCHANGES.join(', ')}`, EXIT_USAGE);
}

function usualExchange(symbol: string): Exchange {
  const isOfBse = OF_BSE.test(symbol);
  if (CONTRACT.test(symbol)) return isOfBse ? 'BFO' : 'NFO';
  return isOfBse ? 'BSE' : 'NSE';
}

/**
 * The master data of the instrument that a trader typed. A share of NSE may leave `-EQ` out. Throws `CommandFailed`
 * with similar instruments for one that is not there.
 */
export async function instrumentOf(sauda: Sauda, text: string): Promise<SecurityInfo> {
  const typed = typedInstrument(text);
  const found = (await infoOf(sauda, typed)) ?? (await infoOf(sauda, asShare(typed)));
  if (found !== undefined) return found;
  const proposed = (await proposals(sauda, typed)).map(nameOf);
  const words = proposed.length === 0 ? '' : withoutControls(`; did you mean ${proposed.join(', ')}?`);
  throw new CommandFailed(`there is no ${nameOf(typed)}${words}`, EXIT_FAILED);
}

/** As `instrumentOf`, for several, a few of which are asked for side by side. */
export async function instrumentsOf(sauda: Sauda, texts: readonly string[]): Promise<readonly SecurityInfo[]> {
  const found: SecurityInfo[] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const few = texts.slice(from, from + AT_ONCE).map((text) => instrumentOf(sauda, text));
    found.push(...(await Promise.all(few)));
  }
  return found;
}

/** `undefined` for an unknown instrument. */
async function infoOf(sauda: Sauda, name: InstrumentName | undefined): Promise<SecurityInfo | undefined> {
  if (name === undefined) return undefined;
  try {
    return await untilAllowed(() => sauda.market.info(name));
  } catch (error) {
    if (error instanceof InvalidRequest && error.field === 'tradingSymbol') return undefined;
    throw error;
  }
}

function asShare({ exchange, tradingSymbol }: InstrumentName): InstrumentName | undefined {
  const isWhole = exchange !== 'NSE' || tradingSymbol.includes('-');
  return isWhole ? undefined : { exchange, tradingSymbol: `${tradingSymbol}-EQ` };
}
