import type { FlagWord, Place, Values } from './command-words.ts';

/** A script that completes `sauda` in fish. */
export function fishScript(places: readonly Place[]): string {
  return `# Completion of sauda for fish. Load it with: sauda completion fish | source
function __sauda_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at/$word"
${places.flatMap(stepsOf).join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
complete -c sauda -e
complete -c sauda -f
${places.flatMap(linesOf).join('\n')}
`;
}

function stepsOf({ path, aliases }: Place): string[] {
  if (path === '') return [];
  return [`      case ${[path, ...aliases].map(quoted).join(' ')}`, `        set at ${quoted(path)}`];
}

function linesOf({ path, commands, flags, argument }: Place): string[] {
  const at = `complete -c sauda -n ${quoted(`__sauda_at "${path}"`)}`;
  return [
    ...commands.map(({ word, about }) => `${at} -a ${quoted(word)} -d ${quoted(about)}`),
    ...(argument === 'others' ? [] : [`${at}${offer(argument)}`]),
    ...flags.map((flag) => `${at} -l ${flag.word.replace(/^--/, '')}${flagValues(flag)} -d ${quoted(flag.about)}`),
  ];
}

function flagValues({ values }: FlagWord): string {
  if (values === undefined) return '';
  return values === 'others' ? ' -x' : ` ${values === 'files' ? '-r' : '-x'}${offer(values)}`;
}

function offer(values: Values): string {
  return values === 'files' ? ' -F' : ` -a ${quoted((values as readonly string[]).join(' '))}`;
}

/** Text between single quotes, in which fish knows a backslash before a backslash and before a quote alone. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
