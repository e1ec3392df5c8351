import { Argument, type Command } from 'commander';
import { bashScript } from './bash.ts';
import { placesOf } from './command-words.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Adds the command that prints a shell's completion of all commands of the program. */
export function addCompletionCommand(program: Command, print: (text: string) => void): void {
  program
    .command('completion')
    .description('print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => print(SCRIPTS[shell](placesOf(program)).trimEnd()));
}
