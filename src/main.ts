import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { actEngine } from './audit/act-engine.ts';
import { verifyWithJournal } from './audit/agreement.ts';
import { type AnchorPlace, anchorOf } from './audit/anchor.ts';
import { kindNamed, searchTrail } from './audit/search-trail.ts';
import { Trail } from './audit/trail.ts';
import { trailFolder } from './audit/trail-file.ts';
import { CSV_HEAD, csvRow, lineText } from './audit/trail-text.ts';
import { InvariantError, must } from './base/assert.ts';
import type { OrderNumber } from './base/ids.ts';
import { OwnHosts } from './base/own-hosts.ts';
import { withoutControls } from './base/printable.ts';
import { type EpochMs, SECOND_MS } from './base/time.ts';
import { type Config, isLoopback, type LogLevel, ownNames } from './config.ts';
import { ENTER, expectFile, isOpenToOthers, makeFolder, readIfPresent } from './durable-file.ts';
import { orderTrials } from './engine/order-trials.ts';
import type { EnginePort } from './engine/port.ts';
import { type RunningEngine, startEngine } from './engine/start-engine.ts';
import { EXIT_DAMAGED, endAtOnce, endCommand, outliveReaders, pathFailure } from './failure.ts';
import { CredentialLogins } from './gateway/credentials/credential-logins.ts';
import { engineAccounts } from './gateway/credentials/engine-accounts.ts';
import { enrol, withApiKey } from './gateway/credentials/enrolment.ts';
import { type CredentialKeys, createKeyFile, newKeys, readKeyFile } from './gateway/credentials/key-file.ts';
import { connectionsWithin } from './gateway/open-files.ts';
import { createGateway, type Gateway } from './gateway/server.ts';
import { readTlsFiles, type TlsFiles } from './gateway/tls-files.ts';
import { copiedText, copyFolder, expectEmpty, restoreFolder } from './journal/backup.ts';
import { journalPaths } from './journal/examine.ts';
import { REAL_DISK } from './journal/real-disk.ts';
import { verificationText, verifyJournal } from './journal/verify.ts';
import { holding, holdingIfFree, IMPORTING } from './journal/writer-lock.ts';
import { AccessDesk } from './operator/access-desk.ts';
import { ensureAccessToken } from './operator/access-token.ts';
import type { AuditForm, AuditQuestion } from './operator/audit-commands.ts';
import { BanDesk } from './operator/ban-desk.ts';
import { CommandFailed, EXIT_CONFIG, EXIT_FAILED, runCommandLine } from './operator/cli.ts';
import { CorporateDesk } from './operator/corporate-desk.ts';
import type { AnchorSettings } from './operator/data-commands.ts';
import { type DataFolder, dataFolder, filesBesideJournal } from './operator/data-folder.ts';
import { dayCloses } from './operator/day-closes.ts';
import { readDemoFile } from './operator/demo-file.ts';
import { renewDemoKeys } from './operator/demo-keys.ts';
import { completeDemoUsers, markShown } from './operator/demo-users.ts';
import { figuresOf } from './operator/engine-figures.ts';
import { faultsOfFiles } from './operator/file-faults.ts';
import { agreeOnIdentity, createIdentity, type Identity, readIdentity } from './operator/identity.ts';
import type { IssuedCredentials } from './operator/issued-credentials.ts';
import { KeyDesk } from './operator/key-desk.ts';
import { createOperatorServer } from './operator/operator-server.ts';
import { endOnSignals } from './operator/shutdown.ts';
import { SpanDesk } from './operator/span-desk.ts';
import { addressOf, startReport } from './operator/start-report.ts';
import { SwitchDesk } from './operator/switch-desk.ts';
import { tidyUp } from './operator/tidy-up.ts';
import { UserDesk } from './operator/user-desk.ts';
import { type WhyReport, whyReport } from './operator/why-report.ts';
import {
  expectInstruments,
  expectRightClock,
  importInstruments,
  type KnownState,
  marketMoves,
  openMarket,
  portsOf,
  type Trade,
} from './trade.ts';
import { namedInstruments } from './views/named-instruments.ts';

/** A snapshot is taken at least this often while there is something new. */
const SNAPSHOT_MINUTES = 60;

const clock = (): EpochMs => Date.now() as EpochMs;

await main();

async function main(): Promise<void> {
  outliveReaders(process.stdout, process.stderr);
  process.on('uncaughtException', endAtOnce);
  process.on('unhandledRejection', endAtOnce);
  await runCommandLine(process.argv.slice(2), {
    version: versionOfPackage(),
    env: process.env,
    now: clock,
    print: (text) => console.log(text),
    start: (config, acceptLoss) =>
      start(config, acceptLoss).catch((error) => {
        throw pathFailure(error, EXIT_CONFIG);
      }),
    verify,
    backUp,
    restore,
    searchAudit,
    importInstruments: (data, file) =>
      importInstruments(data, file, { now: clock, alone: ({ folder }, work) => holding(folder, work, IMPORTING) }),
    why,
  }).catch(endCommand);
}

/** Runs the service. Resolves when it is ready; a signal or a failure ends the process. */
async function start(config: Config, acceptLoss: number | undefined): Promise<void> {
  const folder = dataFolder(config.data);
  if (!existsSync(folder.identity)) {
    expectRightClock(clock());
    if (config.demo === 'on') keepOnLoopback(config);
  }
  const tls = tlsOf(config);
  const trail = auditTrail(config);
  openFolder(config);
  const keys = keysOf(folder);
  const identity = identityOf(folder, config, keys);
  holding(folder.folder, () => tidyUp(folder, (work) => holdingIfFree(folder.folder, work, IMPORTING)));
  const known: KnownState = { state: undefined };
  const trade = openMarket(folder, identity, known);
  const running = await runEngine(config, trade, { known, trail }, acceptLoss);
  const parts = { config, folder, keys, trade, running, trail };
  const desk = userDesk(parts);
  const apiKeys = keyDesk(parts);
  const newUsers = await demoUsers(parts, desk, apiKeys);
  await apiKeys.tellOfEnded();
  const draining = { yet: false };
  const instruments = trade.instruments.count(clock());
  const readiness = (): string[] => missing(draining.yet, running, instruments, trade);
  const gateway = await gatewayOf(parts, tls, readiness);
  const switches = switchDesk(parts);
  const operator = createOperatorServer({
    desk,
    bans: new BanDesk({ engine: actsOf(parts), instruments: trade.instruments, now: clock }),
    span: spanDesk(parts),
    corporate: corporateDesk(parts),
    switches,
    access: new AccessDesk({ engine: actsOf(parts), log: (message) => note(config.log, 'warn', message) }),
    keys: apiKeys,
    hosts: new OwnHosts(['localhost', ...config.hosts]),
    token: ensureAccessToken(folder.operatorToken),
    readiness,
    trail,
    figures: figuresOf(
      running,
      instruments,
      () => gateway.connections(),
      () => gateway.refused(),
    ),
    onFailure: (error) => reportFailure(config.log, error),
  });
  await gateway.listen({ host: config.host, port: config.port });
  await operator.listen({ host: '127.0.0.1', port: config.operatorPort });
  if (tls) renewAtSignal(gateway, config);
  endOnSignals({
    announce: () => {
      draining.yet = true;
    },
    listeners: [gateway, operator],
    stop: () => running.stop().then(() => trail.stop()),
    exit: () => process.exit(0),
    endsAtHangUp: tls === undefined,
  });
  const facts = {
    address: `${tls ? 'https' : 'http'}://${addressOf(gateway.server)}`,
    operatorAddress: `http://${addressOf(operator.server)}`,
    data: config.data,
    seed: identity.seed,
    hours: identity.hours,
    instruments,
    hasDemoUsers: existsSync(folder.demoUsers),
  };
  console.log(startReport(facts, newUsers, clock()));
  noteShown(config, folder);
  await tellOfSwitches(switches, config);
}

async function tellOfSwitches(switches: SwitchDesk, { log }: Config): Promise<void> {
  const heldUp = (await switches.list()).length;
  if (heldUp > 0) note(log, 'warn', `what operators hold up: ${heldUp}; see sauda switches`);
}

interface ServiceParts {
  readonly config: Config;
  readonly folder: DataFolder;
  readonly keys: CredentialKeys;
  readonly trade: Trade;
  readonly running: RunningEngine;
  readonly trail: Trail;
}

function auditTrail(config: Config): Trail {
  const { data, auditYears: years, log } = config;
  return new Trail({
    data,
    years,
    anchor: anchorPlace(config),
    clock,
    failStop: endAtOnce,
    log: (message) => note(log, 'warn', message),
  });
}

/** The anchor that the settings name, with its key; `undefined` for none. */
function anchorPlace({ auditAnchor, auditAnchorKey }: AnchorSettings): AnchorPlace | undefined {
  try {
    if (auditAnchorKey !== '') expectFile(auditAnchorKey, 65_536);
    if (existsSync(auditAnchor)) expectFile(auditAnchor, Number.POSITIVE_INFINITY);
    return anchorOf(auditAnchor, auditAnchorKey);
  } catch (error) {
    throw pathFailure(error, EXIT_CONFIG);
  }
}

/** The engine of operators' desks. */
function actsOf({ running, trail }: ServiceParts): EnginePort {
  return actEngine(running.engine, trail);
}

/** Makes the data folder; says so when others can enter one that is there: not all of its files are their owner's alone. */
function openFolder({ data, log }: Config): void {
  makeFolder(data);
  if (isOpenToOthers(data, ENTER)) note(log, 'warn', `others can enter ${data}: take that away with chmod go= ${data}`);
}

/** The keys of the data folder; made when the folder is new. */
function keysOf(folder: DataFolder): CredentialKeys {
  const known = readKeyFile(folder.keys);
  if (known) return known;
  if (existsSync(folder.identity)) {
    throw new CommandFailed(`${folder.keys} is missing: without it nobody can log in. Restore it.`, EXIT_CONFIG);
  }
  createKeyFile(folder.keys, newKeys());
  return keysOf(folder);
}

/** What the data folder is fixed to, agreed with the settings; fixed now when the folder is new. */
function identityOf(folder: DataFolder, config: Config, keys: CredentialKeys): Identity {
  const fixed = orConfigFault(readIdentity(folder.identity));
  if (!fixed && [journalPaths(folder.folder).journal, folder.audit].some((path) => existsSync(path))) {
    throw new CommandFailed(
      `${folder.identity} is missing, so the market's past is not known. Restore it.`,
      EXIT_CONFIG,
    );
  }
  const agreed = orConfigFault(agreeOnIdentity(fixed, config, keys.fingerprint));
  if (fixed || createIdentity(folder.identity, agreed)) return agreed;
  return identityOf(folder, config, keys);
}

function orConfigFault<T>(result: { ok: true; value: T } | { ok: false; error: string }): T {
  if (!result.ok) throw new CommandFailed(result.error, EXIT_CONFIG);
  return result.value;
}

async function runEngine(
  config: Config,
  trade: Trade,
  { known, trail }: { readonly known: KnownState; readonly trail: Trail },
  acceptLoss: number | undefined,
): Promise<RunningEngine> {
  const running = await startEngine(
    {
      folder: config.data,
      snapshotRecords: config.snapshotRecords,
      snapshotMinutes: SNAPSHOT_MINUTES,
      ...(acceptLoss === undefined ? {} : { acceptLoss }),
    },
    {
      ports: { ...portsOf(trade), strictTrigger: config.strictTrigger === 'on' },
      spanFilesOn: (day) => trade.spanFiles.on(day),
      limitedShares: () => trade.instruments.sharesWithContracts(),
      clock,
      failStop: endAtOnce,
      onRecovered: (state, views) => {
        known.state = state;
        expectInstruments(trade, dataFolder(config.data), namedInstruments(state, views));
        trail.open(state, acceptLoss);
        trade.instruments.prepare(clock());
      },
      log: (message, gravity) => note(config.log, gravity, message),
      onDecided: trail.decided,
    },
  );
  trail.start(running.head);
  for (const passedOver of running.recovered.notes) note(config.log, 'warn', `recovery: ${passedOver}`);
  for (const digest of await running.engine.read(({ riskFiles }) => riskFiles)) trade.spanFiles.get(digest);
  return running;
}

function userDesk(parts: ServiceParts): UserDesk {
  const { keys, running, trade } = parts;
  return new UserDesk({
    engine: actsOf(parts),
    instruments: trade.instruments,
    enrol: (issued) => enrol(keys, issued),
    priceOf: dayCloses(running.engine, trade.market, clock),
    now: clock,
  });
}

function keyDesk(parts: ServiceParts): KeyDesk {
  return new KeyDesk({
    engine: actsOf(parts),
    withApiKey: (userId, sealed, apiKey) => withApiKey(parts.keys, userId, sealed, apiKey),
    startRenewsDemo: () => existsSync(parts.folder.demoUsers),
    now: clock,
    log: (message) => note(parts.config.log, 'warn', message),
  });
}

function spanDesk(parts: ServiceParts): SpanDesk {
  const { instruments, market, spanFiles: store } = parts.trade;
  return new SpanDesk({ engine: actsOf(parts), instruments, market, store, now: clock });
}

function switchDesk(parts: ServiceParts): SwitchDesk {
  const { config, trade } = parts;
  const log = (message: string): void => note(config.log, 'warn', message);
  return new SwitchDesk({ engine: actsOf(parts), instruments: trade.instruments, now: clock, log });
}

function corporateDesk(parts: ServiceParts): CorporateDesk {
  const { instruments, market } = parts.trade;
  return new CorporateDesk({
    engine: actsOf(parts),
    instruments,
    hasImportedContracts: (underlying, at) => instruments.hasImportedContracts(underlying, at),
    priceOf: dayCloses(parts.running.engine, market, clock),
    now: clock,
  });
}

/** Demo users' secrets can be printed by whoever has the data folder, so nobody else may reach them. */
function keepOnLoopback({ host }: Config): void {
  if (isLoopback(host)) return;
  const way = 'Listen on loopback, or use a new data folder with SAUDA_DEMO=off and register users.';
  throw new CommandFailed(`${host} is not loopback, and demo users are for this machine only. ${way}`, EXIT_CONFIG);
}

/** Makes or completes the demo users, renews their keys, and keeps a service that has any on loopback. Returns those that no start has printed. */
async function demoUsers(
  { config, folder, running }: ServiceParts,
  desk: UserDesk,
  keys: KeyDesk,
): Promise<readonly IssuedCredentials[]> {
  const { accounts, demo } = await running.engine.read(({ accounts }) => {
    return { accounts: accounts.length, demo: accounts.some((account) => account.demo) };
  });
  const known = readDemoFile(folder.demoUsers);
  const wanted = known !== undefined || (config.demo === 'on' && accounts === 0);
  if (demo || (wanted && known?.complete !== true)) keepOnLoopback(config);
  if (!wanted) return [];
  await renewDemoKeys(folder.demoUsers, keys, (message) => note(config.log, 'warn', message));
  return completeDemoUsers(folder.demoUsers, desk);
}

/** The service is running: what the disk refuses now is no reason to end it. */
function noteShown({ log }: Config, { demoUsers: path }: DataFolder): void {
  try {
    markShown(path);
  } catch (error) {
    note(log, 'warn', `${path} could not be written, so the next start prints the demo users again: ${String(error)}`);
  }
}

async function gatewayOf(
  { config, keys, trade, running, trail }: ServiceParts,
  tls: TlsFiles | undefined,
  readiness: () => readonly string[],
): Promise<Gateway> {
  const accounts = engineAccounts(running.engine, trail);
  return createGateway({
    engine: running.engine,
    ...trade,
    trail,
    logins: await CredentialLogins.create({ keys, accounts, now: clock }),
    clock,
    rateLimit: config.rateLimit,
    slicing: config.slicing,
    avgModel: config.avgModel,
    proxies: config.proxies,
    hosts: new OwnHosts(ownNames(config, hostname())),
    limits: {
      headMs: config.headSeconds * SECOND_MS,
      requestMs: config.requestSeconds * SECOND_MS,
      keepAliveMs: config.keepAliveSeconds * SECOND_MS,
      connections: connectionsOf(config),
      connectionsPerAddress: config.connectionsPerAddress,
      requestsPerConnection: config.connectionRequests,
    },
    ...(tls && { tls }),
    readiness,
    onFailure: (error) => reportFailure(config.log, error),
  });
}

/** As many as the settings say, or as the system lets be open. */
function connectionsOf({ connections, log }: Config): number {
  const within = connectionsWithin(connections, readIfPresent('/proc/self/limits'));
  if (within < connections) note(log, 'warn', `at most ${within} connections: the system lets no more files be open`);
  return within;
}

/** The certificate that the settings name, read now; `undefined` for plain HTTP. */
function tlsOf({ tlsCert, tlsKey }: Config): TlsFiles | undefined {
  return tlsCert === '' ? undefined : orConfigFault(readTlsFiles(tlsCert, tlsKey));
}

/** A renewed certificate is taken over at SIGHUP; one that cannot be used changes nothing. */
function renewAtSignal(gateway: Gateway, { tlsCert, tlsKey, log }: Config): void {
  process.on('SIGHUP', () => {
    const read = readTlsFiles(tlsCert, tlsKey);
    if (read.ok) gateway.useCertificate(read.value);
    note(log, 'warn', read.ok ? `the certificate ${tlsCert} is read anew` : read.error);
  });
}

/** What keeps the service from being ready. */
function missing(draining: boolean, running: RunningEngine, instruments: number, trade: Trade): string[] {
  const found: string[] = [];
  const { unavailable } = running.engine.status();
  if (draining) found.push('the service is ending');
  else if (unavailable !== undefined) found.push(unavailable);
  if (instruments === 0) found.push('no instruments are loaded');
  else if (!marketMoves(trade, clock())) found.push('the market does not move');
  return found;
}

async function verify({ folder }: DataFolder, withMark: boolean, settings: AnchorSettings): Promise<string> {
  const anchor = anchorPlace(settings);
  const verification = verifyJournal(folder, withMark ? {} : { mark: 'none' });
  const text = verificationText(verification);
  if (verification.damage !== undefined) throw new CommandFailed(text, EXIT_DAMAGED);
  return withTrail(text, folder, anchor, withMark);
}

/** What is told of a whole journal with what is to be told of the trail and the files beside it, which are checked now. */
function withTrail(text: string, folder: string, anchor?: AnchorPlace, withMark?: boolean): string {
  const trail = verifyWithJournal(REAL_DISK, folder, anchor, withMark);
  const faults = faultsOfFiles(dataFolder(folder));
  const told = [text, trail.text, ...faults.map((fault) => `DAMAGED ${fault}`)].join('\n');
  if (trail.damaged || faults.length > 0) throw new CommandFailed(told, EXIT_DAMAGED);
  return told;
}

/** Ends when nobody reads what is printed any more. Whether lines are as they were written is for `verify`. */
function* searchAudit(data: DataFolder, { kind: name, ...asked }: AuditQuestion, form: AuditForm): Iterable<string> {
  const kind = name === undefined ? undefined : kindNamed(name);
  if (name !== undefined && kind === undefined) throw new CommandFailed(`${name} is no kind of line`, EXIT_FAILED);
  if (!existsSync(data.audit)) {
    throw new CommandFailed(`${data.folder} has no audit trail: has a service been started there?`, EXIT_FAILED);
  }
  if (form === 'csv') yield CSV_HEAD;
  for (const line of searchTrail(REAL_DISK, trailFolder(data.folder), { ...asked, ...(kind && { kind }) })) {
    if (process.stdout.errored !== null) return;
    yield form === 'csv' ? csvRow(line) : form === 'json' ? JSON.stringify(line) : lineText(line);
  }
}

async function backUp(data: DataFolder, to: string): Promise<string> {
  return withTrail(copiedText(copyFolder(REAL_DISK, data.folder, to, filesBesideJournal(data)), data.folder, to), to);
}

async function restore({ folder }: DataFolder, from: string): Promise<string> {
  expectEmpty(REAL_DISK, folder);
  makeFolder(folder);
  const beside = filesBesideJournal(dataFolder(from));
  const copied = holding(folder, () => restoreFolder(REAL_DISK, from, folder, beside));
  return copiedText(copied, from, folder);
}

/** Makes the market of the data folder anew and judges an order's wishes once more, as the journal tells them. */
async function why(folder: DataFolder, order: OrderNumber): Promise<WhyReport> {
  const identity = orConfigFault(readIdentity(folder.identity));
  if (!identity)
    throw new CommandFailed(`${folder.folder} has no journal: has a service been started there?`, EXIT_FAILED);
  const known: KnownState = { state: undefined };
  const trade = openMarket(folder, identity, known);
  const found = orderTrials(folder.folder, order, (state) => {
    known.state = state;
    return portsOf(trade);
  });
  const report = found && whyReport(found, (id) => must(trade.instruments.get(id), 'an order has its instrument'));
  if (!report) throw new CommandFailed(`the journal has no order ${order}`, EXIT_FAILED);
  return report;
}

function reportFailure(level: LogLevel, error: unknown): void {
  if (error instanceof InvariantError) endAtOnce(error);
  note(level, 'error', `a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/** Writes to standard error when the level of the log lets it: one line, but for the stack of a failure. */
function note(level: LogLevel, gravity: 'error' | 'warn' | 'info', message: string): void {
  const order: readonly LogLevel[] = ['silent', 'error', 'warn', 'info', 'debug'];
  if (order.indexOf(gravity) <= order.indexOf(level)) {
    console.error(`sauda: ${gravity === 'error' ? message : withoutControls(message)}`);
  }
}

function versionOfPackage(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
