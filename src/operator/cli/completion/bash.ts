/**
 * The completion of `sauda` as a script for bash: the words before the cursor give the place in the tree of commands,
 * and a table gives the words of each place.
 */
import { flagValuesOf, quoted, stepsOf } from './case-arms.ts';
import type { Place, Values } from './command-words.ts';

/** A script that completes `sauda` in bash. */
export function bashScript(places: readonly Place[]): string {
  return `# Completion of sauda for bash. Load it with: eval "$(sauda completion bash)"
_sauda() {
  local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} at='' commands='' flags='' values='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
${places.flatMap(stepsOf).join('\n')}
    esac
  done
  case "$at $previous" in
${places.flatMap((place) => flagValuesOf(place, offer)).join('\n')}
  esac
  case "$at" in
${places.map(wordsOf).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [[ $values == files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$cur"))
  fi
}
complete -F _sauda sauda
`;
}

function offer(values: Values): string {
  if (values === 'others') return 'return';
  if (values === 'files') return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return';
  return `COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$cur")); return`;
}

function wordsOf({ path, commands, flags, argument }: Place): string {
  const words = Array.isArray(argument) ? argument : commands.map(({ word }) => word);
  const known = [
    `commands=${quoted(words.join(' '))}`,
    `flags=${quoted(flags.map(({ word }) => word).join(' '))}`,
    ...(argument === 'files' ? ['values=files'] : []),
  ];
  return `    ${quoted(path)}) ${known.join(' ')} ;;`;
}
