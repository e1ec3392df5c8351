/**
 * Starts the service: opens the data folder, recovers the engine, and opens the listeners.
 * The parts are built in the files beside it; this file only gives their order.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { TrailReader } from '../audit/reading/trail-reader.ts';
import { OwnHosts } from '../base/net/own-hosts.ts';
import type { Config } from '../config.ts';
import type { BranchPoint } from '../core/branch/branch-point.ts';
import { dataFolder } from '../folder/data-folder.ts';
import { tidyUp } from '../folder/tidy-up.ts';
import type { Gateway } from '../gateway/http/server.ts';
import { holding, holdingIfFree, IMPORTING } from '../journal/disk/writer-lock.ts';
import { addressOf, startReport } from '../operator/cli/start-report.ts';
import { ensureAccessToken } from '../operator/http/access-token.ts';
import { figuresOf } from '../operator/http/engine-figures.ts';
import { createOperatorServer, type OperatorOperations } from '../operator/http/operator-server.ts';
import { socketFigures } from '../operator/http/socket-figures.ts';
import type { IssuedCredentials } from '../operator/operations/issued-credentials.ts';
import type { SwitchOperations } from '../operator/operations/switch-operations.ts';
import { wallClock } from '../os/wall-clock.ts';
import { builtPage, pageMaking } from '../page/built-page.ts';
import type { PageFiles } from '../page/page-files.ts';
import { auditTrail } from './audit-trail.ts';
import { renewAtSignal, tlsOf } from './certificate.ts';
import { expectScenariosAreAllowed } from './checks/scenarios-allowed.ts';
import { demoUsers, expectStartIsSafe, identityOf, keysOf, markSecretsShown, openFolder } from './first-start.ts';
import { gatewayOf } from './gateway.ts';
import { note, reportFailure } from './log.ts';
import { type KnownState, openMarket } from './market-world.ts';
import { operatorOperations } from './operator-operations.ts';
import { Readiness } from './readiness.ts';
import { runEngine } from './run-engine.ts';
import type { RunningParts } from './running-parts.ts';
import { endOnSignals } from './shutdown.ts';
import { clockText } from './start-clock.ts';
import { statusOperations } from './status-operations.ts';
import { recordedDaysOf } from './tapes/followed-tapes.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..');

/** Runs the service. Resolves when it is ready; a signal or a failure ends the process. */
export async function start(config: Config, acceptLoss: number | undefined): Promise<void> {
  expectStartIsSafe(config);
  const tls = tlsOf(config);
  // Beside the opening of the data folder: a build is the work of another process.
  const pageIsBuilt = builtPage(pageMaking(PROJECT, (line) => console.log(line)));
  const parts = await openParts(config, acceptLoss);
  await expectScenariosAreAllowed(parts);
  const room = Promise.withResolvers<Gateway['room']>();
  const operations = operatorOperations(parts, room.promise);
  await operations.scenarios.clearWhereOff();
  const newUsers = await demoUsers(parts, operations.users, operations.keys);
  await operations.keys.warnOfEndedKeys();
  const readiness = new Readiness(parts);
  const page = await pageIsBuilt;
  const gateway = await gatewayOf(parts, { tls, page, readiness: readiness.missing });
  room.resolve(gateway.room);
  const operator = operatorServer(parts, { operations, gateway, readiness, page });
  await gateway.listen({ host: config.host, port: config.port });
  await operator.listen({ host: '127.0.0.1', port: config.operatorPort });
  if (tls) renewAtSignal(gateway, config);
  endOnSignals({
    announce: readiness.endService,
    listeners: [gateway, operator],
    stop: () => parts.running.stop().then(() => parts.trail.stop()),
    exit: () => process.exit(0),
    endsAtHangUp: tls === undefined,
  });
  const address = `${tls ? 'https' : 'http'}://${addressOf(gateway.server)}`;
  const branch = await parts.running.engine.read(({ branches }) => branches.at(-1));
  const clock = await parts.running.engine.read((state) => clockText(config, state, parts.running.engine.now()));
  report(parts, {
    ...(branch && { branch }),
    address,
    operatorAddress: `http://${addressOf(operator.server)}`,
    newUsers,
    hasPage: page !== undefined,
    clock,
  });
  parts.running.letTimePass();
  await warnOfSwitches(operations.switches, config);
}

/** Opens the data folder, makes its market, and starts the engine over its journal. */
async function openParts(config: Config, acceptLoss: number | undefined): Promise<RunningParts> {
  const folder = dataFolder(config.data);
  const trail = auditTrail(config);
  openFolder(config);
  const keys = keysOf(folder);
  const identity = identityOf(folder, config, keys, recordedDaysOf(folder).instruments().length > 0);
  holding(folder.folder, () => tidyUp(folder, (work) => holdingIfFree(folder.folder, work, IMPORTING)));
  const known: KnownState = { state: undefined };
  const world = openMarket(folder, identity, known);
  const running = await runEngine(config, world, { known, trail, identity }, acceptLoss);
  const listed = world.instruments.count(running.engine.now());
  return { config, folder, keys, identity, world, running, listed, trail };
}

interface OperatorNeeds {
  readonly operations: OperatorOperations;
  readonly gateway: Gateway;
  readonly readiness: Readiness;
  readonly page: PageFiles | undefined;
}

function operatorServer(
  parts: RunningParts,
  { operations, gateway, readiness, page }: OperatorNeeds,
): ReturnType<typeof createOperatorServer> {
  const { config, folder, running, listed, trail } = parts;
  return createOperatorServer({
    ...operations,
    hosts: new OwnHosts(['localhost', ...config.hosts]),
    token: ensureAccessToken(folder.operatorToken),
    readiness: readiness.missing,
    trail,
    trailReading: new TrailReader(folder.audit),
    status: statusOperations(parts, { gateway, readiness }),
    ...(page && { page }),
    figures: [
      ...figuresOf(
        running,
        listed,
        () => gateway.connections(),
        () => gateway.refused(),
      ),
      ...socketFigures(() => gateway.room.counts()),
    ],
    onFailure: (error) => reportFailure(config.log, error),
  });
}

interface Reached {
  readonly branch?: BranchPoint;
  readonly address: string;
  readonly operatorAddress: string;
  readonly newUsers: readonly IssuedCredentials[];
  readonly hasPage: boolean;
  readonly clock: string | undefined;
}

/** Prints how the service is reached. Demo users are printed by one start only. */
function report({ config, folder, identity, listed }: RunningParts, { newUsers, ...addresses }: Reached): void {
  const facts = {
    ...addresses,
    data: config.data,
    market: identity.market,
    seed: identity.seed,
    hours: identity.hours,
    instruments: listed,
    hasDemoUsers: existsSync(folder.demoUsers),
  };
  console.log(startReport(facts, newUsers, wallClock()));
  markSecretsShown(config, folder);
}

async function warnOfSwitches(switches: SwitchOperations, { log }: Config): Promise<void> {
  const heldUp = (await switches.list()).length;
  if (heldUp > 0) note(log, 'warn', `what operators hold up: ${heldUp}; see sauda switches`);
}
