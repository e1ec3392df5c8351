/** How an instrument may be traded now, asked when it is shown and again when the session of its exchange changes. */
import { useEffect, useState } from 'preact/hooks';
import { type Instrument, type InstrumentName, instrumentText, namedFields } from '../../../client/src/instrument.ts';
import type { InstrumentRow } from '../../../client/src/wire.ts';
import { marketStatus } from '../store/link.ts';
import { client } from '../store/session.ts';
import { failureWords } from './words.ts';

export interface InstrumentInfo {
  /** Undefined until the service answered. */
  readonly info: InstrumentRow | undefined;
  /** Why there is no answer; blank while there is one, or one is waited for. */
  readonly failure: string;
}

const UNKNOWN: InstrumentInfo = { info: undefined, failure: '' };

export function useInstrumentInfo(instrument: InstrumentName | undefined): InstrumentInfo {
  const name = instrument === undefined ? '' : instrumentText(instrument);
  const [known, setKnown] = useState<InstrumentInfo & { readonly name: string }>({ ...UNKNOWN, name: '' });
  const phase = marketStatus.value?.exchanges.find(({ exchange }) => exchange === instrument?.exchange)?.phase;
  useEffect(() => {
    let isShown = true;
    const settle = (next: InstrumentInfo): void => {
      if (isShown) setKnown({ ...next, name });
    };
    if (name !== '') {
      const asked = client().market.instrument(namedFields(name as Instrument));
      asked.then(
        (info) => settle({ info, failure: '' }),
        (error: unknown) => settle({ info: undefined, failure: failureWords(error) }),
      );
    }
    return () => {
      isShown = false;
    };
  }, [name, phase]);
  return known.name === name ? known : UNKNOWN;
}
