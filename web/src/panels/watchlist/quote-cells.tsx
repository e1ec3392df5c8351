/** The cells of a live row. Each reads the newest row of its instrument, so a tick changes texts and nothing else. */
import { useEffect } from 'preact/hooks';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
import type { QuoteRow } from '../../../../client/src/wire.ts';
import { depths, type Quoted } from '../../store/market.ts';
import { instrumentWords } from '../../text/instrument-words.ts';
import { Figure, Price, Result } from '../../ui/figure.tsx';

interface CellProps {
  readonly instrument: InstrumentName;
}

/** The name of a row. While it is shown the instrument is followed. */
export function NameCell({ instrument }: CellProps) {
  const name = instrumentText(instrument);
  const words = instrumentWords(instrument.tradingSymbol);
  useEffect(() => depths.follow([name]), [name]);
  return (
    <>
      <span class="grip" draggable aria-hidden="true">
        ⠿
      </span>
      <span class="symbol" title={name}>
        {words.name}
      </span>{' '}
      <span class="quiet">{words.expiry === '' ? instrument.exchange : words.expiry}</span>
    </>
  );
}

export function LastCell({ instrument }: CellProps) {
  return <Price value={quoteOf(instrument)?.lastTradedPrice} />;
}

export function ChangeCell({ instrument }: CellProps) {
  return <Result value={quoteOf(instrument)?.change} />;
}

export function PercentCell({ instrument }: CellProps) {
  return <Result value={quoteOf(instrument)?.changePercent || undefined} />;
}

/** A figure of the quote; a dash where the instrument has none, as an index has no bid. */
export function QuoteCell({ instrument, field }: CellProps & { readonly field: keyof QuoteRow }) {
  const value = quoteOf(instrument)?.[field];
  return <Figure value={value === undefined || /^0(\.00)?$/.test(value) ? undefined : value} />;
}

function quoteOf(instrument: InstrumentName): Quoted | undefined {
  return depths.row(instrumentText(instrument)).value;
}
