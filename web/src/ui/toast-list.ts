/** The short messages that are shown: which of them give way to another one. */

/** `warn` and `bad` stay until they are closed. */
export type Tone = 'note' | 'good' | 'warn' | 'bad';

export interface Toast {
  readonly number: number;
  readonly tone: Tone;
  readonly text: string;
}

/** Messages that go by themselves make room beyond this number of messages. */
const MOST_SHOWN = 5;
/** A program that fails all day must not fill the page: beyond this number failures give way too. */
const MOST_KEPT = 200;

export function goesByItself({ tone }: Toast): boolean {
  return tone === 'note' || tone === 'good';
}

/** The messages with one more. The oldest of those that go by themselves make room; failures and alerts stay. */
export function withToast(shown: readonly Toast[], next: Toast): readonly Toast[] {
  const leaving = shown.filter(goesByItself);
  const gone = new Set(leaving.slice(0, Math.max(0, shown.length + 1 - MOST_SHOWN)));
  return [...shown.filter((one) => !gone.has(one)), next].slice(-MOST_KEPT);
}
