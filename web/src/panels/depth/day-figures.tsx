/** The figures of an instrument's day. */
import type { InstrumentName } from '../../../../client/src/instrument.ts';
import type { QuoteRow } from '../../../../client/src/wire.ts';
import { useInstrumentInfo } from '../../orders/instrument-info.ts';
import { NamedFigure } from '../../ui/named-figure.tsx';

export function DayFigures(props: { readonly instrument: InstrumentName; readonly quote: QuoteRow | undefined }) {
  const { instrument, quote } = props;
  const { info } = useInstrumentInfo(instrument);
  const isIndex = quote?.segment === 'Indices';
  const figures: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Open', quote?.dayOpenPrice],
    ['High', quote?.dayHighPrice],
    ['Low', quote?.dayLowPrice],
    ['Prev. close', quote?.dayClosePrice],
    ...(isIndex
      ? []
      : ([
          ['Average price', quote?.VWAP],
          ['Volume', quote?.volume],
          ['Lower circuit', info?.lowerCircuit],
          ['Upper circuit', info?.upperCircuit],
        ] as const)),
    ...(quote?.segment === 'Options' || quote?.segment === 'Futures' ? [['Open interest', quote.oi] as const] : []),
  ];
  return (
    <dl class="day-figures">
      {figures.map(([name, value]) => (
        <NamedFigure key={name} name={name} value={value} />
      ))}
    </dl>
  );
}
