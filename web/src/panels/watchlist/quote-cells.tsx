/** The cells of a live row. Each follows its own figure, so a tick changes the texts that it has, and nothing else. */
import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
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
  return <Price value={useFigure(instrument, 'lastTradedPrice')} />;
}

export function ChangeCell({ instrument }: CellProps) {
  return <Result value={useFigure(instrument, 'change')} />;
}

export function PercentCell({ instrument }: CellProps) {
  return <Result value={useFigure(instrument, 'changePercent') || undefined} />;
}

/** A figure of the quote; a dash where the instrument has none, as an index has no bid. */
export function QuoteCell({ instrument, field }: CellProps & { readonly field: keyof Quoted }) {
  const value = useFigure(instrument, field);
  return <Figure value={value === undefined || /^0(\.00)?$/.test(value) ? undefined : value} />;
}

/** One figure of the newest quote. The cell is drawn again when this figure changes, and not with each quote. */
function useFigure(instrument: InstrumentName, field: keyof Quoted): string | undefined {
  const name = instrumentText(instrument);
  return useMemo(() => computed(() => depths.row(name).value?.[field]), [name, field]).value;
}
