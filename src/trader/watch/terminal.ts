/**
 * The keys and the signals of a terminal while a grid is shown. The terminal is given back as it was found on every way
 * out: a key, a signal, Ctrl-Z, and a failure of ours.
 */
import type { Input, Output } from '../trader-parts.ts';
import type { Screen } from './screen.ts';

/** The wishes of the person at the terminal. */
export interface Keys {
  readonly quit: () => void;
  /** Scrolls by a number of lines, or by pages. */
  readonly scroll: (lines: number, pages: number) => void;
  /** The picture is to be drawn again: the size has changed, or the program is back from Ctrl-Z. */
  readonly redraw: () => void;
}

const CTRL_Z = '\x1a';
const QUIT: ReadonlySet<string> = new Set(['q', 'Q', '\x03', '\x04']);
const SCROLL: Readonly<Record<string, readonly [lines: number, pages: number]>> = {
  '\x1b[A': [-1, 0],
  k: [-1, 0],
  '\x1b[B': [1, 0],
  j: [1, 0],
  '\x1b[5~': [0, -1],
  '\x1b[6~': [0, 1],
};
const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Takes the terminal; the result gives it back. */
export function takeTerminal(input: Input, output: Output, screen: Screen, keys: Keys): () => void {
  const take = (chunk: Buffer | string): void => {
    const key = String(chunk);
    const [lines, pages] = SCROLL[key] ?? [];
    if (QUIT.has(key)) keys.quit();
    else if (key === CTRL_Z) suspend(input, screen);
    else if (lines !== undefined && pages !== undefined) keys.scroll(lines, pages);
  };
  const goOn = (): void => {
    input.setRawMode?.(true);
    screen.enter();
    keys.redraw();
  };
  input.on('data', take);
  output.on('resize', keys.redraw);
  process.on('SIGCONT', goOn);
  process.on('exit', screen.leave);
  for (const signal of ENDING) process.on(signal, keys.quit);
  goOn();
  input.resume();
  return () => {
    input.off('data', take);
    output.off('resize', keys.redraw);
    process.off('SIGCONT', goOn);
    process.off('exit', screen.leave);
    for (const signal of ENDING) process.off(signal, keys.quit);
    input.setRawMode?.(false);
    input.pause();
    screen.leave();
  };
}

/** Stops the whole group of processes, as the shell would: the launcher may be a parent of this one. */
function suspend(input: Input, screen: Screen): void {
  input.setRawMode?.(false);
  screen.leave();
  process.kill(0, 'SIGTSTP');
}
