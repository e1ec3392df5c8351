import { readFileSync } from 'node:fs';
import { endAtOnce, endCommand, pathFailure } from './app/exit-codes.ts';
import { importInstruments } from './app/import-instruments.ts';
import { backUp, restore, searchAudit, verify, why } from './app/offline-commands.ts';
import { start } from './app/start.ts';
import { addMcpCommand } from './mcp/mcp-command.ts';
import { runCommandLine } from './operator/cli/cli.ts';
import { EXIT_CONFIG } from './operator/command-failed.ts';
import { outliveReaders, printLines } from './os/output.ts';
import { wallClock } from './os/wall-clock.ts';

await main();

async function main(): Promise<void> {
  outliveReaders(process.stdout, process.stderr);
  process.on('uncaughtException', endAtOnce);
  process.on('unhandledRejection', endAtOnce);
  const mcpParts = {
    version: versionOfPackage(),
    env: process.env,
    now: wallClock,
    report: (line: string) => console.error(line),
  };
  await runCommandLine(process.argv.slice(2), {
    version: versionOfPackage(),
    env: process.env,
    now: wallClock,
    print: (text) => console.log(text),
    printLines: (lines) => printLines(lines, process.stdout),
    start: (config, acceptLoss) =>
      start(config, acceptLoss).catch((error) => {
        throw pathFailure(error, EXIT_CONFIG);
      }),
    verify,
    backUp,
    restore,
    searchAudit,
    importInstruments,
    addOthers: (program) => addMcpCommand(program, mcpParts),
    why,
  }).catch(endCommand);
}

function versionOfPackage(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
