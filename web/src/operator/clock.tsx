/**
 * The market clock and its controls. The first setting takes the market from the wall for good, so it is asked about;
 * a clock that was set is set again at once, under the name and the reason that stand beside the buttons.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { MarketClock } from '../../../client/src/time.ts';
import { useActions } from '../app/actions.ts';
import { wordsOf } from './act-dialog.tsx';
import { type Act, asked, askFor } from './acts.ts';
import { goTo, paceOf, runAt, SPEEDS, stepOf } from './clock-acts.ts';
import { type Pair, Pairs } from './pairs.tsx';
import { readAgain } from './poll.ts';
import { act } from './port.ts';
import { operatorName, rememberName } from './token.ts';

const STEPS: readonly (readonly [length: string, name: string])[] = [
  ['1m', '1 minute'],
  ['5m', '5 minutes'],
  ['boundary', 'Next boundary'],
];
const WHY = 'set by hand';
/** A step that takes longer than that is shown while it goes on. */
const SHORT_MS = 300;

export function Clock({ clock }: { readonly clock: MarketClock | undefined }) {
  if (clock === undefined) return <p class="empty">Reading</p>;
  return (
    <div class="cards">
      <Controls clock={clock} />
      <section class="part card" aria-label="Market clock">
        <h2>Market clock</h2>
        <Pairs of={factsOf(clock)} />
      </section>
      <section class="part card" aria-label="Next boundaries">
        <h2>Next boundaries</h2>
        <Pairs of={(clock.boundaries ?? []).map(({ exchange = 'All', what, at }) => [`${exchange}: ${what}`, at])} />
      </section>
    </div>
  );
}

function factsOf({ market, wall, speed, until, set, lostSeconds, phases }: MarketClock): readonly Pair[] {
  return [
    ['Market time', market],
    ['Speed', paceOf(speed)],
    ...(until === undefined ? [] : [['On the way to', until] as const]),
    ['Wall time', wall],
    ...(set === undefined
      ? [['Clock', 'follows the wall'] as const]
      : [
          ['Set at', `${set.at}, when it was ${set.market} in the market`] as const,
          ['By', set.by] as const,
          ['Reason', set.why] as const,
        ]),
    ['Behind its speed', `${lostSeconds} s of the market`],
    ...phases.map(
      ({ exchange, phase, next }) =>
        [exchange, next === undefined ? phase : `${phase}; ${next.phase} at ${next.at}`] as const,
    ),
  ];
}

function Controls({ clock }: { readonly clock: MarketClock }) {
  const grounds = useRef<HTMLFormElement>(null);
  const { set, isStepping, said, failure } = useSetting(clock, () => new FormData(grounds.current ?? undefined));
  useActions(() => [
    {
      id: 'clock.pause',
      title: 'Pause the market, or let it run',
      group: 'Clock',
      keys: 'p',
      run: () => set((now, isStepping) => runAt(now.speed === 0 && !isStepping ? 1 : 0)),
    },
    { id: 'clock.minute', title: 'Step a minute', group: 'Clock', keys: 'm', run: () => set(() => stepOf('1m')) },
    {
      id: 'clock.boundary',
      title: 'Step to the next boundary',
      group: 'Clock',
      keys: 'b',
      run: () => set(() => stepOf('boundary')),
    },
  ]);
  const { speed, until } = clock;
  return (
    <section class="part card clock" aria-label="Set the clock">
      <h2>Set the clock</h2>
      <Row name="Speed">
        <button type="button" aria-pressed={speed === 0} title="Key p" onClick={() => set(() => runAt(0))}>
          Pause
        </button>
        {SPEEDS.map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={speed === one && until === undefined}
            onClick={() => set(() => runAt(one))}
          >
            {one === 'max' ? one : `x${one}`}
          </button>
        ))}
      </Row>
      <Row name="Step">
        {STEPS.map(([length, name]) => (
          <button type="button" key={length} aria-disabled={isStepping} onClick={() => set(() => stepOf(length))}>
            {name}
          </button>
        ))}
      </Row>
      <Row name="Go to">
        {['open', 'close'].map((at) => (
          <button type="button" key={at} aria-disabled={isStepping} onClick={() => set(() => goTo(at))}>
            {at === 'open' ? 'Open' : 'Close'}
          </button>
        ))}
        <Instant isStepping={isStepping} onGo={(at) => set(() => goTo(at))} />
      </Row>
      <Grounds form={grounds} />
      <p role="status" class="tools">
        {until === undefined ? said : `On the way to ${until}. Pause ends it where it is.`}
      </p>
      {failure !== '' && (
        <p role="alert" class="tools bad">
          {failure}
        </p>
      )}
    </section>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="tools" role="group" aria-label={name}>
      <span class="name">{name}</span>
      {children}
    </div>
  );
}

interface InstantProps {
  readonly isStepping: boolean;
  readonly onGo: (at: string) => void;
}

function Instant({ isStepping, onGo }: InstantProps) {
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onGo(String(new FormData(event.currentTarget).get('at') ?? '').trim());
  };
  return (
    <form class="instant" onSubmit={onSubmit}>
      <input
        name="at"
        required
        maxLength={60}
        autocomplete="off"
        aria-label="Instant"
        placeholder="15:14:59, expiry of NIFTY"
        title="15:14:59, 2026-11-24T15:14:59, expiry of NIFTY"
      />
      <button type="submit" aria-disabled={isStepping}>
        Go
      </button>
    </form>
  );
}

/** The name and the reason that the journal gets with each setting. */
function Grounds({ form }: { readonly form: { readonly current: HTMLFormElement | null } }) {
  return (
    <form class="tools" ref={form} onSubmit={(event) => event.preventDefault()}>
      <label>
        Reason, for the journal
        <input name="why" maxLength={200} defaultValue={WHY} autocomplete="off" />
      </label>
      <label>
        Your name, for the journal
        <input name="by" maxLength={100} defaultValue={operatorName.value} autocomplete="off" />
      </label>
    </form>
  );
}

/** Sets the clock: asks while the market follows the wall, else does it at once. */
function useSetting(clock: MarketClock, grounds: () => FormData) {
  const now = useRef(clock);
  now.current = clock;
  const isSetting = useSignal(false);
  const isStepping = isSetting.value || clock.until !== undefined;
  const stepping = useRef(isStepping);
  stepping.current = isStepping;
  const said = useSignal('');
  const failure = useSignal('');
  const carryOut = async ({ path, body, done, longestMs }: Act): Promise<void> => {
    const [by, why] = ['by', 'why'].map((name) => String(grounds().get(name) ?? '').trim());
    said.value = '';
    failure.value = '';
    isSetting.value = true;
    if (by) rememberName(by);
    const look = setTimeout(readAgain, SHORT_MS);
    try {
      const fields = { ...body({}), by: by || 'operator', why: why || WHY };
      said.value = done((await act<MarketClock>(String(path), fields, longestMs)) as never);
    } catch (error) {
      failure.value = wordsOf(error);
    }
    clearTimeout(look);
    isSetting.value = false;
    readAgain();
  };
  const set = (make: (now: MarketClock, isStepping: boolean) => Act): void => {
    if (asked.peek() !== undefined) return;
    const made = make(now.current, stepping.current);
    // A step waits for the one that goes on, which another speed ends.
    if (stepping.current && made.longestMs !== undefined) return;
    if (now.current.set === undefined) askFor(made);
    else void carryOut(made);
  };
  return { set, isStepping, said: said.value, failure: failure.value };
}
