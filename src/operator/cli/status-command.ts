/** The command that prints the health of the running service, its journal and the time of the market. */
import type { Command } from 'commander';
import { paceOf } from '../operations/clock-operations.ts';
import type { StatusReport } from '../operations/service/status-operations.ts';
import type { OperatorCommandParts } from './command-parts.ts';

type Flags = Readonly<Record<string, string>> & { readonly json?: true };

/** Adds `sauda status`. */
export function addStatusCommand(program: Command, parts: OperatorCommandParts): void {
  const status = program
    .command('status')
    .description('print the health of the service, its journal and the time of the market')
    .option('--json', 'as an object in JSON');
  parts.withService(status).action(async ({ json, ...flags }: Flags) => {
    const report = (await parts.ask(flags, '/status')) as StatusReport;
    parts.print(json ? JSON.stringify(report) : statusText(report));
  });
}

const MIB = 1024 * 1024;

function statusText({ missing, clock, load, journal, wire, books, uptimeSeconds }: StatusReport): string {
  const phases = clock.phases.map(({ exchange, phase }) => `${exchange} ${phase}`).join(', ');
  const { loopDelay, memory } = load;
  const { files, branch } = journal;
  return [
    missing.length === 0 ? 'ready' : `not ready: ${missing.join('; ')}`,
    `market time ${clock.market}, ${paceOf(clock.speed)}, trading day ${clock.tradingDay}: ${phases}`,
    `running     ${uptimeSeconds} s, ${Math.round(memory.resident / MIB)} MiB resident`,
    `loop        late by ${loopDelay.middle} ms, worst hundredth ${loopDelay.p99} ms, longest ${loopDelay.longest} ms`,
    `market lag  ${load.marketLagSeconds} s; commands held ${load.heldCommands}, answers waiting ${load.waitingAnswers}`,
    `journal     record ${journal.lastSeq}, durable ${journal.durableSeq}; ${files.segments.count} segments, ${files.snapshots.count} snapshots`,
    ...(branch ? [`branch      ${branch.name} of ${branch.parent}, which it left at record ${branch.record}`] : []),
    `commits     last ${journal.lastCommitMs.toFixed(1)} ms, longest ${journal.longestCommitMs.toFixed(1)} ms`,
    `wire        connections ${wire.connections}, sockets ${wire.sockets.open}, sessions ${wire.sessions}`,
    `books       accounts ${books.accounts}, orders today ${books.ordersToday}, switches ${books.switches}`,
  ].join('\n');
}
