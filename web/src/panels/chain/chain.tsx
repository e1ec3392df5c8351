/**
 * The option chain: calls on the left, puts on the right, the strike at the money in the middle. Arrow keys move
 * through it, B and S buy and sell the option that is chosen, with Shift always into the basket.
 */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Side } from '../../../../client/src/generated/operations.ts';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { GreeksRow } from '../../../../client/src/wire.ts';
import type { PanelProps } from '../../app/panels.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { choose, chosenOf, type Link } from '../../store/chosen.ts';
import { greeks, ticks, useFollowed, useRow } from '../../store/market.ts';
import { Choice } from '../../ui/choice.tsx';
import { Price } from '../../ui/figure.tsx';
import { addOption } from '../strategy/basket.ts';
import { aroundPlace, nearestStrike } from './around.ts';
import { type Chain, chainOf, type OptionSide, type Strike, showExpiry, useChain } from './chain-data.ts';
import { StrikeRow, titlesOf } from './strike-row.tsx';
import './chain.css';

/** Strikes on each side of the money. */
const COUNTS = ['8', '15', '30'] as const;
const TARGETS = ['Ticket', 'Basket'] as const;
type Target = (typeof TARGETS)[number];

export default function ChainPanel({ link }: PanelProps) {
  const failure = useChain(link);
  const chain = chainOf(link).value;
  if (failure !== '' || chain === undefined) {
    return (
      <div class="chain">
        <p class="empty">{failure === '' ? 'Loading' : failure}</p>
        {failure !== '' && <QuickChoices link={link} />}
      </div>
    );
  }
  return <ShownChain link={link} chain={chain} />;
}

/** The way back from a share without options. */
function QuickChoices({ link }: { readonly link: Link }) {
  const indices = ['NIFTY', 'BANKNIFTY'] as const;
  return (
    <p class="chain-quick">
      {indices.map((tradingSymbol) => (
        <button type="button" key={tradingSymbol} onClick={() => choose(link, { exchange: 'NSE', tradingSymbol })}>
          {tradingSymbol}
        </button>
      ))}
    </p>
  );
}

function ShownChain({ link, chain }: { readonly link: Link; readonly chain: Chain }) {
  const count = useSignal<(typeof COUNTS)[number]>('15');
  const target = useSignal<Target>('Ticket');
  const isWide = useSignal(false);
  const { underlying, expiries, expiry, strikes, failure } = chain;
  const spot = useRow(ticks, underlying.name);
  const money = useComputed(() => nearestStrike(chainOf(link).value?.strikes ?? [], spot.value?.lastTradedPrice));
  const shown = aroundPlace(strikes, money.value, Number(count.value));
  return (
    <div class="chain">
      <div class="chain-bar">
        <strong>{underlying.symbol}</strong>
        <span class="figure">
          <Price value={spot.value?.lastTradedPrice} />
        </span>
        <label>
          Expiry{' '}
          <select value={expiry} onChange={({ currentTarget }) => void showExpiry(link, currentTarget.value)}>
            {expiries.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <span class="space" />
        <Choice
          label="Strikes on each side"
          words={COUNTS}
          chosen={count.value}
          textOf={(word) => `\u00B1${word}`}
          onChoose={(word) => (count.value = word)}
        />
        <label>
          <input
            type="checkbox"
            checked={isWide.value}
            onChange={({ currentTarget }) => (isWide.value = currentTarget.checked)}
          />{' '}
          All greeks
        </label>
        <Choice
          label="Orders go to"
          words={TARGETS}
          chosen={target.value}
          textOf={(word) => word}
          onChoose={(word) => (target.value = word)}
        />
      </div>
      {failure !== '' && <p class="empty">{failure}</p>}
      {failure === '' && (
        <ChainTable
          key={`${underlying.symbol} ${expiry}`}
          link={link}
          strikes={shown}
          money={strikes[money.value]?.price}
          isWide={isWide.value}
          target={target.value}
        />
      )}
    </div>
  );
}

interface TableProps {
  readonly link: Link;
  readonly strikes: readonly Strike[];
  /** The strike at the money. */
  readonly money: string | undefined;
  readonly isWide: boolean;
  readonly target: Target;
}

function ChainTable({ link, strikes, money, isWide, target }: TableProps) {
  const body = useRef<HTMLDivElement>(null);
  const at = useSignal<{ readonly strike: string; readonly side: OptionSide } | undefined>(undefined);
  useFollowed(
    greeks,
    strikes.flatMap(({ call, put }) => [call, put].flatMap((row) => (row === undefined ? [] : [instrumentText(row)]))),
  );
  useCentred(body, strikes.length > 0 && money !== undefined, isWide);
  const pick = (row: GreeksRow | undefined, side: OptionSide, strike: string): void => {
    at.value = { strike, side };
    if (row !== undefined) choose(link, row);
  };
  const trade = (row: GreeksRow, side: Side, into: Target): void => {
    const now = greeks.row(instrumentText(row)).peek() ?? row;
    if (into === 'Basket') addOption(now, side, chainOf(link).peek()?.expiry ?? '');
    else openTicket({ kind: 'new', instrument: row, side, price: now.lastTradedPrice });
  };
  const onKey = (event: KeyboardEvent, place: number, side: OptionSide): void => {
    const next = moved(event.key, place, side, strikes);
    if (next !== undefined) {
      event.preventDefault();
      pick(next.strike[next.side], next.side, next.strike.price);
      body.current?.querySelector<HTMLElement>(`[data-option="${next.strike.price} ${next.side}"]`)?.focus();
      return;
    }
    const word = event.key.toUpperCase();
    const row = strikes[place]?.[side];
    if (row === undefined || (word !== 'B' && word !== 'S') || event.ctrlKey || event.metaKey || event.repeat) return;
    event.preventDefault();
    event.stopPropagation();
    trade(row, word, event.shiftKey ? 'Basket' : target);
  };
  const isThere = strikes.some(({ price }) => price === at.value?.strike);
  const stop = isThere ? at.value : { strike: money ?? strikes[0]?.price, side: 'call' as const };
  const largest = largestInterest(strikes);
  const isChosen = (row: GreeksRow | undefined): boolean =>
    row !== undefined && chosenOf(link).value?.tradingSymbol === row.tradingSymbol;
  return (
    <div class="chain-body" ref={body}>
      <table class={`chain-table ${isWide ? 'wide' : ''}`} aria-label="Option chain">
        <ChainColumns isWide={isWide} />
        <ChainHead isWide={isWide} />
        <tbody>
          {strikes.map((strike, place) => (
            <StrikeRow
              key={strike.price}
              strike={strike}
              money={money}
              isWide={isWide}
              largest={largest}
              chosen={isChosen(strike.call) ? 'call' : isChosen(strike.put) ? 'put' : undefined}
              stop={strike.price === stop?.strike ? stop.side : undefined}
              onKey={(event, side) => onKey(event, place, side)}
              onPick={(side) => pick(strike[side], side, strike.price)}
              onTrade={(row, side) => trade(row, side, target)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChainColumns({ isWide }: { readonly isWide: boolean }) {
  const columns = titlesOf(isWide);
  return (
    <colgroup>
      {[...columns, 'Strike', ...columns.toReversed()].map((title, place) => (
        <col key={`${title} ${place}`} class={title === 'LTP' ? 'ltp' : title === 'Strike' ? 'strike' : ''} />
      ))}
    </colgroup>
  );
}

function ChainHead({ isWide }: { readonly isWide: boolean }) {
  const titles = titlesOf(isWide);
  return (
    <thead>
      <tr>
        <th colSpan={titles.length} scope="colgroup" class="side">
          Calls
        </th>
        <th rowSpan={2} scope="col" class="strike">
          Strike
        </th>
        <th colSpan={titles.length} scope="colgroup" class="side">
          Puts
        </th>
      </tr>
      <tr>
        {[...titles, ...titles.toReversed()].map((title, place) => (
          <th key={`${title} ${place}`} scope="col" abbr={title === 'OI' ? 'Open interest' : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function moved(
  key: string,
  place: number,
  side: OptionSide,
  strikes: readonly Strike[],
): { readonly strike: Strike; readonly side: OptionSide } | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 };
  const to = key === 'ArrowLeft' ? 'call' : key === 'ArrowRight' ? 'put' : side;
  if (steps[key] === undefined && to === side) return undefined;
  const strike = strikes[Math.min(strikes.length - 1, Math.max(0, place + (steps[key] ?? 0)))];
  return strike && { strike, side: to };
}

/** The largest open interest of a side, in units: the length of the bars follows it. */
function largestInterest(strikes: readonly Strike[]): number {
  return Math.max(1, ...strikes.flatMap(({ call, put }) => [Number(call?.oi ?? 0), Number(put?.oi ?? 0)]));
}

/** Brings the strike at the money into the middle, once, and again when the table gets another width. */
function useCentred(body: { readonly current: HTMLDivElement | null }, isReady: boolean, isWide: boolean): void {
  useEffect(() => {
    if (!isReady) return;
    const element = body.current;
    const row = element?.querySelector<HTMLElement>('.at-money');
    if (element === null || row === null || row === undefined) return;
    element.scrollTop = row.offsetTop - (element.clientHeight - row.offsetHeight) / 2;
    element.scrollLeft = (element.scrollWidth - element.clientWidth) / 2;
  }, [isReady, isWide]);
}
