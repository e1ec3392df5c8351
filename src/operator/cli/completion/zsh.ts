/**
 * The completion of `sauda` as a script for zsh, which shows the purpose of each word beside it. The array `path` of
 * zsh is that of programs, so the place in the tree of commands is in `at`.
 */
import { flagValuesOf, quoted, stepsOf } from './case-arms.ts';
import type { Place, Values, Word } from './command-words.ts';

/** A script that completes `sauda` in zsh. */
export function zshScript(places: readonly Place[]): string {
  return `#compdef sauda
# Completion of sauda for zsh. Load it with: source <(sauda completion zsh)
_sauda() {
  local at='' word previous=\${words[CURRENT - 1]}
  local -a commands flags
  for word in "\${(@)words[2,CURRENT - 1]}"; do
    case "$at/$word" in
${places.flatMap(stepsOf).join('\n')}
    esac
  done
  case "$at $previous" in
${places.flatMap((place) => flagValuesOf(place, offer)).join('\n')}
  esac
  case "$at" in
${places.map(wordsOf).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o flag flags
  elif ((\${#commands})); then
    _describe command commands
  fi
}
if [[ \${funcstack[1]} == _sauda ]]; then
  _sauda "$@"
else
  compdef _sauda sauda
fi
`;
}

function offer(values: Values): string {
  if (values === 'others') return 'return';
  if (values === 'files') return '_files; return';
  return `compadd -- ${values.map(quoted).join(' ')}; return`;
}

function wordsOf({ path, commands, flags, argument }: Place): string {
  const words = Array.isArray(argument) ? argument.map((word) => ({ word, about: '' })) : commands;
  const files = argument === 'files' ? ' [[ $PREFIX == -* ]] || { _files; return; }' : '';
  return `    ${quoted(path)}) commands=(${words.map(described).join(' ')}); flags=(${flags.map(described).join(' ')});${files} ;;`;
}

/** `word:purpose`, in which a colon of the word has a backslash. */
function described({ word, about }: Word): string {
  return quoted(`${word.replaceAll(':', '\\:')}${about === '' ? '' : `:${about}`}`);
}
