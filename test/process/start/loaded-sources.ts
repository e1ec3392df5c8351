import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './started-service.ts';

/** The name of a source file above its code in a joined file. */
const NAME = /^\/\/ (?<path>(?:client\/)?src\/\S+\.ts)$/gm;

/**
 * The modules in a list that `loaded-modules.mjs` wrote, as addresses or paths. A joined file stands with the source
 * files that are in it.
 */
export function loadedSources(list: string): string[] {
  const urls = readFileSync(list, 'utf8').split('\n');
  return urls.flatMap((url) => (url.includes('/.cache/joined/') ? [url, ...sourcesIn(url)] : [url]));
}

function sourcesIn(url: string): string[] {
  const names = readFileSync(new URL(url), 'utf8').matchAll(NAME);
  return Array.from(names, ({ groups }) => join(PROJECT, groups?.path ?? ''));
}
