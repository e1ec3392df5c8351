/** The arms of `case` in the completions for bash and zsh, which have this part of their grammar in common. */
import type { Place, Values } from './command-words.ts';

/** The arm that goes on to a place from the one before it; none for the root. */
export function stepsOf({ path, aliases }: Place): string[] {
  if (path === '') return [];
  return [`      ${[path, ...aliases].map(quoted).join('|')}) at=${quoted(path)} ;;`];
}

/** The arms that offer the values of the flag before the cursor. `offer` says it in the words of the shell. */
export function flagValuesOf({ path, flags }: Place, offer: (values: Values) => string): string[] {
  return flags.flatMap(({ word, values }) => {
    return values === undefined ? [] : [`    ${quoted(`${path} ${word}`)}) ${offer(values)} ;;`];
  });
}

/** Text between single quotes, in which a quote ends the text, stands by itself, and begins it again. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
