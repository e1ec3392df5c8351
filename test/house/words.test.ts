/**
 * The rules of plain English and of findable files, as a program: a trader must understand every comment and every
 * test name at the first reading, and a folder must be seen at a glance. The words are in `docs/glossary.md`; the same
 * rule for documents is in `docs.test.ts`.
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

/** Phrases that a reader must decode, each with the plain words to use instead. A question may begin with "What". */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/(?:^|[.;!?] )(?:What|Who|Whoever|Whatever) [^.?!]*(?:[.!]|$)/, 'the subject first'],
  [/\b(?:tells?|told|telling)\b/i, 'report, name, give, say'],
  [/^(?:what|who|whoever|whatever) /, 'the subject first'],
  [/\bso many\b/i, 'at most N, this number of'],
  [/\b(?:for|takes?|within) so (?:long|much)\b(?! as)/i, 'for this time, that much'],
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)/i, 'is not a'],
  [/\banew\b/i, 'again'],
  [/\banother than\b/i, 'different from'],
];

interface Source {
  readonly path: string;
  readonly text: string;
}

/** A comment or the name of a test, on one line. */
interface Wording {
  readonly place: string;
  readonly words: string;
}

/** The files of the repository that match a pattern, those that are not committed yet among them. */
function filesOf(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

const sources: readonly Source[] = filesOf('*.ts', '*.tsx').map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

/** A block comment stands after a blank or a bracket: in a string such as `src/**` the characters are a pattern. */
const BLOCK = /(?<=^|[\s([{,])\/\*+(?<block>[\s\S]*?)\*\//.source;
const LINES = /(?<=^|\n)[ \t]*(?<lines>\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/.source;
const BEHIND_CODE = /[ \t]\/\/ (?<behind>[^\n]*)/.source;
const TEST = /\b(?:test|it|describe|suite)\(\s*(?<quote>['"`])(?<name>(?:\\.|(?!\k<quote>)[^\n])*)\k<quote>/.source;
const WORDING = new RegExp([BLOCK, LINES, BEHIND_CODE, TEST].join('|'), 'g');

/** Comments and names of tests, without code between backticks. */
function wordingsOf({ path, text }: Source): Wording[] {
  return Array.from(text.matchAll(WORDING), (found) => {
    const { block, lines, behind, name } = found.groups ?? {};
    const words = (block ?? lines ?? behind ?? name ?? '')
      .replace(/^[ \t]*\/\/ ?/, '')
      .replaceAll(/\n[ \t]*(?:\*|\/\/)? ?/g, ' ')
      .replaceAll(/`[^`]*`/g, '``')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return { place: `${path}:${text.slice(0, found.index).split('\n').length}`, words };
  });
}

function phrasesOf(wordings: readonly Wording[]): string[] {
  return wordings.flatMap(({ place, words }) =>
    PHRASES.flatMap(([phrase, instead]) => (phrase.test(words) ? [`${place}: ${words} (${instead})`] : [])),
  );
}

/** A comment, which has the place of a text, or a text between quotes or backticks. */
const TEXT =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?<single>(?:\\.|[^'\\\n])*)'|"(?<double>(?:\\.|[^"\\\n])*)"|`(?<template>(?:\\.|[^`\\])*)`/g;
const COMMENT = new RegExp([BLOCK, LINES, BEHIND_CODE].join('|'), 'g');
/** The words of a page that stand between two tags. */
const SHOWN = /(?<=>)[^<>{}()=;]*[a-z] [a-z][^<>{}()=;]*(?=<)/g;

/** The texts of the code, and those that a page shows. Code in a template is not text. */
function textsOf({ path, text }: Source): Wording[] {
  const code = text.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  const quoted = Array.from(code.matchAll(TEXT), ({ index, groups }) => {
    return { index, words: groups?.single ?? groups?.double ?? groups?.template ?? '' };
  });
  const shown = path.endsWith('.tsx')
    ? Array.from(code.matchAll(SHOWN), ({ index, 0: words }) => ({ index, words }))
    : [];
  return [...quoted, ...shown].map(({ index, words }) => ({
    place: `${path}:${code.slice(0, index).split('\n').length}`,
    words: words
      .replaceAll(/\$\{[^}]*\}/g, '``')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}

function wideCommentsOf({ path, text }: Source): string[] {
  return text.split('\n').flatMap((line, index) => {
    const hasComment = /^\s*(?:\/\*|\*|\/\/)|\s\/\/ /.test(line);
    return hasComment && line.length > MAX_COMMENT_COLUMNS ? [`${path}:${index + 1}`] : [];
  });
}

/** True when a file opens with a comment on the whole file: a comment right above a declaration is of that alone. */
function opensWithPurpose(text: string): boolean {
  return /^\/\*(?:(?!\*\/)[\s\S])+\*\/\n(?:\n|import\b|\/\*)/.test(text);
}

function isLong(text: string): boolean {
  return text.trimEnd().split('\n').length > LINES_WITHOUT_PURPOSE;
}

test('comments and test names are plain English', () => {
  assert.deepEqual(phrasesOf(sources.flatMap(wordingsOf)), []);
});

test('a phrase that must be decoded is found in a block, in lines, behind code and in a test name', () => {
  const slashes = '/'.repeat(2);
  const text = [
    '/**\n * It is made\n * anew.\n */',
    '/**\n * What comes first.\n */',
    `${slashes} Who asks.`,
    'const b = 2;',
    `${slashes} It waits for so\n${slashes} many seconds.`,
    `const a = 1; ${slashes} What counts.`,
    "test(\n  'it is no order', () => {});",
    "it('What is asked? An order that is no longer there, where there is no book', () => {});",
    "const pattern = 'src/**'; const told = `anew`;",
    '/* A `told` order. */',
  ].join('\n');
  const places = phrasesOf(wordingsOf({ path: 'a.ts', text })).map((found) => found.split(' ', 1)[0]);
  assert.deepEqual(places, ['a.ts:1:', 'a.ts:5:', 'a.ts:8:', 'a.ts:10:', 'a.ts:12:', 'a.ts:13:']);
});

/** True for code that runs for a user: the service, its page and its client, without their tests. */
function isProduction({ path }: Source): boolean {
  return /^(?:src|web\/src|client\/src)\//.test(path) && !/\.test\.tsx?$/.test(path);
}

test('texts of the service, the page and the client are plain English', () => {
  const production = sources.filter(isProduction);
  assert.ok(production.some(({ path }) => path.endsWith('.tsx')));
  assert.deepEqual(phrasesOf(production.flatMap(textsOf)), []);
});

test('a phrase that must be decoded is found in each kind of text, and not in comments and code', () => {
  const slashes = '/'.repeat(2);
  const text = [
    `const a = 1; ${slashes} 'is no order'`,
    "fail('there is no order');",
    "fail('it is no order');",
    'note(`the file is read anew`);',
    "option('what closes it');",
    'const told = read(\'path\', "Who asks.");',
    '<p class="quiet">',
    '  A lot of so many units.',
    '</p>',
  ];
  const places = (path: string): string[] =>
    phrasesOf(textsOf({ path, text: text.join('\n') })).map((found) => found.split(' ', 1)[0] ?? '');
  assert.deepEqual(places('a.ts'), ['a.ts:3:', 'a.ts:4:', 'a.ts:5:', 'a.ts:6:']);
  assert.deepEqual(places('a.tsx'), ['a.tsx:3:', 'a.tsx:4:', 'a.tsx:5:', 'a.tsx:6:', 'a.tsx:7:']);
});

test('a comment fits into 120 columns', () => {
  assert.deepEqual(sources.flatMap(wideCommentsOf), []);
});

test('a long file of the service opens with its purpose', () => {
  const wrong = sources.filter(({ path, text }) => {
    return path.startsWith('src/') && !path.endsWith('.test.ts') && isLong(text) && !opensWithPurpose(text);
  });
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('the comment of the first declaration does not pass for the purpose of its file', () => {
  assert.ok(opensWithPurpose("/** Orders. */\nimport { a } from './a.ts';\n"));
  assert.ok(opensWithPurpose('/**\n * Orders.\n */\n\nexport const a = 1;\n'));
  assert.ok(!opensWithPurpose('/** An order. */\nexport interface Order {}\n'));
  assert.ok(!opensWithPurpose("import { a } from './a.ts';\n\n/** Orders. */\n"));
});

/** The exported functions of a file with no docstring right above them. */
function withoutDocstring({ path, text }: Source): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [, name] = /^export function\*? (\w+)/.exec(line) ?? [];
    return name === undefined || lines[index - 1]?.endsWith('*/') ? [] : [`${path} ${name}`];
  });
}

test('each exported function of the core has a docstring', () => {
  const core = sources.filter(({ path }) => path.startsWith('src/core/') && !/(?:\.test|-fixture)\.ts$/.test(path));
  assert.ok(core.length > 100, `${core.length} files`);
  assert.deepEqual(core.flatMap(withoutDocstring), []);
  const text = '/** One. */\nexport function one() {}\n\nexport function two() {}\n\nexport function* three() {}\n';
  assert.deepEqual(withoutDocstring({ path: 'a.ts', text }), ['a.ts two', 'a.ts three']);
});

test('a folder has at most 25 files of its own', () => {
  const counts = new Map<string, number>();
  for (const path of filesOf('src', 'test', 'bench', 'sim', 'docs', 'client', 'web')) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  // Decisions are a numbered list, in which each is found by its number.
  counts.delete('docs/adr');
  const wrong = [...counts].filter(([, count]) => count > MAX_FILES_OF_A_FOLDER);
  assert.deepEqual(wrong, []);
});
