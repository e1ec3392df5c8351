// Joins the source files of a project into a few files in a folder: `node bin/join.mjs <project> <folder>`. The launcher
// runs this in a child of its own. What is joined is made aside and put in its place whole, so starts at the same time
// do not spoil each other's.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { rolldown } from 'rolldown';
import { JOINED_PACKAGE } from './joined-main.mjs';

const UNFINISHED = '.making-';
/** A folder that no start used for longer, and one that a killed process left, is removed. */
const UNUSED_MS = 3_600_000;

/**
 * Workers, facts and pages are found from the file that names them: each file keeps its own address. So workers run from
 * the source, and the joined files may stand elsewhere.
 */
const OWN_PLACES = {
  name: 'own-places',
  transform: {
    filter: { code: 'import.meta' },
    handler(code, id) {
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
    },
  },
};

async function joinInto(project, folder) {
  const bundle = await rolldown({
    input: join(project, 'src', 'main.ts'),
    cwd: project,
    platform: 'node',
    external: (name) => name !== JOINED_PACKAGE && !name.startsWith('.') && !isAbsolute(name),
    // Source files may have an effect by being loaded alone.
    treeshake: {
      moduleSideEffects: (id) => !id.startsWith(realpathSync(join(project, 'node_modules', JOINED_PACKAGE))),
    },
    plugins: [OWN_PLACES],
    // The name of each source file stands above its code, for those who read where an error came from.
    experimental: { attachDebugInfo: 'simple' },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    comments: false,
  });
}

/** A name must never lead to a part of what was joined, also after a power cut. */
function flush(folder) {
  for (const name of readdirSync(folder)) {
    const file = openSync(join(folder, name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

function removeUnused(parent) {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    if (Date.now() - statSync(folder).mtimeMs > UNUSED_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** One line. The joiner lists what is wrong with the source, each with its place. */
function reasonOf(error) {
  const { message, loc } = error.errors?.[0] ?? error;
  const words = stripVTControlCharacters(message).split('\n', 1).join('');
  return loc === undefined ? words : `${words}, ${loc.file}:${loc.line}`;
}

const [project, folder] = process.argv.slice(2);
const made = mkdtempSync(join(dirname(folder), UNFINISHED));
try {
  await joinInto(project, made);
  flush(made);
  // One user may join the files and another run them.
  chmodSync(made, 0o755);
  if (!existsSync(folder)) renameSync(made, folder);
  removeUnused(dirname(folder));
} catch (error) {
  if (!existsSync(folder)) {
    console.error(reasonOf(error));
    process.exitCode = 1;
  }
} finally {
  rmSync(made, { recursive: true, force: true });
}
