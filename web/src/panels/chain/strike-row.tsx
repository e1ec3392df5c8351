/**
 * One strike of the chain: the figures of its call, the strike, and those of its put in mirrored order. A tick changes
 * the cells of its own option alone.
 */
import type { Side } from '../../../../client/src/generated/operations.ts';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { GreeksRow } from '../../../../client/src/wire.ts';
import { SIDE_WORDS } from '../../orders/words.ts';
import { greeks } from '../../store/market.ts';
import { grouped } from '../../text/figures.ts';
import { Price } from '../../ui/figure.tsx';
import type { OptionSide, Strike } from './chain-data.ts';

export interface StrikeRowProps {
  readonly strike: Strike;
  readonly money: string | undefined;
  readonly isWide: boolean;
  /** The largest open interest that is shown, in units. */
  readonly largest: number;
  /** The option of this strike that is chosen. */
  readonly chosen: OptionSide | undefined;
  /** The option of this strike that Tab comes to. */
  readonly stop: OptionSide | undefined;
  readonly onPick: (side: OptionSide) => void;
  readonly onKey: (event: KeyboardEvent, side: OptionSide) => void;
  readonly onTrade: (row: GreeksRow, side: Side) => void;
}

/** The titles of a call's columns; a put has them mirrored. */
export function titlesOf(isWide: boolean): readonly string[] {
  return ['OI', ...(isWide ? ['Vega', 'Theta', 'Gamma'] : []), 'Delta', 'IV', 'LTP'];
}

export function StrikeRow(props: StrikeRowProps) {
  const { strike, money } = props;
  const isMoney = strike.price === money;
  const [call, put] = [sideOf(strike, money, 'call'), sideOf(strike, money, 'put')];
  return (
    <tr class={isMoney ? 'at-money' : ''}>
      <OptionCells {...props} side="call" place={call} row={strike.call} />
      <th scope="row" class="strike">
        {grouped(strike.price)}
        {isMoney && <span class="unseen"> at the money</span>}
      </th>
      <OptionCells {...props} side="put" place={put} row={strike.put} />
    </tr>
  );
}

/** In the money or not. */
function sideOf({ price }: Strike, money: string | undefined, side: OptionSide): string {
  if (money === undefined || price === money) return '';
  const isBelow = Number(price) < Number(money);
  return isBelow === (side === 'call') ? 'inside' : '';
}

interface CellsProps extends StrikeRowProps {
  readonly side: OptionSide;
  readonly place: string;
  readonly row: GreeksRow | undefined;
}

function OptionCells(props: CellsProps) {
  const { strike, side, place, row, isWide, largest, chosen, stop, onPick, onKey, onTrade } = props;
  if (row === undefined) return <td colSpan={titlesOf(isWide).length} class={`none ${place}`} />;
  const now = greeks.row(instrumentText(row)).value ?? row;
  const cells = [
    <td key="oi" class={`figure interest ${side} ${place}`}>
      <span class="interest-bar" style={{ width: `${(Number(now.oi) / largest) * 100}%` }} />
      <span class="text">{grouped(now.oi)}</span>
    </td>,
    ...(isWide ? [cell('vega', now.vega), cell('theta', now.theta), cell('gamma', now.gamma)] : []),
    cell('delta', now.delta),
    cell('iv', now.iv),
    <td key="ltp" class={`figure ltp ${place} ${chosen === side ? 'chosen' : ''}`}>
      <span class="trade">
        <SideButton side="B" row={row} onTrade={onTrade} />
        <SideButton side="S" row={row} onTrade={onTrade} />
      </span>
      <button
        type="button"
        class="plain"
        data-option={`${strike.price} ${side}`}
        tabIndex={stop === side ? 0 : -1}
        aria-label={`${titleOf(row)} ${now.lastTradedPrice}`}
        onClick={() => onPick(side)}
        onKeyDown={(event) => onKey(event, side)}
      >
        <Price value={now.lastTradedPrice} />
      </button>
    </td>,
  ];
  function cell(name: string, text: string) {
    return (
      <td key={name} class={`figure ${place}`}>
        {grouped(text)}
      </td>
    );
  }
  return <>{side === 'call' ? cells : cells.toReversed()}</>;
}

function SideButton(props: {
  readonly side: Side;
  readonly row: GreeksRow;
  readonly onTrade: (row: GreeksRow, side: Side) => void;
}) {
  const { side, row, onTrade } = props;
  return (
    <button
      type="button"
      class={side === 'B' ? 'buy' : 'sell'}
      tabIndex={-1}
      aria-label={`${SIDE_WORDS[side]} ${titleOf(row)}`}
      onClick={() => onTrade(row, side)}
    >
      {side}
    </button>
  );
}

function titleOf({ strikePrice, optionType }: GreeksRow): string {
  return `${grouped(strikePrice)} ${optionType}`;
}
