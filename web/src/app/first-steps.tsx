/** The first visit: five steps to the first trade. Each is done when the page sees it done. Kept once it is over. */
import { computed, effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { sendings } from '../orders/sendings.ts';
import { ticketRequest } from '../orders/ticket-request.ts';
import { trades } from '../store/books.ts';
import { keep, kept } from '../store/kept.ts';
import { recentInstruments } from './palette/recent.ts';
import { type Progress, stepOf } from './steps-progress.ts';

/** The last card goes by itself: it must not lie over a panel for a day. */
const DONE_MS = 10_000;

const isOver = signal(kept('first-steps') === 'over');
/** The step up to which the user pressed Next. */
const passed = signal(0);
/** The finds, orders and trades from before the steps, which do not count. */
const before = signal({ found: recentInstruments.peek(), sent: 0, traded: 0 });

const STEPS: readonly { readonly title: string; readonly text: ComponentChildren }[] = [
  {
    title: 'Find an instrument',
    text: (
      <>
        Press <kbd>/</kbd>, type <b>ITC</b>, and press <kbd>Enter</kbd>. Chart and depth follow it.
      </>
    ),
  },
  {
    title: 'Open the ticket',
    text: (
      <>
        Press <kbd>B</kbd> to buy or <kbd>S</kbd> to sell. A price in the depth opens it too.
      </>
    ),
  },
  { title: 'Read what it costs', text: 'The ticket shows margin, charges and the funds that are left, live.' },
  {
    title: 'Send the order',
    text: (
      <>
        <kbd>Enter</kbd> in the ticket sends it, once. Orders show each step that the exchange confirms.
      </>
    ),
  },
  {
    title: 'Follow it',
    text: (
      <>
        <kbd>G</kbd> <kbd>P</kbd> shows positions, <kbd>?</kbd> all keys. A limit order waits for its price.
      </>
    ),
  },
];

const progress = computed<Progress>(() => ({
  hasInstrument: recentInstruments.value !== before.value.found,
  hasTicket: ticketRequest.value !== undefined,
  hasSent: sendings.value.length > before.value.sent,
  hasTrade: trades.list.value.length > before.value.traded,
}));
const step = computed(() => stepOf(progress.value, passed.value, STEPS.length));

export function FirstSteps() {
  useEffect(passOverTraders, []);
  const now = STEPS[step.value];
  if (isOver.value) return null;
  if (now === undefined) return <Done />;
  return (
    <aside class="first-steps" aria-label="First steps">
      <p class="quiet small">
        First steps: {step.value + 1} of {STEPS.length}
      </p>
      <div role="status">
        <h2>{now.title}</h2>
        <p>{now.text}</p>
      </div>
      <div class="row">
        <button type="button" class="plain" onClick={end}>
          Skip all
        </button>
        <button type="button" onClick={() => (passed.value = step.value + 1)}>
          Next
        </button>
      </div>
    </aside>
  );
}

function Done() {
  useEffect(() => {
    const timer = setTimeout(end, DONE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <aside class="first-steps" aria-label="First steps">
      <div role="status">
        <h2>You are set</h2>
        <p>
          All keys are behind <kbd>?</kbd>. The menu of each place moves panels.
        </p>
      </div>
      <div class="row">
        <button type="button" onClick={end}>
          Close
        </button>
      </div>
    </aside>
  );
}

/** A user who has traded today already needs no first steps. The result ends the look. */
function passOverTraders(): () => void {
  return effect(() => {
    if (isOver.peek() || !trades.isKnown.value || sendings.peek().length > 0) return;
    if (trades.list.peek().length > before.peek().traded) end();
  });
}

/** Begins the steps again. */
export function restartFirstSteps(): void {
  before.value = {
    found: recentInstruments.peek(),
    sent: sendings.peek().length,
    traded: trades.list.peek().length,
  };
  passed.value = 0;
  isOver.value = false;
}

function end(): void {
  isOver.value = true;
  keep('first-steps', 'over');
}
