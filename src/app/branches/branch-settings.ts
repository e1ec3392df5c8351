/**
 * The settings of a branch: those of its parent's file, with ports of its own, so that both services run side by side.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { isJsonObject, jsonOf } from '../../base/json.ts';
import type { SettingName } from '../../config.ts';
import type { DataFolder } from '../../folder/data-folder.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_UNAVAILABLE } from '../../os/command-failed.ts';
import { readIfPresent, writeDurably } from '../../os/durable-file.ts';

/** The ports of a branch's service. */
export interface BranchPorts {
  readonly port: number;
  readonly operatorPort: number;
}

/** Ports are taken from below those that systems give to connections of their own. */
const FIRST_PORT = 20_000;
const PAIRS = 6_000;
/** Pairs that are tried before the command gives up. */
const TRIES = 50;

/**
 * Settings that must not be shared. The market of a branch stands still where it was cut, a branch is the folder of one
 * machine, and the anchor remembers the parent's audit trail.
 */
const PARENT_ONLY: readonly string[] = [
  'clock',
  'speed',
  'cluster',
  'member',
  'auditAnchor',
  'auditAnchorKey',
] satisfies SettingName[];

/** The ports that were asked for. Free ones for the others: the same for the same folder, while they are free. */
export async function freePorts(asked: Partial<BranchPorts>, folder: string): Promise<BranchPorts> {
  const { port, operatorPort } = asked;
  if (port !== undefined && operatorPort !== undefined) return { port, operatorPort };
  const start = createHash('sha256').update(folder).digest().readUInt32BE(0);
  for (let turn = 0; turn < TRIES; turn += 1) {
    const first = FIRST_PORT + 2 * ((start + turn) % PAIRS);
    const found = { port: port ?? first, operatorPort: operatorPort ?? first + 1 };
    const chosen = [
      ...(port === undefined ? [found.port] : []),
      ...(operatorPort === undefined ? [found.operatorPort] : []),
    ];
    if ((await Promise.all(chosen.map(isFree))).every(Boolean)) return found;
  }
  throw new CommandFailed('no free ports were found: name them with --port and --operator-port', EXIT_UNAVAILABLE);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Writes the settings file of a branch. Throws `CommandFailed` for a parent's file that no start would take. */
export function writeBranchSettings(from: DataFolder, to: DataFolder, ports: BranchPorts): void {
  const text = readIfPresent(from.settings) ?? '{}';
  const known = jsonOf(text);
  if (!isJsonObject(known)) throw new CommandFailed(`${from.settings} is not a JSON object`, EXIT_CONFIG);
  const kept = Object.entries(known).filter(([name]) => !PARENT_ONLY.includes(name));
  writeDurably(to.settings, `${JSON.stringify({ ...Object.fromEntries(kept), ...ports }, undefined, 2)}\n`);
}
