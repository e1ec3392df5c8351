/** The band of prices in which an instrument may trade today. It changes seldom, so it is asked for now and then. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
import { client } from '../../store/session.ts';

/** Decimal text of rupees; blank where the instrument has no band. */
export interface Circuits {
  readonly lower: string;
  readonly upper: string;
}

const AGAIN_MS = 60_000;

/** Undefined until the service has answered, and for an instrument without a band. */
export function useCircuits(instrument: InstrumentName): Circuits | undefined {
  const circuits = useSignal<Circuits | undefined>(undefined);
  useEffect(() => {
    let isShown = true;
    const ask = (): void => void read(instrument, circuits, () => isShown);
    ask();
    const timer = setInterval(ask, AGAIN_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, [instrumentText(instrument)]);
  return circuits.value;
}

async function read(
  instrument: InstrumentName,
  circuits: Signal<Circuits | undefined>,
  isShown: () => boolean,
): Promise<void> {
  const facts = await client()
    .market.instrument(instrument)
    .catch(() => undefined);
  if (facts === undefined || !isShown()) return;
  const { lowerCircuit: lower, upperCircuit: upper } = facts;
  circuits.value = lower === '' && upper === '' ? undefined : { lower, upper };
}
