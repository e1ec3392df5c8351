import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { circlesOf, longFunctions } from './measures.ts';

/*
 * The rules of the client, which is a package of its own: it runs where Node is not, knows nothing of the service but
 * its schemas, and depends on nothing.
 */

const ROOT = join(import.meta.dirname, '..', '..');
/** The files that run under Node, Deno and Bun alone. */
const OF_NODE = ['client/src/stream/node-socket.ts', 'client/src/testing.ts'];
/** The file that offers the package's names to others. */
const ENTRY = 'client/src/index.ts';

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const sources: Source[] = committed('client/src/**/*.ts', 'client/src/*.ts').map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const found = text.matchAll(/(?:\bfrom|\bimport\()\s*'([^']+)'/g);
  return { path, text, imports: Array.from(found, ([, target = '']) => target) };
});

function committed(...patterns: string[]): string[] {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns];
  const listed = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  return [...new Set(listed)].filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

function fileOf(path: string, target: string): string {
  return posix.join(dirname(path), target);
}

test('the client imports its own files, and Node only where there is Node', () => {
  assert.ok(sources.length > 20, `${sources.length} files`);
  const wrong = sources.flatMap(({ path, imports }) =>
    imports.flatMap((target) => {
      const isOwn = target.startsWith('.') && target.endsWith('.ts') && fileOf(path, target).startsWith('client/src/');
      const isNode = target.startsWith('node:') && OF_NODE.includes(path);
      return isOwn || isNode ? [] : [`${path} imports ${target}`];
    }),
  );
  assert.deepEqual(wrong, []);
  const globals = sources.filter(({ path, text }) => !OF_NODE.includes(path) && /\b(process|Buffer)\./.test(text));
  assert.deepEqual(
    globals.map(({ path }) => path),
    [],
  );
});

test('the imports of the client go in no circle, and nobody imports its entry', () => {
  const graph = new Map(sources.map(({ path, imports }) => [path, imports.map((target) => fileOf(path, target))]));
  assert.deepEqual(circlesOf(graph), []);
  const importers = [...graph].filter(([, targets]) => targets.includes(ENTRY));
  assert.deepEqual(importers, []);
});

test('the client exports nothing that nobody uses, and only its entry passes names on', () => {
  const users = committed('client/**/*.ts', 'src/**/*.ts', 'test/**/*.ts').map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
  const unused = sources.flatMap(({ path, text }) => {
    const names = Array.from(text.matchAll(/^export (?:abstract )?(?:async )?(?:function|const|class) (\w+)/gm));
    return names.flatMap(([, name = '']) => {
      const isUsed = users.some((user) => user.path !== path && new RegExp(`\\b${name}\\b`).test(user.text));
      return isUsed ? [] : [`${path} ${name}`];
    });
  });
  assert.deepEqual(unused, []);
  const barrels = sources.filter(({ path, text }) => path !== ENTRY && /^export .*\bfrom\b/m.test(text));
  assert.deepEqual(
    barrels.map(({ path }) => path),
    [],
  );
});

test('the client has short functions, and its files names in kebab case', () => {
  const long = sources.flatMap(({ path, text }) => longFunctions(text).map((where) => `${path}:${where}`));
  assert.deepEqual(long, []);
  const wrong = sources.filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(basename(path)));
  assert.deepEqual(wrong, []);
});

test('the client has no escape hatches', () => {
  const hatch = /[:<,|&(]\s*any\b|\bas any\b|@ts-|biome-ignore|catch\s*(\([^)]*\))?\s*\{\s*\}/;
  const wrong = sources.filter(({ text }) => hatch.test(text));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('the package of the client depends on nothing', () => {
  const own = JSON.parse(readFileSync(join(ROOT, 'client', 'package.json'), 'utf8')) as Record<string, unknown>;
  const kinds = Object.keys(own).filter((key) => /dependencies/i.test(key));
  assert.deepEqual(kinds, []);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  assert.equal(own.version, version, 'one version for the service and its client');
});
