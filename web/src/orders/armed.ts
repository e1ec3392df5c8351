/** Whether one press trades at once, without a question: off when the page is opened, and shown where it is set. */
import { signal } from '@preact/signals';

export const armed = signal(false);
