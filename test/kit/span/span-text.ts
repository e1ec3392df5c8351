import { formatIsoDay, type IstDay } from '../../../src/base/time.ts';

/** A future of a hand-made SPAN file. Prices and ranges in rupees. */
export interface WrittenFuture {
  readonly expiry: IstDay;
  readonly price: number;
  /** The price scan range: what one long unit loses in the worst scenario. */
  readonly scan: number;
}

export interface WrittenUnderlying {
  readonly code: string;
  readonly spot: number;
  readonly futures: readonly WrittenFuture[];
}

export interface WrittenFile {
  readonly day: IstDay;
  readonly exchange?: 'NSE' | 'BSE';
  readonly underlyings: readonly WrittenUnderlying[];
}

/** The loss of one long unit in each scenario, in thirds of the range. */
const THIRDS = [0, 0, -1, -1, 1, 1, -2, -2, 2, 2, -3, -3, 3, 3];
/** Twice the range, of which 35 % counts. */
const EXTREME = 0.7;

/**
 * A SPAN file with a few futures, in the form of the published ones. It is made up: no clearing corporation published
 * it.
 */
export function spanText({ day, exchange = 'NSE', underlyings }: WrittenFile): string {
  const portfolios = underlyings.map(
    ({ code, spot }) => `<phyPf><pfCode>${code}</pfCode><phy><p>${spot.toFixed(2)}</p></phy></phyPf>`,
  );
  const futures = underlyings.map(
    ({ code, futures }) => `<futPf><pfCode>${code}</pfCode>${futures.map(futureText).join('')}</futPf>`,
  );
  return `<?xml version="1.0"?>
<!-- Made up for tests. -->
<spanFile><fileFormat>4.00</fileFormat><pointInTime><date>${compact(day)}</date><clearingOrg>
<exchange><exch>${exchange}</exch>
${[...portfolios, ...futures].join('\n')}
</exchange></clearingOrg></pointInTime></spanFile>
`;
}

function futureText({ expiry, price, scan }: WrittenFuture): string {
  const losses = [...THIRDS.map((third) => (third * scan) / 3), -EXTREME * scan, EXTREME * scan];
  const array = losses.map((loss) => `<a>${loss.toFixed(4)}</a>`).join('');
  return `<fut><pe>${compact(expiry)}</pe><p>${price.toFixed(2)}</p><ra><r>1</r>${array}<d>1.0</d></ra></fut>`;
}

function compact(day: IstDay): string {
  return formatIsoDay(day).replaceAll('-', '');
}
