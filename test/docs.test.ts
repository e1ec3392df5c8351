import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { CONFIG_ENV, CONFIG_FLAG, SETTING_NAMES, SETTINGS } from '../src/config.ts';
import { type CommandLineParts, commandLine } from '../src/operator/cli.ts';
import { firstTrade } from '../src/operator/start-report.ts';

const ROOT = join(import.meta.dirname, '..');

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
  const text = read('docs/operating.md');
  assert.deepEqual(rowsUnder('docs/operating.md', 'Settings').sort(), [...SETTING_NAMES].sort());
  for (const name of SETTING_NAMES) {
    const { flag, env, fallback } = SETTINGS[name];
    assert.ok(
      text.includes(`| \`${name}\` | \`${flag}\` | \`${env}\` | ${fallback || 'none'} |`),
      `${name} in docs/operating.md`,
    );
  }
  assert.ok(text.includes(CONFIG_FLAG) && text.includes(CONFIG_ENV));
});

/** Where events are declared; those of the first file are the union. */
const EVENT_FILES = [
  'src/core/event.ts',
  'src/core/broker/after-market-events.ts',
  'src/core/broker/corporate-action-events.ts',
  'src/core/charges/charge-events.ts',
  'src/core/broker/risk-group-terms.ts',
  'src/core/switches/switch-events.ts',
  'src/core/access/access-events.ts',
  'src/core/exchange/guards/circuit-breaker.ts',
];

test('every command, event and refusal is in the glossary, and no other is', () => {
  const unions: [heading: string, path: string, tag: string][] = [
    ['Commands', 'src/core/command.ts', 'type'],
    ['Events', EVENT_FILES.join(), 'type'],
    ['Refusals', 'src/core/refusal.ts', 'rule'],
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

/** The commands of the table: the words of each, and its options. */
function commandRows(): { readonly words: readonly string[]; readonly options: string[] }[] {
  const rows = read('docs/operating.md').matchAll(/^\| `sauda ((?:[^|\\]|\\.)+?) \|/gm);
  return Array.from(rows, ([, cell = '']) => ({
    words: /^[a-z][a-z-]*(?: [a-z][a-z-]*)*/.exec(cell.replace(/`.*/, ''))?.[0].split(' ') ?? [],
    options: [...new Set(Array.from(cell.matchAll(/--[a-z-]+/g), ([option]) => option))],
  }));
}

test('every command of the command line is documented with its options, and no other is', () => {
  const program = commandLine({ version: '', env: {} } as CommandLineParts);
  const documented = new Set<Command>();
  for (const { words, options } of commandRows()) {
    let command = program;
    for (const word of words) {
      const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
      assert.ok(next, `there is no sauda ${words.join(' ')}`);
      command = next;
    }
    assert.deepEqual(options.sort(), ownOptions(command).sort(), words.join(' '));
    documented.add(command);
  }
  const leaves = leavesOf(program);
  assert.ok(leaves.length >= 40, `${leaves.length} commands`);
  for (const leaf of leaves) assert.ok(documented.has(leaf), `${leaf.parent?.name()} ${leaf.name()}`);
});

test('every exit code is documented', () => {
  const text = read('docs/operating.md');
  const sources = ['src/operator/cli.ts', 'src/app/exit-codes.ts', 'bin/sauda.mjs'].map(read).join('\n');
  const codes = new Set(Array.from(sources.matchAll(/\bEXIT_\w+ = (\d+)/g), ([, code = '']) => code));
  const rows = Array.from(text.matchAll(/^\| (\d+) \|/gm), ([, code = '']) => code);
  assert.deepEqual([...codes].sort(), rows.sort());
});

test('every decision that the architecture rests on has a record', () => {
  const decisions = readdirSync(join(ROOT, 'docs/adr')).filter((name) => name.endsWith('.md'));
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
      decisions.some((name) => name.endsWith(`-${topic}.md`)),
      topic,
    );
  for (const name of decisions) {
    const text = read(`docs/adr/${name}`);
    assert.match(name, /^\d{4}-[a-z-]+\.md$/);
    for (const part of ['Status:', '## Context', '## Decision', '## Consequences'])
      assert.ok(text.includes(part), `${name}: ${part}`);
  }
});

test('the twelve promises are written down', () => {
  const text = read('docs/reliability.md');
  for (let promise = 1; promise <= 12; promise += 1)
    assert.match(text, new RegExp(`^\\| P${promise} `, 'm'), `P${promise}`);
});

test('the README shows the first trade that a start prints and that the tests run', () => {
  const readme = read('README.md');
  assert.ok(readme.includes(firstTrade('http://127.0.0.1:8080', resolve('.sauda')).join('\n')), 'the first trade');
  assert.ok(readme.includes('npm ci && npm start'));
});

test('links between documents lead to files that are there', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  for (const document of documents) {
    for (const [, target = ''] of read(document).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)) {
      assert.ok(existsSync(join(ROOT, document, '..', target)), `${document} links to ${target}`);
    }
  }
});

test('the map in the README names every folder of src', () => {
  const readme = read('README.md');
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) assert.ok(readme.includes(`\`src/${name}/\``), name);
});

test("every request of the operator's port is documented, and no other is", () => {
  const folder = join(ROOT, 'src/operator');
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
    read('docs/operating.md')
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
