/**
 * The option chain of the underlying that a colour shows: its expiries, and the rows of one expiry by strike. The rows
 * are asked for once; their figures then come by the stream.
 */
import { type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { InstrumentName } from '../../../../client/src/instrument.ts';
import type { GreeksRow, InstrumentRow } from '../../../../client/src/wire.ts';
import { useInstrumentInfo } from '../../orders/instrument-info.ts';
import { failureWords } from '../../orders/words.ts';
import { chosenOf, type Link } from '../../store/chosen.ts';
import { marketStatus } from '../../store/link.ts';
import { mayBeAnswered, whenReached } from '../../store/reached.ts';
import { client } from '../../store/session.ts';

/** A strike with its two options. Either may be missing. */
export interface Strike {
  /** Decimal text of rupees. */
  readonly price: string;
  readonly call: GreeksRow | undefined;
  readonly put: GreeksRow | undefined;
}

export type OptionSide = 'call' | 'put';

/** An underlying with contracts. */
export interface Underlying {
  readonly name: InstrumentName;
  /** The `symbol` and the exchange by which its chain is asked for. */
  readonly symbol: string;
  readonly exchange: GreeksRow['exchange'];
}

export interface Chain {
  readonly underlying: Underlying;
  readonly expiries: readonly string[];
  /** `DDMONYYYY`. */
  readonly expiry: string;
  /** Ascending. */
  readonly strikes: readonly Strike[];
  /** The date of the market on which it was asked for: another day has other expiries. */
  readonly day: string;
  /** Why there are no strikes; blank while they are there, or waited for. */
  readonly failure: string;
  /** True after a failure that may be over soon: it is asked for again. */
  readonly isLost: boolean;
}

/** `DD-MM-YYYY`, at the end of the market's time. */
const DATE_LENGTH = 10;
/** The underlying of a page on which nothing was chosen. */
const FIRST: InstrumentName = { exchange: 'NSE', tradingSymbol: 'NIFTY' };

const chains: Readonly<Record<Link, Signal<Chain | undefined>>> = {
  blue: signal(undefined),
  amber: signal(undefined),
  green: signal(undefined),
};

/** The chain that panels of one colour share; undefined until the service answered. */
export function chainOf(link: Link): Signal<Chain | undefined> {
  return chains[link];
}

/** Keeps the chain of a colour at its chosen instrument. Returns why there is none; blank while there is one. */
export function useChain(link: Link): string {
  const chosen = chosenOf(link).value ?? FIRST;
  const { info, failure } = useInstrumentInfo(chosen);
  const underlying = info === undefined ? undefined : underlyingOf(info);
  const name = underlying === undefined ? '' : `${underlying.exchange} ${underlying.symbol}`;
  const day = marketStatus.value?.marketTime.slice(-DATE_LENGTH) ?? '';
  useEffect(() => {
    const shown = underlying !== undefined && isShown(link, underlying) ? chains[link].peek() : undefined;
    if (underlying === undefined || day === '' || shown?.day === day) return;
    void open(link, underlying, shown?.expiry ?? info?.expiry ?? '', day);
  }, [link, name, day]);
  const isLost = chains[link].value?.isLost === true;
  useEffect(() => (isLost ? whenReached(() => void openAgain(link)) : undefined), [link, isLost]);
  if (failure !== '') return failure;
  return info !== undefined && underlying === undefined ? `${info.tradingSymbol} has no options.` : '';
}

/** Shows another expiry of the underlying. */
export async function showExpiry(link: Link, expiry: string): Promise<void> {
  const chain = chains[link].peek();
  if (chain === undefined) return;
  chains[link].value = { ...chain, expiry, strikes: [], failure: '', isLost: false };
  await load(link, chain.underlying, expiry);
}

/** The rows of an expiry by strike, ascending. */
export async function strikesOf({ exchange, symbol }: Underlying, expiry: string): Promise<readonly Strike[]> {
  return byStrike(await client().market.greeks({ exchange, symbol, expiry, count: 'ALL' }));
}

function underlyingOf(info: InstrumentRow): Underlying | undefined {
  const { underlying, underlyingExchange, underlyingSymbol, contractExchange } = info;
  if (underlyingExchange === '' || contractExchange === '') return undefined;
  const name = { exchange: underlyingExchange, tradingSymbol: underlyingSymbol };
  return { name, symbol: underlying, exchange: contractExchange };
}

function isShown(link: Link, { exchange, symbol }: Underlying): boolean {
  const shown = chains[link].peek()?.underlying;
  return shown !== undefined && shown.exchange === exchange && shown.symbol === symbol;
}

async function open(link: Link, underlying: Underlying, wanted: string, day: string): Promise<void> {
  const nothing = { underlying, expiries: [], expiry: '', strikes: [], failure: '', isLost: false, day };
  chains[link].value = nothing;
  try {
    const { exchange, symbol } = underlying;
    const expiries = await client().market.expiries({ exchange, tradingSymbol: symbol });
    const expiry = expiries.includes(wanted) ? wanted : (expiries[0] ?? '');
    if (!isShown(link, underlying)) return;
    chains[link].value = { ...nothing, expiries, expiry };
    await load(link, underlying, expiry);
  } catch (error) {
    if (isShown(link, underlying)) chains[link].value = { ...nothing, expiry: wanted, ...failureOf(error) };
  }
}

/** Panels of one colour share a chain: the first of them asks. */
async function openAgain(link: Link): Promise<void> {
  const { underlying, expiry, day, isLost } = chains[link].peek() ?? {};
  if (underlying !== undefined && day !== undefined && isLost) await open(link, underlying, expiry ?? '', day);
}

function failureOf(error: unknown): Pick<Chain, 'failure' | 'isLost'> {
  return { failure: failureWords(error), isLost: mayBeAnswered(error) };
}

async function load(link: Link, underlying: Underlying, expiry: string): Promise<void> {
  const loaded = await strikesOf(underlying, expiry).then(
    (strikes) => ({ strikes, failure: '', isLost: false }),
    (error: unknown) => ({ strikes: [], ...failureOf(error) }),
  );
  const now = chains[link].peek();
  if (now !== undefined && isShown(link, underlying) && now.expiry === expiry)
    chains[link].value = { ...now, ...loaded };
}

function byStrike(rows: readonly GreeksRow[]): readonly Strike[] {
  const strikes = new Map<string, Strike>();
  for (const row of rows) {
    const known = strikes.get(row.strikePrice) ?? { price: row.strikePrice, call: undefined, put: undefined };
    strikes.set(row.strikePrice, row.optionType === 'CE' ? { ...known, call: row } : { ...known, put: row });
  }
  return [...strikes.values()];
}
