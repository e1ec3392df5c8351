/** The bar that builds a strategy: a template around the money of the chain, and the instrument that is chosen. */
import { useSignal } from '@preact/signals';
import { instrumentText } from '../../../../client/src/instrument.ts';
import { useInstrumentInfo } from '../../orders/instrument-info.ts';
import { failureWords } from '../../orders/words.ts';
import { chosenOf, type Link } from '../../store/chosen.ts';
import { ticks, useRow } from '../../store/market.ts';
import { client } from '../../store/session.ts';
import { toast } from '../../ui/toasts.tsx';
import { nearestStrike } from '../chain/around.ts';
import { type Chain, chainOf, strikesOf } from '../chain/chain-data.ts';
import { addLegs, clearLegs, instrumentLeg, legs, replaceLegs } from './basket.ts';
import { needsLater, type Strikes, TEMPLATES, type TemplateName, templateLegs } from './templates.ts';

const NAMES = Object.keys(TEMPLATES) as TemplateName[];
const WIDTHS = [1, 2, 3, 4, 5, 8, 10] as const;

export function Builder({ link }: { readonly link: Link }) {
  const name = useSignal<TemplateName>('condor');
  const width = useSignal('2');
  const lots = useSignal('1');
  const chain = chainOf(link).value;
  const isReady = chain !== undefined && chain.strikes.length > 0 && /^[1-9]\d{0,3}$/.test(lots.value);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (chain !== undefined) void build(chain, name.value, Number(width.value), Number(lots.value));
  };
  return (
    <form class="strategy-builder" aria-label="Build a strategy" onSubmit={submit}>
      <select
        aria-label="Template"
        value={name.value}
        onChange={({ currentTarget }) => (name.value = currentTarget.value as TemplateName)}
      >
        {NAMES.map((one) => (
          <option key={one} value={one}>
            {TEMPLATES[one].title}
          </option>
        ))}
      </select>
      <label>
        Width{' '}
        <select value={width.value} onChange={({ currentTarget }) => (width.value = currentTarget.value)}>
          {WIDTHS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        Lots{' '}
        <input
          class="figure lots"
          inputMode="numeric"
          value={lots.value}
          onInput={({ currentTarget }) => (lots.value = currentTarget.value.trim())}
        />
      </label>
      <button type="submit" disabled={!isReady}>
        Build
      </button>
      <span class="space" />
      <AddChosen link={link} />
      <button type="button" disabled={legs.value.length === 0} onClick={clearLegs}>
        Clear
      </button>
    </form>
  );
}

/** Puts the chosen instrument into the basket: a future or the share beside options. */
function AddChosen({ link }: { readonly link: Link }) {
  const chosen = chosenOf(link).value;
  const { info } = useInstrumentInfo(chosen);
  const row = useRow(ticks, chosen ?? { exchange: 'NSE', tradingSymbol: 'NIFTY' });
  const mayTrade = info !== undefined && info.products.length > 0;
  const add = (): void => {
    if (info !== undefined) addLegs([instrumentLeg(info, 'B', row.peek()?.lastTradedPrice ?? '')]);
  };
  return (
    <button type="button" disabled={!mayTrade} onClick={add} title={chosen === undefined ? '' : instrumentText(chosen)}>
      Add chosen
    </button>
  );
}

async function build(chain: Chain, name: TemplateName, width: number, lots: number): Promise<void> {
  try {
    const later = needsLater(name) ? await laterOf(chain) : undefined;
    const spot = await client().market.ltp(chain.underlying.name);
    const made = templateLegs(name, chain, later, nearestStrike(chain.strikes, spot), width, lots);
    if (made === undefined) toast('bad', `The chain has no strikes for this: ${TEMPLATES[name].title}.`);
    else replaceLegs(made);
  } catch (error) {
    toast('bad', failureWords(error));
  }
}

/** The strikes of the expiry after the one that is shown. */
async function laterOf({ underlying, expiries, expiry }: Chain): Promise<Strikes | undefined> {
  const next = expiries[expiries.indexOf(expiry) + 1];
  return next === undefined ? undefined : { expiry: next, strikes: await strikesOf(underlying, next) };
}
