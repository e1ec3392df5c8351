import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Mutant, mutated, strippedOf } from './mutants.ts';

/** The root of the project, with a `/` at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A mutant and its file, from the root of the project. */
export type PlacedMutant = Pick<Mutant, 'start' | 'end' | 'replacement'> & { readonly file: string };

const REGISTRY = new URL('./test-registry.ts', import.meta.url).href;
const stripped = new Map<string, string>();
/** The importers of each file, by path from the root: `importers.get(file)` are those that import the file. */
const importers = new Map<string, Set<string>>();

let generation = 0;
let fresh: ReadonlySet<string> = new Set();
let mutant: PlacedMutant | undefined;

/**
 * Loads a test file and, of all it imports, those in `files` again, with the mutant in its place, once for all test
 * files that it is tried with; other modules are the same for every mutant. The files on the disk are only read.
 */
export async function loadAnew(testFile: string, files: ReadonlySet<string>, placed?: PlacedMutant): Promise<void> {
  if (placed !== mutant) generation += 1;
  fresh = files;
  mutant = placed;
  await import(named(pathToFileURL(join(ROOT, testFile)).href));
}

/** Loads this JavaScript in place of a file from now on. */
export function insteadOf(file: string, source: string): void {
  stripped.set(file, source);
}

/**
 * A file and all that import it, also through others, as far as they were loaded: these have to be loaded again when
 * the file changes.
 */
export function dependentsOf(file: string): Set<string> {
  const found = new Set([file]);
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
  return found;
}

/** The path from the root of a module of the project; undefined for all others. */
function projectPath(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url.split('?')[0] ?? url);
  const own = path.startsWith(ROOT) ? path.slice(ROOT.length) : '';
  return /^(src|test|sim)\/.*\.ts$/.test(own) && !own.startsWith('test/mutation/') ? own : undefined;
}

function named(url: string): string {
  const path = projectPath(url);
  return path !== undefined && fresh.has(path) ? `${url}?mutant=${generation}` : url;
}

function sourceOf(path: string): string {
  const known = stripped.get(path);
  if (known !== undefined) return known;
  const source = strippedOf(readFileSync(join(ROOT, path), 'utf8'));
  stripped.set(path, source);
  return source;
}

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL === undefined ? undefined : projectPath(context.parentURL);
    if (specifier === 'node:test' && from !== undefined) return { url: REGISTRY, shortCircuit: true };
    const resolved = next(specifier, context);
    const path = projectPath(resolved.url);
    if (path === undefined) return resolved;
    if (from !== undefined) importers.set(path, (importers.get(path) ?? new Set()).add(from));
    return { ...resolved, url: named(resolved.url) };
  },
  load(url, context, next) {
    const path = projectPath(url);
    if (path === undefined) return next(url, context);
    const source = sourceOf(path);
    const changed = mutant?.file === path && url.includes('?mutant=') ? mutated(source, mutant) : source;
    return { format: 'module', source: changed, shortCircuit: true };
  },
});
