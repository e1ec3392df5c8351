/** Short messages at the edge of the page. Failures and alerts stay until they are closed, others go by themselves. */
import { signal } from '@preact/signals';

/** `warn` and `bad` stay until they are closed. */
export type Tone = 'note' | 'good' | 'warn' | 'bad';

export interface Toast {
  readonly number: number;
  readonly tone: Tone;
  readonly text: string;
}

const SHOWN_MS = 6_000;
const MOST_SHOWN = 5;

const shown = signal<readonly Toast[]>([]);
let made = 0;

export function toast(tone: Tone, text: string): void {
  made += 1;
  const number = made;
  shown.value = [...shown.value.slice(1 - MOST_SHOWN), { number, tone, text }];
  if (tone === 'note' || tone === 'good') setTimeout(() => closeToast(number), SHOWN_MS);
}

export function closeToasts(): void {
  shown.value = [];
}

function closeToast(number: number): void {
  shown.value = shown.value.filter((one) => one.number !== number);
}

export function Toasts() {
  return (
    <section class="toasts" aria-label="Messages" aria-live="polite">
      {shown.value.map(({ number, tone, text }) => (
        <p key={number} class={tone}>
          <span>{text}</span>
          <button type="button" class="plain" aria-label="Close message" onClick={() => closeToast(number)}>
            ×
          </button>
        </p>
      ))}
    </section>
  );
}
