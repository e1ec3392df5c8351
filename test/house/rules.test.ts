import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

/**
 * The law that comments and documents cite is in `docs/rules`: every citation names a rule that is there, and each rule
 * that nothing cites stands with its reason in `docs/rules/uncited.md`.
 *
 * Names of rules: `R4.17` of the rule book, `W6` and `R13` of the wire, `P5`, `F04`, `I30`, `G11` of reliability. Names
 * of parts: `market-rules 4.3`, `contract 3.12`, `interface §limit`, `reliability §4`, `architecture 2.6`.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const RULES = 'docs/rules';
const CODE = ['src', 'test', 'sim', 'bench'];
/** Documents whose tables name the test of each rule, so that a row in them counts as a citation. */
const TABLES_OF_PROOFS = ['docs/rules/wire.md', 'docs/reliability.md'];
const STANDINGS = ['built', 'background', 'not applicable', 'not built'];
/** Chapters and sections that hold rules with names of their own, which are what is cited. */
const GROUPS_OF_RULES = /^market-rules |^contract [1-3]$/;

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .sort();
}

const pages = filesIn(RULES, '.md');
/** Stories name keys of the keyboard, as F6, and cite no rule. */
const code = CODE.flatMap((folder) => filesIn(folder, '.ts')).filter(
  (path) => path !== 'test/house/rules.test.ts' && !path.startsWith('test/browser/'),
);
const documents = filesIn('docs', '.md');

function firstGroups(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, group = '']) => group);
}

/** The names that one page of the rules defines. */
function definedIn(page: string, text: string): string[] {
  const file = page.slice(RULES.length + 1);
  const rules = firstGroups(text, /^(?:- |\| )\*\*([A-Z]\d+(?:\.\d+[a-z]?)?)\*\*/gm);
  const headings = firstGroups(text, /^#{2,3} (.+)$/gm);
  const numbers = headings.map((heading) => /^\d+\.\d+/.exec(heading)?.[0] ?? '').filter((number) => number !== '');
  if (/^\d-/.test(file)) return [...rules, `market-rules ${file[0]}`, ...numbers.map((one) => `market-rules ${one}`)];
  if (file.startsWith('wire-')) {
    const sections = firstGroups(text.replaceAll('\n', ' '), /Sections? (\d(?: and \d)?) of the wire contract/g);
    const parts = [...sections.flatMap((one) => one.split(' and ')), ...numbers];
    return [...rules, ...parts.map((one) => `contract ${one}`)];
  }
  if (file === 'interface.md') return headings.map((heading) => `interface §${heading}`);
  if (file === 'promises.md')
    return [...rules, ...firstGroups(text, /^## (§\d+)/gm).map((one) => `reliability ${one}`)];
  if (file === 'design.md') return firstGroups(text, /^## (architecture (?:[\d.]+(?=:)|"[^"]+"))/gm);
  return [];
}

const defined = pages.flatMap((page) => definedIn(page, read(page)));
const book: ReadonlySet<string> = new Set(defined);

/** A text in which a citation that goes over the end of a line is in one piece. */
function inOneLine(text: string): string {
  return text.replace(/\n[ \t]*(?:\*(?!\*)|\/\/)?[ \t]*/g, ' ');
}

/** `R3.18 to R3.20` as its three members; the second name alone when it is not after the first. */
function members(first: string, last: string): string[] {
  const [, head = '', from = ''] = /^(.*?)(\d+)$/.exec(first) ?? [];
  const [, lastHead = '', to = ''] = /^(.*?)(\d+)$/.exec(last) ?? [];
  if (head !== lastHead || Number(to) <= Number(from)) return [last];
  const names: string[] = [];
  for (let at = Number(from) + 1; at <= Number(to); at += 1)
    names.push(`${head}${String(at).padStart(from.length, '0')}`);
  return names;
}

/** Rules that are cited by their letter: `R4.17`, `W6`, `F04`, and ranges of them. */
function lettered(text: string): string[] {
  const names: string[] = [];
  // F and one digit is a key of the keyboard.
  const name = '(?:[RWPIG]\\d{1,2}(?:\\.\\d{1,2}[a-z]?)?|F\\d{2})';
  const pattern = new RegExp(`(?<![\\w.#/$%&-])(${name})(?: to (${name}))?(?![\\w%])`, 'g');
  for (const [, first = '', last] of text.matchAll(pattern)) {
    names.push(first, ...(last === undefined ? [] : members(first, last)));
  }
  return names;
}

/** Parts that are cited by their number: `contract 3.12 to 3.19`, `market-rules section 6`, `contract W11, 3.20`. */
function numbered(text: string): string[] {
  const names: string[] = [];
  const item = '(?:[A-Z]\\d+(?:\\.\\d+[a-z]?)?|\\d(?:\\.\\d{1,2})?)';
  const list = new RegExp(
    `\\b(market-rules|contract)(?: sections?|,)? §?(${item}(?:(?:,| and| to) (?:section )?${item})*)(?![\\w%])`,
    'g',
  );
  for (const [, origin = '', items = ''] of text.matchAll(list)) {
    for (const [, first = '', last] of items.matchAll(/(?<![\w.])(\d(?:\.\d+)?)(?: to (\d(?:\.\d+)?))?/g)) {
      names.push(`${origin} ${first}`, ...(last ? members(`${origin} ${first}`, `${origin} ${last}`) : []));
    }
  }
  return names;
}

/** Parts that are cited by their heading: `interface §Full quote`, `reliability §4`, `architecture 2.6`. */
function headed(text: string): string[] {
  const parts = [...book].filter((name) => name.startsWith('interface §')).sort((a, b) => b.length - a.length);
  const found = Array.from(text.matchAll(/\binterface §[A-Za-z/ ]+/g), ([words]) => {
    return parts.find((part) => words === part || words.startsWith(`${part} `)) ?? words.trim();
  });
  return [
    ...found,
    ...Array.from(text.matchAll(/\breliability (?:[PFIG]\d+, )*(§\d+|"[^"]+")/g), ([, part]) => `reliability ${part}`),
    ...Array.from(text.matchAll(/\barchitecture (?:\d+(?:\.\d+)?|"[^"]+")/g), ([words]) => words),
  ];
}

function citationsIn(text: string): string[] {
  const line = inOneLine(text);
  return [...lettered(line), ...numbered(line), ...headed(line)];
}

function unknownIn(path: string, text: string): string[] {
  return citationsIn(text)
    .filter((name) => !book.has(name))
    .map((name) => `${path} cites ${name}`);
}

test('every citation in code and documents names a rule of docs/rules', () => {
  const paths = [...code, ...documents];
  assert.deepEqual(
    paths.flatMap((path) => unknownIn(path, read(path))),
    [],
  );
  const cited = code.flatMap((path) => citationsIn(read(path)));
  assert.ok(cited.length > 700, `${cited.length} citations in code`);
});

test('the search for citations finds each form of an unknown rule, and no fault with known ones', () => {
  const known =
    '/** Sells. Source: interface §Full quote, contract 3.12 to 3.14, W6, 3.20, market-rules R3.18 to\n' +
    ' * R3.23, R9.5a, 4.3. See reliability P5, F04, §4 and interface §What the service does 6; market-rules section 6. */';
  assert.deepEqual(unknownIn('known', known), []);
  const names = citationsIn(known);
  for (const name of ['contract 3.13', 'contract 3.20', 'R3.20', 'R9.5a', 'market-rules 4.3', 'market-rules 6', 'F04'])
    assert.ok(names.includes(name), name);
  const wrong: readonly (readonly [text: string, name: string])[] = [
    ['Source: market-rules R4.99.', 'R4.99'],
    ['(R1.56)', 'R1.56'],
    ['R1.54 to R1.57', 'R1.56'],
    ['contract W30', 'W30'],
    ['contract R18', 'R18'],
    ['contract 3.99', 'contract 3.99'],
    ['contract W11, 3.77', 'contract 3.77'],
    ['contract section 7', 'contract 7'],
    ['market-rules 6.9', 'market-rules 6.9'],
    ['interface §placeOrders.', 'interface §placeOrders'],
    ['reliability P13', 'P13'],
    ['reliability F04, F\n * 37, F37', 'F37'],
    ['reliability §9', 'reliability §9'],
    ['reliability "TOTP"', 'reliability "TOTP"'],
    ['architecture 7.7', 'architecture 7.7'],
  ];
  for (const [text, name] of wrong) assert.ok(unknownIn('wrong', text).includes(`wrong cites ${name}`), text);
});

test('no rule is defined twice, and the numbers of a chapter have no gap', () => {
  assert.deepEqual(
    defined.filter((name, index) => defined.indexOf(name) !== index),
    [],
  );
  const chapters: readonly (readonly [head: string, first: number, last: number])[] = [
    ['R0.', 1, 9],
    ['R1.', 1, 55],
    ['R2.', 1, 27],
    ['R3.', 1, 35],
    ['R4.', 1, 38],
    ['R5.', 1, 24],
    ['R6.', 1, 3],
    ['R7.', 1, 8],
    ['R8.', 1, 10],
    ['R9.', 1, 11],
    ['W', 1, 29],
    ['R', 1, 17],
    ['G', 1, 12],
    ['P', 1, 12],
    ['F', 1, 36],
    ['I', 1, 47],
    ['contract 3.', 1, 23],
  ];
  for (const [head, first, last] of chapters) {
    for (let at = first; at <= last; at += 1) {
      const name = `${head}${head === 'F' ? String(at).padStart(2, '0') : at}`;
      assert.ok(book.has(name), name);
    }
  }
});

test('every rule of the rule book says where it is from, in sources that are listed', () => {
  const listed = new Set(firstGroups(read(`${RULES}/sources.md`), /^\| (S\d+) \|/gm));
  const others = /^(?:house|practice|computed|inferred)\b/;
  for (const page of pages.filter((path) => /\/\d-/.test(path))) {
    for (const part of inOneLine(read(page).replaceAll('\n- **', '\n\n- **')).split('  - **')) {
      const [, name, text = ''] = /^(R[\d.a-z]+)\*\*(.*)$/.exec(part) ?? [];
      if (name === undefined) continue;
      const marks = firstGroups(text.replace(/`[^`]*`/g, ''), /\[([^\]]+)\](?!\()/g).flatMap((one) =>
        one.split(/[,;] /),
      );
      assert.ok(marks.length > 0, `${name} has no source`);
      for (const mark of marks)
        assert.ok(listed.has(/^S\d+/.exec(mark)?.[0] ?? '') || others.test(mark), `${name} names ${mark}`);
    }
  }
});

/** The rows of the list of uncited rules. */
function uncitedRows(): { readonly name: string; readonly standing: string; readonly reason: string }[] {
  return Array.from(read(`${RULES}/uncited.md`).matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm), (row) => {
    const [, name = '', standing = '', reason = ''] = row;
    return { name, standing: standing.trim(), reason: reason.trim() };
  });
}

test('the rules that nothing cites are those of docs/rules/uncited.md, each with its reason', () => {
  const cited = new Set([...code, ...TABLES_OF_PROOFS].flatMap((path) => citationsIn(read(path))));
  const rows = uncitedRows();
  const uncited = defined.filter((name) => !cited.has(name) && !GROUPS_OF_RULES.test(name));
  assert.deepEqual(rows.map(({ name }) => name).sort(), uncited.sort());
  const open = new Set(citationsIn(read('docs/open-points.md')));
  for (const { name, standing, reason } of rows) {
    assert.ok(STANDINGS.includes(standing), `${name}: ${standing}`);
    assert.ok(reason.length > 10, name);
    if (standing === 'not built') assert.ok(open.has(name), `${name} is in docs/open-points.md`);
    if (standing === 'built')
      assert.ok(existsSync(join(ROOT, /`([^`]+)`/.exec(reason)?.[1] ?? 'nowhere')), `${name}: ${reason}`);
  }
});

test('the index of the rules leads to every page, and links of the pages to files that are there', () => {
  const index = read(`${RULES}/README.md`);
  for (const page of pages) {
    const name = page.slice(RULES.length + 1);
    if (name !== 'README.md') assert.ok(index.includes(`](${name})`), name);
    for (const target of firstGroups(read(page), /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g))
      assert.ok(existsSync(join(ROOT, RULES, target)), `${page} links to ${target}`);
  }
});

/** Names of documents in a text that lead to no file of the repository. */
function strangersIn(text: string, there: ReadonlySet<string>): string[] {
  const named = text.matchAll(/\.\.\/shared(?![\w-])|(?<![\w/-])(?:[\w.-]+\/)*([\w-]+\.md)\b/g);
  return Array.from(named, ([words, name = '']) => (there.has(name) ? '' : words)).filter((words) => words !== '');
}

test('every document that code or a document names is in the repository', () => {
  const roots = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const folders = ['src', 'test', 'data'].flatMap((folder) => filesIn(folder, '.md'));
  const there = new Set([...roots, ...documents, ...folders].map((path) => basename(path)));
  const strangers = [...code, ...documents, ...roots].flatMap((path) =>
    strangersIn(read(path), there).map((words) => `${path} names ${words}`),
  );
  assert.deepEqual(strangers, []);
  assert.deepEqual(strangersIn('See docs/rules/wire.md, docs/nowhere.md and ../shared/rules.', there), [
    'docs/nowhere.md',
    '../shared',
  ]);
});
