import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { WallMs } from '../../../src/base/time.ts';
import { type CommandLineParts, runCommandLine } from '../../../src/operator/cli/cli.ts';
import { localSauda } from '../../../src/operator/cli/folder/local-sauda.ts';
import { CommandFailed, EXIT_DONE } from '../../../src/os/command-failed.ts';
import { addTraderCommands } from '../../../src/trader/trader-commands.ts';

export interface Ran {
  readonly code: number;
  readonly printed: string;
  /** The remarks on standard error. */
  readonly noted: string;
  /** The words of the failure. */
  readonly refused: string;
}

/** Runs commands of a trader in this process, against a service on the data folder below `folder`. */
export class TraderLines {
  readonly data: string;
  /** The folder of states, with the kept session. */
  readonly state: string;

  constructor(folder: string) {
    this.data = join(folder, 'data');
    this.state = join(folder, 'state');
  }

  /** `output`: the standard output of the command. */
  async run(line: string, output = new PassThrough()): Promise<Ran> {
    const printed: string[] = [];
    let noted = '';
    const env = { XDG_STATE_HOME: this.state };
    const local = localSauda({ env: { ...env, SAUDA_DATA: this.data }, now: () => Date.now() as WallMs });
    const parts = {
      version: '0.0.0',
      env,
      print: (text: string) => printed.push(text),
      addOthers: (program: Parameters<typeof addTraderCommands>[0]) =>
        addTraderCommands(program, {
          env,
          local,
          input: new PassThrough(),
          output,
          errors: {
            write: (text) => {
              noted += text;
            },
          },
          print: (text) => printed.push(text),
        }),
    } as unknown as CommandLineParts;
    try {
      await runCommandLine(line.split(' '), parts);
      return { code: EXIT_DONE, printed: printed.join('\n'), noted, refused: '' };
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      return { code: error.exitCode, printed: printed.join('\n'), noted, refused: error.message };
    }
  }

  async rows(line: string): Promise<readonly Record<string, string>[]> {
    const { printed } = await this.run(`${line} --json`);
    return JSON.parse(printed) as Record<string, string>[];
  }
}
