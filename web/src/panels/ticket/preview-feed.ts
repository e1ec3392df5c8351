/**
 * The preview of the order in the ticket: asked a moment after the last change, the newest answer wins. While another
 * one is asked for, the last one stays and is marked as old.
 */
import { type ReadonlySignal, signal } from '@preact/signals';

/** The last answer. */
export interface Previewed<Answer> {
  readonly answer: Answer | undefined;
  /** Why there is no answer; blank when there is one, or none was asked for. */
  readonly failure: string;
  /** True while the answer is of an earlier draft. */
  readonly isOld: boolean;
}

/** Timers, which a test moves by hand. */
export interface PreviewClock {
  after(ms: number, work: () => void): unknown;
  stop(timer: unknown): void;
}

const TIMERS: PreviewClock = {
  after: (ms, work) => setTimeout(work, ms),
  stop: (timer) => clearTimeout(timer as number | undefined),
};
const QUIET_MS = 120;
const NOTHING = { answer: undefined, failure: '', isOld: false } as const;

export class PreviewFeed<Question, Answer> {
  private readonly askService: (question: Question) => Promise<Answer>;
  private readonly wordsOf: (error: unknown) => string;
  private readonly clock: PreviewClock;
  private readonly shown = signal<Previewed<Answer>>(NOTHING);
  private timer: unknown;
  private asked = 0;

  constructor(
    askService: (question: Question) => Promise<Answer>,
    wordsOf: (error: unknown) => string,
    clock: PreviewClock = TIMERS,
  ) {
    this.askService = askService;
    this.wordsOf = wordsOf;
    this.clock = clock;
  }

  get state(): ReadonlySignal<Previewed<Answer>> {
    return this.shown;
  }

  /**
   * Asks for the preview of a draft when no other one follows within a moment. `isAgain`: of the draft that is shown,
   * so the preview that is shown is not old.
   */
  ask(question: Question, isAgain = false): void {
    this.begin();
    const number = this.asked;
    if (!isAgain) this.shown.value = { ...this.shown.peek(), isOld: true };
    this.timer = this.clock.after(QUIET_MS, () => void this.answer(number, question));
  }

  /** There is no draft that can be asked for. */
  clear(): void {
    this.begin();
    this.shown.value = NOTHING;
  }

  private begin(): void {
    this.asked += 1;
    this.clock.stop(this.timer);
  }

  private async answer(number: number, question: Question): Promise<void> {
    const next = await this.askService(question).then(
      (answer) => ({ answer, failure: '', isOld: false }),
      (error: unknown) => ({ answer: undefined, failure: this.wordsOf(error), isOld: false }),
    );
    if (number === this.asked) this.shown.value = next;
  }
}
