/** Short messages at the edge of the page. Failures and alerts stay until they are closed, others go by themselves. */
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { goesByItself, type Toast, type Tone, withToast } from './toast-list.ts';

const SHOWN_MS = 6_000;
/** Beyond this number one button closes them all. */
const MANY = 5;

const shown = signal<readonly Toast[]>([]);
let made = 0;

export function toast(tone: Tone, text: string): void {
  made += 1;
  const number = made;
  const next = { number, tone, text };
  shown.value = withToast(shown.value, next);
  if (goesByItself(next)) setTimeout(() => closeToast(number), SHOWN_MS);
}

export function closeToasts(): void {
  shown.value = [];
}

function closeToast(number: number): void {
  shown.value = shown.value.filter((one) => one.number !== number);
}

export function Toasts() {
  const list = useRef<HTMLElement>(null);
  const newest = shown.value.at(-1)?.number;
  // The newest stands below, and many of them scroll.
  useLayoutEffect(() => list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' }), [newest]);
  return (
    <section class="toasts" aria-label="Messages" aria-live="polite" ref={list}>
      {shown.value.map(({ number, tone, text }) => (
        <p key={number} class={tone}>
          <span>{text}</span>
          <button type="button" class="plain" aria-label="Close message" onClick={() => closeToast(number)}>
            ×
          </button>
        </p>
      ))}
      {shown.value.length > MANY && (
        <p class="note">
          <button type="button" onClick={closeToasts}>
            Close all messages
          </button>
        </p>
      )}
    </section>
  );
}
