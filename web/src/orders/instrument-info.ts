/**
 * How an instrument may be traded now: asked when it is shown, again when the session of its exchange changes, and
 * until there is an answer.
 */
import { useEffect, useState } from 'preact/hooks';
import { type Instrument, type InstrumentName, instrumentText, namedFields } from '../../../client/src/instrument.ts';
import type { InstrumentRow } from '../../../client/src/wire.ts';
import { marketStatus } from '../store/link.ts';
import { askUntilAnswered } from '../store/reached.ts';
import { client, desk } from '../store/session.ts';
import { failureWords } from './words.ts';

export interface InstrumentInfo {
  /** Undefined until the service answered. */
  readonly info: InstrumentRow | undefined;
  /** Why there is no answer; blank while there is one, or one is waited for. */
  readonly failure: string;
}

const UNKNOWN: InstrumentInfo = { info: undefined, failure: '' };
/** Questions that are on their way. Panels that show one instrument share one. */
const onTheWay = new Map<string, Promise<InstrumentRow>>();

export function useInstrumentInfo(instrument: InstrumentName | undefined): InstrumentInfo {
  const name = instrument === undefined ? '' : instrumentText(instrument);
  const [known, setKnown] = useState<InstrumentInfo & { readonly name: string }>({ ...UNKNOWN, name: '' });
  const phase = marketStatus.value?.exchanges.find(({ exchange }) => exchange === instrument?.exchange)?.phase;
  useEffect(() => {
    if (name === '') return undefined;
    return askUntilAnswered(
      () => ask(name as Instrument, phase),
      (info) => setKnown({ name, info, failure: '' }),
      // An older answer is better than none: the service judges each order in any case.
      (error) =>
        setKnown((before) => {
          const hasAnswer = before.name === name && before.info !== undefined;
          return hasAnswer ? before : { name, info: undefined, failure: failureWords(error) };
        }),
    );
  }, [name, phase]);
  return known.name === name ? known : UNKNOWN;
}

/** Asks the service, or waits for the same question of the same user in the same session of the market. */
function ask(name: Instrument, phase: string | undefined): Promise<InstrumentRow> {
  const key = [desk.peek()?.userId, phase, name].join(' ');
  const known = onTheWay.get(key);
  if (known !== undefined) return known;
  const asked = client()
    .market.instrument(namedFields(name))
    .finally(() => onTheWay.delete(key));
  onTheWay.set(key, asked);
  return asked;
}
