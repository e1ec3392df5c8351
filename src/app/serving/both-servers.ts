/**
 * The two servers over a running engine, and the beginning of their work. Opening the data folder and recovering the
 * engine are done before.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { TrailReader } from '../../audit/reading/trail-reader.ts';
import { must } from '../../base/assert.ts';
import { OwnHosts } from '../../base/net/own-hosts.ts';
import type { Config } from '../../config.ts';
import type { BranchPoint } from '../../core/branch/branch-point.ts';
import type { TlsFiles } from '../../gateway/http/connections/tls-files.ts';
import type { Gateway } from '../../gateway/http/server.ts';
import { DELAY_BOUNDS_MS } from '../../gateway/sockets/frame-delays.ts';
import { addressOf, startReport } from '../../operator/cli/reports/start-report.ts';
import { ensureAccessToken } from '../../operator/http/access-token.ts';
import { clusterFigures } from '../../operator/http/figures/cluster-figures.ts';
import { figuresOf } from '../../operator/http/figures/engine-figures.ts';
import { socketFigures } from '../../operator/http/figures/socket-figures.ts';
import { OperatorPort } from '../../operator/http/operator-port.ts';
import type { OperatorOperations, OperatorServerParts } from '../../operator/http/operator-server.ts';
import type { IssuedCredentials } from '../../operator/operations/issued-credentials.ts';
import type { SwitchOperations } from '../../operator/operations/switch-operations.ts';
import { collectSmallHeap, giveFreeMemoryBack } from '../../os/free-memory.ts';
import { setLimitsForOrders } from '../../os/start-limits.ts';
import { wallClock } from '../../os/wall-clock.ts';
import { builtPage, pageMaking } from '../../page/built-page.ts';
import type { PageFiles } from '../../page/page-files.ts';
import { demoUsers, markSecretsShown } from '../first-start.ts';
import { gatewayOf } from '../gateway.ts';
import { note, reportFailure } from '../log.ts';
import { operatorOperations } from '../operator-operations.ts';
import { Readiness } from '../readiness.ts';
import type { RunningParts } from '../running-parts.ts';
import { expectScenariosAreAllowed } from '../scenarios-allowed.ts';
import type { Ending } from '../shutdown.ts';
import { clockText } from '../start-clock.ts';
import { statusOperations } from '../status-operations.ts';
import { liveInstruments } from './live-instruments.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..', '..');

/** The page of the terminal, built where its source is newer: the work of another process, for which no start waits. */
export function pageOf(): Promise<PageFiles | undefined> {
  return builtPage(pageMaking(PROJECT, (line) => console.log(line)));
}

interface ServiceNeeds {
  readonly tls: TlsFiles | undefined;
  /** The page of the terminal, once it is built. */
  readonly page: Promise<PageFiles | undefined>;
  /** The operators' side, where it was made beforehand. */
  readonly operators?: OperatorsSide | undefined;
}

/** The operators' side of a service: its acts and its server, not listening yet. */
export interface OperatorsSide {
  readonly operator: OperatorPort;
  readonly operations: OperatorOperations;
  readonly readiness: Readiness;
  /** Gets the gateway, which is made after it. */
  readonly meet: (gateway: Gateway) => void;
}

/** The servers of a running engine. */
export interface Service extends Pick<OperatorsSide, 'operator' | 'operations'> {
  readonly gateway: Gateway;
  readonly newUsers: readonly IssuedCredentials[];
  readonly hasPage: boolean;
  readonly ending: Pick<Ending, 'announce' | 'listeners' | 'stop'>;
}

/** Makes the operators' side of a service, whose engine may be made later: nothing is asked of it yet. */
export function operatorsSideOf(parts: RunningParts, page: ServiceNeeds['page']): OperatorsSide {
  const { promise, resolve } = Promise.withResolvers<Gateway['room']>();
  let met: Gateway | undefined;
  const gateway = (): Gateway => must(met, 'the gateway is made before operators are answered');
  const operations = operatorOperations(parts, promise);
  const readiness = new Readiness(parts);
  const operator = operatorServer(parts, { operations, gateway, readiness, page });
  const meet = (made: Gateway): void => {
    met = made;
    resolve(made.room);
  };
  return { operator, operations, readiness, meet };
}

/** Makes both servers, not listening yet, and the demo users. Throws `CommandFailed` for settings that go too far. */
export async function serviceOf(
  parts: RunningParts,
  { tls, page, operators = operatorsSideOf(parts, page) }: ServiceNeeds,
): Promise<Service> {
  const { operations, operator, readiness } = operators;
  await expectScenariosAreAllowed(parts);
  await operations.scenarios.clearWhereOff();
  const newUsers = await demoUsers(parts, operations.users, operations.keys);
  const gateway = await gatewayOf(parts, { tls, page, readiness: readiness.missing });
  operators.meet(gateway);
  // Before there are many clients, who would all wait while the routes are loaded.
  gateway.server.once('connection', () => {
    operator.ready().catch((error: Error) => reportFailure(parts.config.log, error));
  });
  const ending = {
    announce: readiness.endService,
    listeners: [gateway, operator],
    stop: () => parts.running.stop().then(() => parts.trail.stop()),
  };
  return { gateway, operator, operations, newUsers, hasPage: await hasPage(page), ending };
}

/** Whether there is a page or will be one: `false` when it is known already that there is none. */
function hasPage(page: Promise<PageFiles | undefined>): Promise<boolean> {
  const isThere = page.then((files) => files !== undefined);
  // The first of two that are settled wins; an open one does not.
  return Promise.race([isThere, Promise.resolve().then(() => true)]);
}

/** Reports how the service is reached, and lets the market's time pass. Both servers listen already. */
export async function open(parts: RunningParts, service: Service, isSecure: boolean): Promise<void> {
  await reportReached(parts, service, isSecure);
  parts.running.letTimePass();
  await finishStart(parts, service);
}

/** Reports how the service is reached. Both servers listen already. */
export async function reportReached(parts: RunningParts, service: Service, isSecure: boolean): Promise<void> {
  const { config, running } = parts;
  const { gateway, operator, newUsers, hasPage } = service;
  const branch = await running.engine.read(({ branches }) => branches.at(-1));
  const clock = await running.engine.read((state) => clockText(config, state, running.engine.now()));
  report(parts, {
    ...(branch && { branch }),
    address: `${isSecure ? 'https' : 'http'}://${addressOf(gateway.server)}`,
    operatorAddress: `http://${addressOf(operator.server)}`,
    newUsers,
    hasPage,
    clock,
  });
}

/** The rest of a start, for which nobody waits: lists, memory that only the start needed, and warnings. */
export async function finishStart(parts: RunningParts, { gateway, operations }: Service): Promise<void> {
  const { config } = parts;
  // After the first answers: who needs the lists before has them made then.
  const listed = gateway.contractsListed().catch((error: Error) => reportFailure(config.log, error));
  void listed.then(() => {
    // It takes some 50 milliseconds, for which clients would wait.
    if (gateway.connections().open === 0) giveBack(parts);
    setLimitsForOrders();
  });
  await operations.keys.warnOfEndedKeys();
  await warnOfSwitches(operations.switches, config);
}

/** Gives back what only the start needed. */
function giveBack({ world }: RunningParts): void {
  world.market.forgetPaths();
  collectSmallHeap();
  giveFreeMemoryBack();
}

interface OperatorNeeds {
  readonly operations: OperatorOperations;
  readonly gateway: () => Gateway;
  readonly readiness: Readiness;
  readonly page: Promise<PageFiles | undefined>;
}

function operatorServer(parts: RunningParts, { operations, gateway, readiness, page }: OperatorNeeds): OperatorPort {
  const { config, folder, running, trail, cluster } = parts;
  const onFailure = (error: unknown): void => reportFailure(config.log, error);
  const answered: OperatorServerParts = {
    ...operations,
    hosts: new OwnHosts(['localhost', ...config.hosts]),
    token: ensureAccessToken(folder.operatorToken),
    readiness: readiness.missing,
    trail,
    trailReading: new TrailReader(folder.audit),
    status: statusOperations(parts, { gateway, readiness }),
    page,
    ...(cluster && { cluster }),
    figures: [
      ...figuresOf(
        running,
        () => liveInstruments(parts, gateway()),
        () => gateway().connections(),
        () => gateway().refused(),
      ),
      ...socketFigures(DELAY_BOUNDS_MS, () => gateway().room.counts()),
      ...(cluster ? clusterFigures(cluster) : []),
    ],
    onFailure,
  };
  return new OperatorPort(async () => {
    const { createOperatorServer } = await import('../../operator/http/operator-server.ts');
    return createOperatorServer(answered);
  }, onFailure);
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
function report({ config, folder, identity, world }: RunningParts, { newUsers, ...addresses }: Reached): void {
  const facts = {
    ...addresses,
    data: config.data,
    market: identity.market,
    seed: identity.seed,
    hours: identity.hours,
    shares: world.instruments.cashCount,
    hasDemoUsers: existsSync(folder.demoUsers),
  };
  console.log(startReport(facts, newUsers, wallClock()));
  markSecretsShown(config, folder);
}

async function warnOfSwitches(switches: SwitchOperations, { log }: Config): Promise<void> {
  const set = (await switches.list()).length;
  if (set > 0) note(log, 'warn', `${set === 1 ? '1 switch is' : `${set} switches are`} set; see sauda switches`);
}
