import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { circlesOf, longFunctions } from './measures.ts';

/** The house rules of docs/architecture.md section 5 and shared style, as a program. */

const ROOT = join(import.meta.dirname, '..', '..');
const MAX_FILE_LINES = 500;

/** Whom a folder of `src` may import: other folders, and outside modules by prefix. */
const TABLE: Readonly<Record<string, { readonly folders: readonly string[]; readonly outside: RegExp }>> = {
  base: { folders: [], outside: /^$/ },
  core: { folders: ['base'], outside: /^$/ },
  views: { folders: ['base', 'core'], outside: /^$/ },
  reference: { folders: ['base', 'core'], outside: /^(node:|csv-parse|saxes$)/ },
  market: { folders: ['base', 'core', 'reference'], outside: /^node:path$/ },
  os: { folders: ['base'], outside: /^node:/ },
  'client-variables': { folders: [], outside: /^$/ },
  config: { folders: ['base', 'client-variables', 'setting-kinds'], outside: /^node:path$/ },
  'setting-kinds': { folders: ['base'], outside: /^node:path$/ },
  journal: { folders: ['base', 'core', 'os'], outside: /^node:/ },
  audit: { folders: ['base', 'core', 'journal', 'engine', 'os'], outside: /^node:/ },
  engine: { folders: ['base', 'core', 'journal', 'views', 'os'], outside: /^node:/ },
  cluster: { folders: ['base', 'core', 'journal', 'engine', 'os'], outside: /^(node:|@nats-io\/|typebox)/ },
  folder: { folders: ['base', 'core', 'market', 'config', 'os'], outside: /^node:/ },
  tapes: {
    folders: ['base', 'core', 'market', 'reference'],
    outside: /^(node:|yauzl$|hyparquet$|hyparquet-compressors$)/,
  },
  page: { folders: [], outside: /^(node:|vite$)/ },
  gateway: {
    folders: ['base', 'core', 'views', 'engine', 'audit', 'os', 'page'],
    outside: /^(node:|fastify$|@fastify\/swagger$|typebox|otplib$|ws$)/,
  },
  operator: {
    folders: ['base', 'core', 'views', 'engine', 'audit', 'config', 'folder', 'os', 'page'],
    outside: /^(node:|fastify$|typebox|otplib$|commander$|@platformatic\/prom-client$)/,
  },
  app: {
    folders: [
      'base',
      'core',
      'views',
      'reference',
      'market',
      'journal',
      'engine',
      'audit',
      'cluster',
      'gateway',
      'operator',
      'config',
      'folder',
      'os',
      'page',
      'tapes',
    ],
    outside: /^node:/,
  },
  trader: { folders: ['base', 'client', 'os'], outside: /^(node:|commander$)/ },
  mcp: {
    folders: ['base', 'client-variables', 'gateway', 'client'],
    outside: /^(node:|typebox$|commander$|@modelcontextprotocol\/)/,
  },
  main: { folders: ['app', 'mcp', 'operator', 'os', 'trader'], outside: /^(node:fs|commander)$/ },
};

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
  /** The names that are imported. */
  readonly names: readonly string[];
}

interface Source {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text without comments and without the content of strings. */
  readonly code: string;
  readonly imports: readonly Import[];
}

function committed(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)));
}

/** Blanks comments, and strings too when `strings` is set; keeps every line break. */
function blank(text: string, strings: boolean): string {
  const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(token, (found) => {
    if (!strings && !found.startsWith('/')) return found;
    return found.replace(/[^\n]/g, ' ');
  });
}

function importsOf(code: string): Import[] {
  const statements = code.matchAll(/^(?:import|export)\s+(type\s+)?([^;'"]*?\bfrom\s+)?'([^']+)'/gm);
  const found = Array.from(statements, ([, type, names = '', target = '']) => {
    const inner = /\{([^}]*)\}/.exec(names)?.[1];
    const words = inner?.split(',').map((name) => name.trim()) ?? [];
    const taken = words.filter((name) => name !== '');
    const onlyTypes = inner !== undefined && taken.every((name) => name.startsWith('type '));
    const bare = taken.map((name) => name.replace(/^type /, '').replace(/ as .*/, ''));
    return { target, typeOnly: type !== undefined || onlyTypes, names: bare };
  });
  const late = /(?:\{([^{}]*)\} = await )?\b(?:import|new URL)\(\s*'([^']+\.tsx?)'/g;
  const dynamic = Array.from(code.matchAll(late), ([, names = '', target = '']) => {
    return { target, typeOnly: false, names: names.split(',').map((name) => name.trim()) };
  });
  return [...found, ...dynamic];
}

const sources: Source[] = committed('src/*.ts', 'src/**/*.ts').map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, code: blank(text, true), imports: importsOf(blank(text, false)) };
});
const production = sources.filter(({ path }) => !path.endsWith('.test.ts'));
const everyTs = committed('*.ts', '*.tsx').map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
/** The code of users: the service, its page and its client. */
const shipped = everyTs.filter(
  ({ path }) => /^(?:src|web\/src|client\/src)\//.test(path) && !path.endsWith('.test.ts'),
);

function areaOf(path: string): string {
  const [, first = ''] = path.split('/');
  return first.replace(/\.ts$/, '');
}

function resolveImport(from: string, target: string): string | undefined {
  return target.startsWith('.') ? normalize(join(dirname(from), target)).replaceAll('\\', '/') : undefined;
}

function linesMatching(from: readonly { path: string; code: string }[], pattern: RegExp): string[] {
  return from.flatMap(({ path, code }) =>
    code.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

test('there is source to check', () => {
  assert.ok(production.length > 50, `${production.length} files`);
});

test('every folder imports only whom the table lets it', () => {
  const wrong: string[] = [];
  for (const { path, imports } of production) {
    const area = areaOf(path);
    const rule = TABLE[area];
    assert.ok(rule, `${path} is in no folder of the table`);
    for (const { target } of imports) {
      const file = resolveImport(path, target);
      const allowed =
        file === undefined ? rule.outside.test(target) : isAllowed(area, areaOf(file), rule.folders, file);
      if (!allowed) wrong.push(`${path} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the table of the architecture names the folders and the modules of Node that the table here lets import', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split('## 5. ')[1] ?? '';
  const documented = documentedImports(text);
  const outsiders = ['client', 'sim', 'bench', 'test'];
  assert.deepEqual([...documented.keys()].toSorted(), [...Object.keys(TABLE), ...outsiders].toSorted());
  for (const [name, { folders, outside }] of Object.entries(TABLE)) {
    const modules = outside.test('node:net') ? ['node:'] : ['node:fs', 'node:path'].filter((one) => outside.test(one));
    assert.deepEqual(documented.get(name), [...folders, ...modules].toSorted(), name);
  }
});

/** The folders and the modules of Node that each row of the documented table lets a folder import, in order. */
function documentedImports(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [, names = '', may = ''] of text.matchAll(/^\| (`[^|]+) \| ([^|]+) \|/gm)) {
    const as = /^as `([\w-]+)`/.exec(may)?.[1];
    const named = [...quotedIn(may), ...(found.get(as ?? '') ?? [])].filter((name) => name !== as && isImport(name));
    for (const name of quotedIn(names)) {
      const others = Object.keys(TABLE).filter((other) => other !== name && !named.includes(other));
      const modules = named.filter((one) => one.startsWith('node:'));
      found.set(name, may.startsWith('all but ') ? [...others, ...modules].toSorted() : named.toSorted());
    }
  }
  return found;
}

function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
}

function isImport(name: string): boolean {
  return name in TABLE || name === 'client' || name.startsWith('node:');
}

function isAllowed(from: string, to: string, folders: readonly string[], file: string): boolean {
  if (isClient(file)) return folders.includes('client');
  return from === to || (file.startsWith('src/') && folders.includes(to));
}

/** A file of the client library, which is a package of its own. */
function isClient(file: string): boolean {
  return file.startsWith('client/src/');
}

test('folders that may know only the types of another import only types', () => {
  const typesOnly: [folder: string, of: RegExp][] = [
    ['reference', /^src\/core\//],
    ['market', /^src\/core\//],
    ['folder', /^src\/market\//],
    ['tapes', /^src\/(core|market)\//],
    ['gateway', /^src\/engine\/(?!port\.ts$)/],
    ['operator', /^src\/engine\/(?!port\.ts$)/],
    ['audit', /^src\/engine\//],
    ['gateway', /^src\/audit\//],
    ['operator', /^src\/audit\//],
    ['mcp', /^src\/gateway\/(?!(openapi|operations)\.ts$)/],
  ];
  const shared =
    /^src\/core\/(order|instrument|market|command|event|refusals\/refusal|reply|margin\/rates\/span-file|exchange\/phase|exchange\/guards\/share-band)\.ts$/;
  const wrong = production.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, typeOnly }) => {
      const file = resolveImport(path, target);
      if (file === undefined || typeOnly || shared.test(file)) return [];
      const rule = typesOnly.find(([folder, of]) => areaOf(path) === folder && of.test(file));
      return rule ? [`${path} imports more than types of ${file}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('nobody but the core, the engine and the roots decides or applies', () => {
  const writers = /^src\/core\/(decide|apply|step)\.ts$/;
  const wrong = production.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, typeOnly }) => {
      const file = resolveImport(path, target) ?? '';
      const area = areaOf(path);
      if (typeOnly || !writers.test(file) || ['core', 'engine', 'app'].includes(area)) return [];
      const recovery = area === 'journal' && file.endsWith('apply.ts');
      return recovery ? [] : [`${path} imports ${file}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('inside the core the exchange knows neither broker nor margin, and margin neither of them', () => {
  const wrong: string[] = [];
  const parts = ['exchange', 'broker', 'margin'];
  const forbidden: Readonly<Record<string, readonly string[]>> = {
    exchange: ['broker', 'margin'],
    margin: ['broker', 'exchange'],
  };
  for (const { path, imports } of production) {
    const [, area, part = ''] = path.split('/');
    if (area !== 'core' || !parts.includes(part)) continue;
    for (const { target, typeOnly } of imports) {
      const other = resolveImport(path, target)?.split('/')[2] ?? '';
      if (!typeOnly && forbidden[part]?.includes(other)) wrong.push(`${path} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('inside the market the rules of sessions and the worth of contracts know no source of it', () => {
  const forbidden: Readonly<Record<string, RegExp>> = {
    session: /^src\/market\/(synthetic|recorded)\//,
    options: /^src\/market\/(synthetic|recorded|session)\//,
  };
  const wrong: string[] = [];
  for (const { path, imports } of production) {
    const [, area, part = ''] = path.split('/');
    if (area !== 'market') continue;
    for (const { target } of imports) {
      const file = resolveImport(path, target) ?? '';
      if (forbidden[part]?.test(file)) wrong.push(`${path} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no imports go round in a circle, imports of types among them', () => {
  const graph = new Map(
    production.map(({ path, imports }) => {
      const targets = imports.map(({ target }) => resolveImport(path, target));
      return [path, targets.filter((target) => target !== undefined)];
    }),
  );
  assert.deepEqual(circlesOf(graph), []);
});

test('the composition root is imported by nobody, and nothing in src imports what is outside of it but the client', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => {
      const file = resolveImport(path, target);
      if (file === undefined) return [];
      const outside = !file.startsWith('src/') && !isClient(file) && !path.endsWith('.test.ts');
      return file === 'src/main.ts' || outside ? [`${path} imports ${target}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('there is no barrel: no file only passes on what others export', () => {
  const barrels = production.filter(({ path, code, text }) => {
    const passesOn = /^export\s+(\*|\{[^}]*\})\s*from\b/m.test(blank(text, false));
    return (
      basename(path) === 'index.ts' || (passesOn && !/^(export )?(const|function|class|interface|type)\b/m.test(code))
    );
  });
  assert.deepEqual(
    barrels.map(({ path }) => path),
    [],
  );
});

/** Stands in for `node:test`, so files import it under that name. */
const TEST_REGISTRY = 'test/mutation/test-registry.ts';

test('each export of a file is imported by another one, if only by a test', () => {
  const imported = new Set<string>();
  for (const { path, text } of everyTs) {
    for (const { target, names } of importsOf(blank(text, false))) {
      const file = resolveImport(path, target);
      for (const name of names) imported.add(`${file} ${name}`);
    }
  }
  const written = everyTs.filter(({ path }) => path !== TEST_REGISTRY && !path.includes('/generated/'));
  const wrong = written.flatMap(({ path, text }) => {
    const exported = blank(text, true).matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm);
    return Array.from(exported, ([, name = '']) => `${path} ${name}`).filter((name) => !imported.has(name));
  });
  assert.deepEqual(wrong, []);
});

test('a fixture, which serves tests alone, is imported by tests alone', () => {
  const wrong = production.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => {
      return isFixture(target) && !isFixture(path) ? [`${path} imports ${target}`] : [];
    }),
  );
  assert.ok(production.some(({ path }) => isFixture(path)));
  assert.deepEqual(wrong, []);
});

function isFixture(path: string): boolean {
  return /[-/]fixture\.ts$/.test(path);
}

test('relative imports name a .ts file that exists', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => {
      const file = resolveImport(path, target);
      if (file === undefined) return [];
      const good = /\.(ts|json)$/.test(file) && existsSync(join(ROOT, file));
      return good ? [] : [`${path} imports ${target}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('base and core do no I/O and read no clock and no chance', () => {
  const pure = production.filter(({ path }) => ['base', 'core'].includes(areaOf(path)));
  const banned =
    /\basync\b|\bawait\b|\bDate\b|\bMath\.random\b|\bIntl\b|\bTemporal\b|\bconsole\b|\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\bqueueMicrotask\b|\bprocess\.|\bperformance\.|\bPromise\b|\btoLocale/;
  assert.deepEqual(linesMatching(pure, banned), []);
  const market = production.filter(({ path }) => ['market', 'reference'].includes(areaOf(path)));
  assert.deepEqual(linesMatching(market, /\bMath\.random\b|\bDate\.now\b|\bnew Date\(\)/), []);
});

/** The production files that import one of the project, by their paths. */
function importersOf(file: string, name?: string): string[] {
  const importers = production.filter(({ path, imports }) => {
    return imports.some(
      ({ target, names }) => resolveImport(path, target) === file && (name === undefined || names.includes(name)),
    );
  });
  return importers.map(({ path }) => path);
}

test('the wall clock is read in one place, which few may ask', () => {
  const reading = linesMatching(production, /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\btimeOrigin\b/);
  assert.deepEqual(
    reading.map((line) => line.replace(/:\d+$/, '')),
    ['src/os/wall-clock.ts'],
  );
  const parts = importersOf('src/os/wall-clock.ts').filter((path) => !['app', 'main'].includes(areaOf(path)));
  assert.deepEqual(
    parts,
    ['src/audit/trail-worker.ts', 'src/gateway/http/respond.ts'],
    'the root hands it to all others',
  );
});

test('the clock of the market is asked by the engine alone, which gives its time to all others', () => {
  const outside = production.filter(({ path }) => areaOf(path) !== 'engine');
  const askers = importersOf('src/engine/time/market-clock.ts').filter((path) => areaOf(path) !== 'engine');
  assert.deepEqual(askers, [], 'the engine makes the clock from the wall that the root hands to it');
  assert.deepEqual(
    linesMatching(outside, /(?<!\bget \w+)\(\s*\)\s*(:|=>)\s*EpochMs\b/),
    [],
    'nobody is handed another clock of the market',
  );
  const converters = importersOf('src/base/time.ts', 'wallOf').map(areaOf);
  assert.deepEqual(
    [...new Set(converters)].sort(),
    ['core', 'engine'],
    'no door takes a stamp for an instant of the wall',
  );
});

test('the language is TypeScript that can be stripped, without escape hatches', () => {
  assert.deepEqual(linesMatching(production, /^\s*(export\s+)?(declare\s+)?(const\s+)?enum\s/), [], 'enum');
  assert.deepEqual(linesMatching(production, /^\s*(export\s+)?(declare\s+)?namespace\s/), [], 'namespace');
  assert.deepEqual(linesMatching(production, /^\s*@[A-Za-z]/), [], 'decorator');
  assert.deepEqual(linesMatching(production, /[:<,|&(]\s*any\b|\bas any\b/), [], 'any');
  const comments = production.map(({ path, text }) => ({ path, code: text }));
  assert.deepEqual(linesMatching(comments, /@ts-(ignore|nocheck|expect-error)|biome-ignore/), [], 'silenced checks');
});

test('no caught error is dropped without a word', () => {
  const empty = production.filter(({ code }) => /catch\s*(\([^)]*\))?\s*\{\s*\}/.test(code));
  assert.deepEqual(
    empty.map(({ path }) => path),
    [],
  );
});

test('no test is skipped or left for later', () => {
  const code = everyTs.map(({ path, text }) => ({ path, code: blank(text, true) }));
  const skipping = /\b(test|it|describe|suite|t)\.(skip|todo|only)\b|\b(skip|todo|only):/;
  const elsewhere = code.filter(({ path }) => path.endsWith('.test.ts') || path.startsWith('test/'));
  assert.deepEqual(linesMatching(elsewhere, skipping), []);
});

test('files are short', () => {
  const written = everyTs.filter(({ path }) => !path.includes('/generated/'));
  const long = written.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    return lines > MAX_FILE_LINES ? [`${path}: ${lines} lines`] : [];
  });
  assert.deepEqual(long, []);
});

test('functions are short', () => {
  assert.ok(shipped.some(({ path }) => path.endsWith('.tsx')));
  const long = shipped.flatMap(({ path, text }) => {
    return longFunctions(blank(text, true)).map((where) => `${path}:${where}`);
  });
  assert.deepEqual(long, []);
});

test('files in src are named in kebab case', () => {
  const wrong = sources.filter(({ path }) => !/^src(\/[a-z0-9]+(-[a-z0-9]+)*)+(\.test)?\.ts$/.test(path));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
  const vague = /(^|-)(manager|helper|helpers|util|utils|service|common|misc)(-|\.ts$)/;
  assert.deepEqual(
    sources.filter(({ path }) => vague.test(basename(path))).map(({ path }) => path),
    [],
  );
});

test('every test file in src stands beside the file or the folder that it tests', () => {
  const lonely = sources.filter(({ path }) => {
    if (!path.endsWith('.test.ts')) return false;
    const folder = dirname(path);
    return !existsSync(join(ROOT, path.replace(/\.test\.ts$/, '.ts'))) && basename(folder) === 'src';
  });
  assert.deepEqual(
    lonely.map(({ path }) => path),
    [],
  );
});

test('committed text names no path of one machine', () => {
  const text = committed('*.ts', '*.md', '*.mjs', '*.json', '*.txt', '.ci/*').filter(
    (path) => path !== 'package-lock.json',
  );
  const machine = new RegExp(['/home/[a-z]', '/Users/[A-Z]', '/root/', '/work/', 'C:\\\\\\\\Users'].join('|'));
  const wrong = text.filter(
    (path) => path !== 'test/house/house.test.ts' && machine.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});
