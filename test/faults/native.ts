import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const SOURCES = join(import.meta.dirname, 'native');

/** Builds a program of `native/` and gives its path. */
export function program(scratch: string, name: string): string {
  const path = join(scratch, name);
  execFileSync('gcc', ['-O1', '-Wall', '-Werror', '-o', path, join(SOURCES, `${name}.c`)]);
  return path;
}

/** Builds a library of `native/` and gives the environment in which a process is run with it. */
export function preloaded(scratch: string, name: string): { readonly LD_PRELOAD: string } {
  const path = join(scratch, `${name}.so`);
  const shared = ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-Wno-nonnull-compare'];
  execFileSync('gcc', [...shared, '-o', path, join(SOURCES, `${name}.c`), '-ldl']);
  return { LD_PRELOAD: path };
}
