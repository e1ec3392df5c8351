/** The depth of the chosen instrument: five levels a side, totals, and the figures of its day. */
import type { Side } from '../../../../client/src/generated/operations.ts';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
import type { QuoteRow } from '../../../../client/src/wire.ts';
import type { PanelProps } from '../../app/panels.ts';
import { pickPrice } from '../../orders/ticket-request.ts';
import { chosenOf } from '../../store/chosen.ts';
import { depths, type Quoted, useRow } from '../../store/market.ts';
import { grouped, signClass, signed } from '../../text/figures.ts';
import { instrumentWords } from '../../text/instrument-words.ts';
import { Figure, Price, Result } from '../../ui/figure.tsx';
import { DayFigures } from './day-figures.tsx';
import { barOf, type Level, largestOf, levelsOf } from './levels.ts';
import './depth.css';

export default function Depth({ link }: PanelProps) {
  const chosen = chosenOf(link).value;
  if (chosen === undefined) return <p class="empty">Choose an instrument in a list, or press / to search.</p>;
  return <DepthOf key={instrumentText(chosen)} instrument={chosen} />;
}

function DepthOf({ instrument }: { readonly instrument: InstrumentName }) {
  const quote = useRow(depths, instrument).value;
  return (
    <>
      <Head instrument={instrument} quote={quote} />
      {quote === undefined ? <p class="empty">Loading</p> : <Levels instrument={instrument} quote={quote} />}
      <DayFigures instrument={instrument} quote={quote} />
    </>
  );
}

function Head({ instrument, quote }: { readonly instrument: InstrumentName; readonly quote: Quoted | undefined }) {
  const { name, expiry } = instrumentWords(instrument.tradingSymbol);
  return (
    <header class="depth-head">
      <h2>{name}</h2>
      <span class="quiet">
        {instrument.exchange}, {expiry === '' ? (quote?.companyName ?? '') : expiry}
      </span>
      <span class="last">
        <Price value={quote?.lastTradedPrice} />
      </span>
      <span class="change">
        <Result value={quote?.change} />{' '}
        {quote !== undefined && quote.changePercent !== '' && (
          <span class={signClass(quote.changePercent)}>({signed(quote.changePercent)}%)</span>
        )}
      </span>
    </header>
  );
}

function Levels({ instrument, quote }: { readonly instrument: InstrumentName; readonly quote: QuoteRow }) {
  if (quote.segment === 'Indices') return <p class="empty">An index has no orders.</p>;
  const [bids, asks] = [levelsOf(quote, 'B'), levelsOf(quote, 'S')];
  const largest = largestOf([...bids, ...asks]);
  return (
    <div class="levels">
      <LevelSide side="B" title="Bid" levels={bids} largest={largest} instrument={instrument} />
      <LevelSide side="S" title="Ask" levels={asks} largest={largest} instrument={instrument} />
      <p class="total bid">
        <span>Total bid</span>
        <b class="figure">{grouped(quote.totalBuyQuantity)}</b>
      </p>
      <p class="total ask">
        <b class="figure">{grouped(quote.totalSellQuantity)}</b>
        <span>Total ask</span>
      </p>
    </div>
  );
}

interface LevelSideProps {
  readonly side: Side;
  readonly title: string;
  readonly levels: readonly Level[];
  readonly largest: number;
  readonly instrument: InstrumentName;
}

/** A bid is somebody to sell to, and an ask one to buy from. */
function LevelSide({ side, title, levels, largest, instrument }: LevelSideProps) {
  const name = side === 'B' ? 'bid' : 'ask';
  return (
    <table class={name} aria-label={side === 'B' ? 'Bids' : 'Asks'}>
      <thead>
        <tr>
          <th scope="col" class="price-title">
            {title}
          </th>
          <th scope="col">Orders</th>
          <th scope="col">Quantity</th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: 5 }, (_, place) => (
          <LevelRow
            key={place}
            level={levels[place]}
            bar={levels[place] === undefined ? 0 : barOf(levels[place], largest)}
            onPick={({ price }) => pickPrice(instrument, side === 'B' ? 'S' : 'B', price)}
          />
        ))}
      </tbody>
    </table>
  );
}

function LevelRow(props: {
  readonly level: Level | undefined;
  readonly bar: number;
  readonly onPick: (level: Level) => void;
}) {
  const { level, bar, onPick } = props;
  if (level === undefined) {
    return (
      <tr>
        <td class="price-cell">–</td>
        <td />
        <td />
      </tr>
    );
  }
  return (
    <tr style={{ '--bar': `${bar}%` }} onClick={() => onPick(level)}>
      <td class="price-cell">
        <button type="button" class="plain" title="Fill the ticket with this price">
          <Figure value={level.price} />
        </button>
      </td>
      <td class="quiet">{grouped(level.orders)}</td>
      <td>{grouped(level.quantity)}</td>
    </tr>
  );
}
