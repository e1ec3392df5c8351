/**
 * The entry of the process: the command line with the work behind each command. The parts of the service are loaded by
 * the commands that need them, so that the commands of traders begin at once.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { endAtOnce, endCommand, pathFailure } from './app/exit-codes.ts';
import { type CommandLineParts, runCommandLine } from './operator/cli/cli.ts';
import type { ClusterWork } from './operator/cli/cluster-commands.ts';
import { localSauda } from './operator/cli/folder/local-sauda.ts';
import type { TapeWork } from './operator/cli/folder/tape-commands.ts';
import { EXIT_CONFIG } from './os/command-failed.ts';
import { outliveReaders, printLines } from './os/output.ts';
import { setLimitsForStart } from './os/start-limits.ts';
import { wallClock } from './os/wall-clock.ts';

/** The work of the commands that run the service or read its data folder. */
const WORK: Pick<
  CommandLineParts,
  | 'start'
  | 'verify'
  | 'backUp'
  | 'branch'
  | 'compare'
  | 'restore'
  | 'searchAudit'
  | 'why'
  | 'importInstruments'
  | keyof TapeWork
  | keyof ClusterWork
> = {
  start: async (config, acceptLoss) => {
    setLimitsForStart();
    const { start } = await import('./app/start.ts');
    await start(config, acceptLoss).catch((error) => {
      throw pathFailure(error, EXIT_CONFIG);
    });
  },
  verify: async (...asked) => {
    const { verify } = await import('./app/offline/offline-commands.ts');
    return verify(...asked);
  },
  backUp: async (...asked) => {
    const { backUp } = await import('./app/offline/offline-commands.ts');
    return backUp(...asked);
  },
  restore: async (...asked) => {
    const { restore } = await import('./app/offline/offline-commands.ts');
    return restore(...asked);
  },
  branch: async (wish) => {
    const { branch } = await import('./app/branches/branch-folder.ts');
    return branch(wish);
  },
  compare: async (wish) => {
    const { compare } = await import('./app/branches/compare-folders.ts');
    return compare(wish);
  },
  searchAudit: async (...asked) => {
    const { searchAudit } = await import('./app/offline/offline-commands.ts');
    return searchAudit(...asked);
  },
  why: async (...asked) => {
    const { why } = await import('./app/offline/offline-commands.ts');
    return why(...asked);
  },
  initCluster: async (...asked) => {
    const { initCluster } = await import('./app/cluster/cluster-work.ts');
    return initCluster(...asked);
  },
  beginCluster: async (...asked) => {
    const { beginCluster } = await import('./app/cluster/begin-cluster.ts');
    return beginCluster(...asked);
  },
  endCluster: async (...asked) => {
    const { endCluster } = await import('./app/cluster/end-cluster.ts');
    return endCluster(...asked);
  },
  verifyCluster: async (...asked) => {
    const { verifyCluster } = await import('./app/cluster/cluster-work.ts');
    return verifyCluster(...asked);
  },
  provisionMember: async (...asked) => {
    const { provision } = await import('./app/cluster/provision.ts');
    return provision(...asked);
  },
  importInstruments: async (...asked) => {
    const { importInstruments } = await import('./app/import-instruments.ts');
    return importInstruments(...asked);
  },
  importTapes: async (...asked) => {
    const { importTapes } = await import('./app/tapes/import-tapes.ts');
    return importTapes(...asked);
  },
  listTapes: async (...asked) => {
    const { listTapes } = await import('./app/tapes/tape-reports.ts');
    return listTapes(...asked);
  },
  showTape: async (...asked) => {
    const { showTape } = await import('./app/tapes/tape-reports.ts');
    return showTape(...asked);
  },
  removeTape: async (...asked) => {
    const { removeTape } = await import('./app/tapes/tape-reports.ts');
    return removeTape(...asked);
  },
};

await main();

async function main(): Promise<void> {
  outliveReaders(process.stdout, process.stderr);
  process.on('uncaughtException', endAtOnce);
  process.on('unhandledRejection', endAtOnce);
  const version = versionOfPackage();
  const args = process.argv.slice(2);
  await runCommandLine(args, {
    ...WORK,
    version,
    env: process.env,
    now: wallClock,
    print,
    printLines: (lines) => printLines(lines, process.stdout),
    addOthers: await othersFor(args, version),
  }).catch(endCommand);
}

/** Adds the commands of other rooms, but for a service, which has no use for them. */
async function othersFor([word]: readonly string[], version: string): Promise<(program: Command) => void> {
  if (word === undefined || word === 'start') return () => undefined;
  const { addTraderCommands } = await import('./trader/trader-commands.ts');
  const { addMcpCommand } = await import('./mcp/mcp-command.ts');
  return (program) => {
    addTraderCommands(program, {
      env: process.env,
      local: localSauda({ env: process.env, now: wallClock }),
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
      print,
    });
    addMcpCommand(program, {
      version,
      env: process.env,
      report: (line) => console.error(line),
    });
  };
}

function print(text: string): void {
  console.log(text);
}

function versionOfPackage(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
