/** Whether one press trades at once, without a question. Off when the page is opened; it is shown wherever it counts. */
import { signal } from '@preact/signals';

export const armed = signal(false);
