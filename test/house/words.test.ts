/**
 * The rules of plain English and of findable files, as a program: a trader from Mumbai must understand every comment
 * and every test name at the first reading, and a folder must be seen at a glance. `docs/glossary.md` has the words.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const MAX_COMMENT_COLUMNS = 120;
const MAX_FILES_OF_A_FOLDER = 25;
/** A longer file opens with its purpose. */
const LINES_WITHOUT_PURPOSE = 60;

/** Phrases that make a reader decode, each with the plain words in its place. */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/(?:^|[.;] )(?:What|Who|Whoever|Whatever) /, 'put the subject first'],
  [/\b(?:tells?|told|telling)\b/i, 'report, name, give, say'],
  [/\bso many\b/i, 'at most N, this number of'],
  [/(?<!there )\b(?:is|are) no (?!longer\b|more\b)/i, 'is not a'],
  [/\banew\b/i, 'again'],
  [/\banother than\b/i, 'different from'],
];

interface Text {
  readonly place: string;
  readonly words: string;
}

function committed(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

const OWN = 'test/house/words.test.ts';
const sources = committed('*.ts', '**/*.ts').map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** Comments and test names, without code between backticks, each on one line. */
function textsOf({ path, text }: { readonly path: string; readonly text: string }): Text[] {
  const token =
    /\/\*\*?(?<block>[\s\S]*?)\*\/|(?<=^|\n)[ \t]*(?<line>\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)|\btest\(\s*(?<quote>['`])(?<name>(?:\\.|(?!\k<quote>).)*)\k<quote>/g;
  return Array.from(text.matchAll(token), (found) => {
    const { block, line, name } = found.groups ?? {};
    const raw = block ?? line ?? name ?? '';
    const words = raw
      .replaceAll(/`[^`]*`/g, '``')
      .replaceAll(/(?:^|\n)\s*(?:\*|\/\/) ?/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return { place: `${path}:${text.slice(0, found.index).split('\n').length}`, words };
  });
}

test('comments and test names are plain English', () => {
  const wrong = sources
    .filter(({ path }) => path !== OWN)
    .flatMap(textsOf)
    .flatMap(({ place, words }) =>
      PHRASES.flatMap(([phrase, instead]) => (phrase.test(words) ? [`${place}: ${words} (${instead})`] : [])),
    );
  assert.deepEqual(wrong, []);
});

test('no comment is wider than a page', () => {
  const wrong = sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const isComment = /^\s*(?:\/\*|\*|\/\/)/.test(line);
      return isComment && line.length > MAX_COMMENT_COLUMNS ? [`${path}:${index + 1}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('a long file of the service opens with its purpose', () => {
  const wrong = sources.filter(({ path, text }) => {
    const isLong = text.split('\n').length > LINES_WITHOUT_PURPOSE;
    return path.startsWith('src/') && !path.endsWith('.test.ts') && isLong && !/^\/\*\*?\s/.test(text);
  });
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('no folder has more files than can be seen at a glance', () => {
  const counts = new Map<string, number>();
  for (const path of committed('src/**', 'test/**', 'bench/**', 'sim/**', 'docs/**')) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  const wrong = [...counts].filter(([, count]) => count > MAX_FILES_OF_A_FOLDER).map(([folder, count]) => `${folder}: ${count}`);
  assert.deepEqual(wrong, []);
});
