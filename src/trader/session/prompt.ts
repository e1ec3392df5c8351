/**
 * Questions to the person at the terminal, on standard error, with answers that are not shown where they are secret.
 * Where standard input is not a terminal its lines are the answers, in the order of the questions.
 */
import { createInterface } from 'node:readline';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import type { Input } from '../trader-parts.ts';

const ENTER = /[\r\n]/;
const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_U = '\x15';
const BACKSPACE = /[\b\x7f]/;

/** Asks one question after the other. */
export class Prompt {
  private readonly input: Input;
  private readonly write: (text: string) => void;
  private lines: AsyncIterator<string> | undefined;

  constructor(input: Input, write: (text: string) => void) {
    this.input = input;
    this.write = write;
  }

  /** Asks for text that may be seen. */
  ask(question: string): Promise<string> {
    return this.answer(question, false);
  }

  /** Asks for a secret: nothing of the answer is shown. */
  askSecret(question: string): Promise<string> {
    return this.answer(question, true);
  }

  /** Leaves standard input alone again. */
  async end(): Promise<void> {
    await this.lines?.return?.();
  }

  private async answer(question: string, isSecret: boolean): Promise<string> {
    if (!this.input.isTTY) return this.nextLine(question);
    this.write(`${question}: `);
    try {
      return await typed(this.input, isSecret ? () => undefined : this.write);
    } finally {
      this.write('\n');
    }
  }

  private async nextLine(question: string): Promise<string> {
    this.lines ??= createInterface({ input: this.input })[Symbol.asyncIterator]();
    const next = await this.lines.next();
    if (next.done) throw new CommandFailed(`standard input ends before the answer to: ${question}`, EXIT_FAILED);
    return next.value;
  }
}

/** Reads a line from a terminal key by key. */
function typed(input: Input, echo: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (finish: () => void): void => {
      input.off('data', take);
      input.setRawMode?.(false);
      input.pause();
      finish();
    };
    const take = (chunk: Buffer | string): void => {
      for (const key of String(chunk)) {
        if (ENTER.test(key) || (key === CTRL_D && text === '')) return end(() => resolve(text));
        if (key === CTRL_C) return end(() => reject(new CommandFailed('ended by Ctrl-C', EXIT_FAILED)));
        if (BACKSPACE.test(key) || key === CTRL_U) {
          const kept = key === CTRL_U ? '' : text.slice(0, -1);
          echo('\b \b'.repeat(text.length - kept.length));
          text = kept;
        } else if (key >= ' ') {
          text += key;
          echo(key);
        }
      }
    };
    input.setRawMode?.(true);
    input.on('data', take);
    input.resume();
  });
}
