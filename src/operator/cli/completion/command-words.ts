/**
 * The words that a shell can complete, read from the tree of commands: the words of each command, its flags, and the
 * values that arguments and flags take. The forms of the shells are in the files beside this one.
 */
import type { Command, Option } from 'commander';

/** The values that an argument or a flag takes: words of a list, files, or something that cannot be completed. */
export type Values = readonly string[] | 'files' | 'others';

/** A word with its purpose in one line. */
export interface Word {
  readonly word: string;
  readonly about: string;
}

/** A flag: `--json`; `values` is absent for one that stands alone. */
export interface FlagWord extends Word {
  readonly values?: Values;
}

/** A place in the tree: `/user/add`, or blank for the root. */
export interface Place {
  readonly path: string;
  readonly commands: readonly Word[];
  /** Further paths by which one comes here, by aliases of the last word: `/users/add`. */
  readonly aliases: readonly string[];
  readonly flags: readonly FlagWord[];
  readonly argument: Values;
}

/** All places of a tree of commands, the root first. */
export function placesOf(command: Command, path = ''): readonly Place[] {
  const { commands } = command;
  const parent = path.slice(0, path.lastIndexOf('/'));
  const shown = command.createHelp().visibleCommands(command);
  const place: Place = {
    path,
    commands: shown.map((one) => ({ word: one.name(), about: one.description() })),
    aliases: command.aliases().map((alias) => `${parent}/${alias}`),
    flags: command.createHelp().visibleOptions(command).map(flagOf),
    argument: argumentOf(command),
  };
  return [place, ...commands.flatMap((one) => placesOf(one, `${path}/${one.name()}`))];
}

function flagOf(option: Option): FlagWord {
  const known = { word: option.long ?? option.flags, about: option.description };
  if (!option.required) return known;
  return { ...known, values: valuesOf(option.flags, option.argChoices) };
}

function argumentOf({ registeredArguments }: Command): Values {
  const all = registeredArguments.map((argument) => valuesOf(`<${argument.name()}>`, argument.argChoices));
  return all.find((values) => values !== 'others') ?? 'others';
}

function valuesOf(form: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return choices;
  return /<(file|folder)>/.test(form) ? 'files' : 'others';
}
