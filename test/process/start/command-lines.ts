/**
 * A process that runs several command lines that fail, one after the other, each through the entry of the service: most
 * of the time of a command is that of loading its code. Its argument is the lines as JSON; it prints their results.
 */
import type { CommandResult } from './started-service.ts';

class Ended extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

const lines = JSON.parse(process.argv[2] ?? '[]') as readonly (readonly string[])[];
const write = process.stdout.write.bind(process.stdout);
const said = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string | Uint8Array): boolean => {
    said[name] += text.toString();
    return true;
  };
}
process.exit = (code) => {
  throw new Ended(Number(code));
};

async function resultOf(line: readonly string[], number: number): Promise<CommandResult> {
  Object.assign(said, { stdout: '', stderr: '' });
  process.argv = [process.execPath, 'sauda', ...line];
  let code = 0;
  try {
    // The query makes it another module: the entry runs again, on code that is loaded.
    await import(`../../../src/main.ts?${number}`);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    code = error.code;
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event);
  for (const output of [process.stdout, process.stderr]) output.removeAllListeners('error');
  return { code, ...said };
}

const results: CommandResult[] = [];
for (const [number, line] of lines.entries()) results.push(await resultOf(line, number));
write(JSON.stringify(results));
