import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { CONFIG_ENV, CONFIG_FLAG, SETTING_NAMES, SETTINGS } from '../../src/config.ts';
import { ORDER_CHECKS } from '../../src/core/broker/orders/admission.ts';
import { addMcpCommand } from '../../src/mcp/mcp-command.ts';
import type { McpParts } from '../../src/mcp/run-server.ts';
import { type CommandLineParts, commandLine } from '../../src/operator/cli/cli.ts';
import { localSauda } from '../../src/operator/cli/folder/local-sauda.ts';
import { firstTrade } from '../../src/operator/cli/reports/start-report.ts';
import { wallClock } from '../../src/os/wall-clock.ts';
import { addTraderCommands } from '../../src/trader/trader-commands.ts';
import type { TraderParts } from '../../src/trader/trader-parts.ts';

const ROOT = join(import.meta.dirname, '..', '..');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The names that the members of a union carry: `readonly type: 'PlaceOrder'`. */
function tagsOf(path: string, tag: string): string[] {
  return Array.from(read(path).matchAll(new RegExp(`readonly ${tag}: '(\\w+)'`, 'g')), ([, name = '']) => name);
}

/** The rows of a table whose first cell is a name in backticks. */
function rowsUnder(path: string, heading: string): string[] {
  const section =
    read(path)
      .split(/^## /m)
      .find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return Array.from(section.matchAll(/^\| `([^`]+)` \|/gm), ([, name = '']) => name);
}

test('every setting is documented with its flag, its variable and its default, and no other is', () => {
  const text = read('docs/operating/run.md');
  assert.deepEqual(rowsUnder('docs/operating/run.md', 'Settings').sort(), [...SETTING_NAMES].sort());
  for (const name of SETTING_NAMES) {
    const { flag, env, fallback } = SETTINGS[name];
    assert.ok(
      text.includes(`| \`${name}\` | \`${flag}\` | \`${env}\` | ${fallback || 'none'} |`),
      `${name} in docs/operating/run.md`,
    );
  }
  assert.ok(text.includes(CONFIG_FLAG) && text.includes(CONFIG_ENV));
});

/** Where events are declared; those of the first file are the union. */
const COMMAND_FILES = [
  'src/core/command.ts',
  'src/core/broker/gtt/gtt-commands.ts',
  'src/core/lists/list-commands.ts',
  'src/core/scenarios/rules/scenario-commands.ts',
];
const EVENT_FILES = [
  'src/core/event.ts',
  'src/core/portions/portion-events.ts',
  'src/core/broker/orders/after-market-events.ts',
  'src/core/broker/gtt/gtt-events.ts',
  'src/core/broker/corporate-actions/corporate-action-events.ts',
  'src/core/charges/charge-events.ts',
  'src/core/broker/account/risk-group-terms.ts',
  'src/core/switches/switch-events.ts',
  'src/core/clock/clock-line.ts',
  'src/core/scenarios/rules/scenario-rule.ts',
  'src/core/branch/branch-point.ts',
  'src/core/access/access-events.ts',
  'src/core/lists/list-events.ts',
  'src/core/exchange/guards/circuit-breaker.ts',
  'src/core/broker/settlement/settlement-events.ts',
];

test('every command, event and refusal is in the glossary, and no other is', () => {
  const unions: [heading: string, path: string, tag: string][] = [
    ['Commands', COMMAND_FILES.join(), 'type'],
    ['Events', EVENT_FILES.join(), 'type'],
    ['Refusals', 'src/core/refusals/refusal.ts', 'rule'],
  ];
  for (const [heading, path, tag] of unions) {
    const names = path.split(',').flatMap((file) => tagsOf(file, tag));
    assert.ok(names.length > 10, path);
    assert.deepEqual(rowsUnder('docs/glossary.md', heading).sort(), names.sort(), heading);
  }
});

test('no word stands twice in the glossary', () => {
  const words = Array.from(read('docs/glossary.md').matchAll(/^\| ([^|]+) \|/gm), ([, word = '']) => word.trim());
  const headings = ['word', 'command', 'event', 'rule', '---'];
  const seen = words.filter((word) => !headings.includes(word));
  assert.deepEqual(
    seen.filter((word, index) => seen.indexOf(word) !== index),
    [],
  );
});

const OF_EVERY_COMMAND = [CONFIG_FLAG, SETTINGS.data.flag, SETTINGS.operatorPort.flag];

/**
 * The options of a command that its row must name: all but the settings that `start` takes, and those that others take.
 */
function ownOptions(command: Command): string[] {
  const settings = SETTING_NAMES.map((name) => SETTINGS[name].flag);
  const others = command.name() === 'start' ? [...OF_EVERY_COMMAND, ...settings] : OF_EVERY_COMMAND;
  return command.options.map(({ long }) => long ?? '').filter((long) => !others.includes(long));
}

/** The commands that do something. */
function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** A documented command: its words, and the options that its row names. */
interface CommandRow {
  readonly words: readonly string[];
  readonly options: readonly string[];
}

/** The flags that `docs/guides/command-line.md` calls those of an order. */
const OF_AN_ORDER = '--limit --product --lots --remarks';

/** The rows of the table of traders: `` | `sauda quote <instrument...>` | a quote | `--json` | ``. */
function traderRows(): CommandRow[] {
  const rows = read('docs/guides/command-line.md').matchAll(/^\| `sauda ([^`]+)` \|(.+)$/gm);
  return Array.from(rows, ([, words = '', cells = '']) => commandRow(words, cells.replace("the order's", OF_AN_ORDER)));
}

function commandRow(words: string, flags: string): CommandRow {
  return {
    words: /^[a-z][a-z-]*(?: [a-z][a-z-]*)*/.exec(words)?.[0].split(' ') ?? [],
    options: [...new Set(Array.from(flags.matchAll(/--[a-z-]+/g), ([option]) => option))],
  };
}

/** The words and the options of each command in the lists of commands: `` - `sauda ban list [--json]` prints ... ``. */
function operatorRows(): CommandRow[] {
  const text = read('docs/operating/control.md').replace(/\n {2}/g, ' ');
  const rows = text.matchAll(/^- `sauda ([^`]+)`(?:, or `(--[a-z]+)`:)?/gm);
  return Array.from(rows, ([, words = '', other = '']) => commandRow(words, `${words} ${other}`));
}

test('every command of the command line is documented with its options, and no other is', () => {
  const addOthers = (program: Command): void => {
    addTraderCommands(program, { local: localSauda({ env: {}, now: wallClock }) } as TraderParts);
    addMcpCommand(program, {} as McpParts);
  };
  const program = commandLine({ version: '', env: {}, addOthers } as unknown as CommandLineParts);
  const documented = new Set<Command>();
  for (const { words, options } of [...operatorRows(), ...traderRows()]) {
    let command = program;
    for (const word of words) {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      assert.ok(next, `there is no sauda ${words.join(' ')}`);
      command = next;
    }
    assert.deepEqual(options.toSorted(), ownOptions(command).sort(), words.join(' '));
    documented.add(command);
  }
  const leaves = leavesOf(program);
  for (const leaf of leaves) assert.match(leaf.helpInformation(), /^Usage: /, 'its help can be written');
  assert.ok(leaves.length >= 60, `${leaves.length} commands`);
  for (const leaf of leaves) assert.ok(documented.has(leaf), `${leaf.parent?.name()} ${leaf.name()}`);
});

test('every exit code is documented', () => {
  const text = read('docs/operating/run.md');
  const sources = ['src/os/command-failed.ts', 'src/app/exit-codes.ts', 'bin/sauda.mjs'].map(read).join('\n');
  const codes = new Set(Array.from(sources.matchAll(/\bEXIT_\w+ = (\d+)/g), ([, code = '']) => code));
  const rows = Array.from(text.matchAll(/^\| (\d+) \|/gm), ([, code = '']) => code);
  assert.deepEqual([...codes].sort(), rows.sort());
});

test('every decision that the architecture rests on has a record', () => {
  const decisions = ['docs/adr', 'docs/adr/time', 'docs/adr/superseded'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => ({ folder, name })),
  );
  const topics = [
    'one-deterministic-core',
    'prices-are-not-journaled',
    'market-effects-are-events',
    'group-is-the-unit-of-commit',
    'sqlite-as-the-journal',
    'broker-and-exchange-are-two-parts',
    'synthetic-market-as-a-function',
    'integers-for-money',
    'pinned-node-from-packages',
    'sessions-are-journaled',
    'reads-are-released-when-durable',
  ];
  for (const topic of topics)
    assert.ok(
      decisions.some(({ name }) => name.endsWith(`-${topic}.md`)),
      topic,
    );
  for (const { folder, name } of decisions) {
    const text = read(`${folder}/${name}`);
    assert.equal(text.includes('Status: superseded'), folder.endsWith('superseded'), name);
    assert.match(name, /^\d{4}-[a-z-]+\.md$/);
    for (const part of ['Status:', '## Context', '## Decision', '## Consequences'])
      assert.ok(text.includes(part), `${name}: ${part}`);
  }
});

test('the twelve promises are written down', () => {
  const text = read('docs/reliability.md');
  for (let promise = 1; promise <= 12; promise += 1)
    assert.match(text, new RegExp(`^- \\*\\*P${promise} `, 'm'), `P${promise}`);
});

test('the README shows the first trade that a start prints and that the tests run', () => {
  const readme = read('README.md');
  assert.ok(readme.includes(firstTrade('http://127.0.0.1:8080', resolve('.sauda')).join('\n')), 'the first trade');
  assert.ok(readme.includes('npm ci && npm start') && readme.includes('npm ci && npm test'));
});

/** The documents that a user or a newcomer reads, all Markdown of the repository but that of `data`. */
function allDocuments(): string[] {
  const folders = ['docs', 'src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return [...readdirSync(ROOT), ...folders].filter((name) => name.endsWith('.md')).sort();
}

/** The name by which a link leads to a heading: letters and digits in small, a hyphen for each blank. */
function anchorsIn(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('links between documents lead to files and headings that are there', () => {
  for (const document of allDocuments()) {
    for (const [, target = '', anchor] of read(document).matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]*))?\)/g)) {
      const path = target === '' ? document : join(document, '..', target);
      assert.ok(existsSync(join(ROOT, path)), `${document} links to ${target}`);
      if (anchor !== undefined) assert.ok(anchorsIn(read(path)).includes(anchor), `${document}: ${target}#${anchor}`);
    }
  }
});

/** The lines of a text with their numbers, without blocks of code and lists that a program writes. */
function proseOf(text: string): { readonly line: string; readonly number: number }[] {
  const withoutCode = text
    .replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/^<!-- survivors[\s\S]*?^<!-- end/gm, (list) => list.replace(/[^\n]/g, ''));
  return withoutCode.split('\n').map((line, index) => ({ line, number: index + 1 }));
}

test('lines of documents are at most 120 columns wide, rows of tables 160, their cells under 100 characters', () => {
  for (const document of allDocuments()) {
    for (const { line, number } of proseOf(read(document))) {
      const isRow = line.trimStart().startsWith('|');
      assert.ok(line.length <= (isRow ? 160 : 120), `${document}:${number} is ${line.length} wide`);
      for (const cell of isRow ? line.split(/(?<!\\)\|/) : [])
        assert.ok(cell.trim().length < 100, `${document}:${number}: ${cell}`);
    }
  }
});

test('the changelog has a section for the version of the package, and lists changes under three headings', () => {
  const [, ...versions] = read('CHANGELOG.md').split(/^## /m);
  const { version } = JSON.parse(read('package.json')) as { readonly version: string };
  assert.deepEqual(
    versions.slice(0, 2).map((section) => section.split('\n')[0]),
    ['Unreleased', version],
  );
  for (const section of versions) {
    const headings = Array.from(section.matchAll(/^### (.+)$/gm), ([, heading = '']) => heading);
    assert.deepEqual(headings, ['Added', 'Changed', 'Fixed'], String(section.split('\n')[0]));
  }
});

/** Turns of phrase that a reader must decode. A question and a heading may begin with "What" and "Who". */
const PHRASES: readonly RegExp[] = [
  /(?:^|[.:;!?)*|`] |\n(?: *[-*] | *\d+\. )?|\| )(?:What|Who)\b[^.?!|\n]*(?:[.!|\n]|$)/g,
  /\banew\b/gi,
  /\bso many\b/gi,
  /\banother than\b/gi,
  /(?<!\bthere )\bis no (?!longer\b)/gi,
];

function phrasesIn(text: string): string[] {
  const lines = proseOf(text).map(({ line }) => line);
  const prose = lines.filter((line) => !line.startsWith('#')).join('\n');
  const sentences = prose.replace(/`[^`]*`/g, '``').replace(/\n(?!\n| *[-*] | *\||\s*\d+\. )\s*/g, ' ');
  return PHRASES.flatMap((phrase) => sentences.match(phrase) ?? []);
}

test('documents are in plain English: the subject comes first', () => {
  const decoded =
    '## What is there\n\nIt is no one. Who asks, waits. It is made\nanew.\n\n- What counts is that so many come.';
  assert.equal(phrasesIn(decoded).length, 5);
  assert.deepEqual(phrasesIn('## What is there\n\nWho asks? It is no longer there. He knows what it is.\n'), []);
  for (const document of allDocuments()) {
    // The names of checks are those that `sauda why` prints.
    const text = ORDER_CHECKS.reduce((rest, { name }) => rest.replace(name, ''), read(document));
    assert.deepEqual(phrasesIn(text), [], document);
  }
});

test('the files and folders that a README of src names are there', () => {
  const readmes = allDocuments().filter((path) => path.startsWith('src/'));
  assert.ok(readmes.length >= 7, `${readmes.length} in src`);
  for (const readme of readmes) {
    const text = read(readme);
    for (const [, path = ''] of text.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)) {
      const places = [
        join(readme, '..'),
        ...readdirSync(join(ROOT, readme, '..')).map((name) => join(readme, '..', name)),
        '.',
      ];
      assert.ok(
        places.some((place) => existsSync(join(ROOT, place, path))),
        `${readme} names ${path}`,
      );
    }
  }
});

test('the map of src names each of its folders, and the README each folder of the project', () => {
  const foldersOf = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
      .map(({ name }) => name);
  const [project, source] = [read('README.md'), read('src/README.md')];
  for (const name of foldersOf('src')) assert.match(source, new RegExp(`^\\| (?:\\[${name}\\]|\`${name}/\`)`, 'm'));
  for (const name of foldersOf('.')) assert.ok(project.includes(`\`${name}/\``) || project.includes(`(${name}/`), name);
});

test("every request of the operator's port is documented, and no other is", () => {
  const folder = join(ROOT, 'src/operator/http');
  const code = readdirSync(folder)
    .filter((name) => /(?:-routes|-server)\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const collateral = Array.from(code.matchAll(/\['(\w+)', '(?:Pledge|Release)Shares'\]/g), ([, path = '']) => path);
  const served = Array.from(code.matchAll(/\bserver\.(get|post)\(\s*['`]([^'`]+)/g), ([, method = '', path = '']) => {
    const request = `${method.toUpperCase()} ${path.replace(':userId', '<userId>')}`;
    const last = /\$\{path\}$/;
    return last.test(request) ? collateral.map((path) => request.replace(last, path)) : [request];
  }).flat();
  const section =
    read('docs/operating/control.md')
      .split(/^## /m)
      .find((part) => part.startsWith("The operator's port\n")) ?? '';
  const documented = Array.from(section.matchAll(/`((?:GET|POST) [^`\s[]+)/g), ([, request = '']) => request);
  assert.deepEqual(documented.sort(), served.sort());
});

test('every variable of the tests is documented, and no other is', () => {
  const variables = new Set<string>();
  for (const path of testSources()) {
    for (const [, name = ''] of read(path).matchAll(/\bprocess\.env\.(SAUDA_\w+)/g)) variables.add(name);
  }
  const section = read('docs/testing.md').split('## Longer runs and other seeds')[1]?.split('\n## ')[0] ?? '';
  const rows = Array.from(section.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = '']) => cell).join();
  const documented = Array.from(rows.matchAll(/`(\w+)`/g), ([, name = '']) => name);
  assert.deepEqual(documented.sort(), [...variables].sort());
});

function testSources(): string[] {
  return ['test', 'sim'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
}

test('every event that moves money has its row among the postings', () => {
  const table = /const POSTINGS[^{]*\{([\s\S]*?)\n\};/.exec(read('src/core/ledger/postings.ts'))?.[1] ?? '';
  const moving = Array.from(table.matchAll(/^ {2}(\w+): (?!movesNoMoney)/gm), ([, name = '']) => name);
  assert.ok(moving.length > 10, `${moving.length} events`);
  const section = read('docs/ledger.md').split('\n## Postings')[1]?.split('\n## ')[0] ?? '';
  const rows = Array.from(section.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = '']) => cell).join();
  const documented = Array.from(rows.matchAll(/`(\w+)`/g), ([, name = '']) => name);
  assert.deepEqual(documented.sort(), moving.sort());
});
