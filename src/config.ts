/**
 * The settings of one start: the table of all settings, and their reading from flags, environment variables, the
 * settings file and the defaults, in this order. The result is checked whole and frozen. Acting on a setting is left
 * to `app`.
 */
import { join, resolve } from 'node:path';
import { HOURS_REGIMES, type HoursRegime } from './base/market/hours-regime.ts';
import { canonicalAddress, isLoopbackAddress, isNetwork } from './base/net/ip-address.ts';
import { fail, ok, type Result } from './base/result.ts';
import { systemFault } from './base/system-fault.ts';
import type { ClockSpeed, EpochMs } from './base/time.ts';
import { CLIENT_VARIABLES } from './client-variables.ts';
import {
  choice,
  countSetting,
  fileSetting,
  isHost,
  momentSetting,
  pathOf,
  portSetting,
  type Setting,
  speedSetting,
  wholeNumber,
} from './setting-kinds.ts';

const RATE_LIMITS = ['off', 'exchange'] as const;
/**
 * Where prices come from: drawn alone; tapes alone; or tapes where there are any and drawn ones for the rest.
 */
export const MARKETS = ['synthetic', 'tape', 'mixed'] as const;
export type MarketName = (typeof MARKETS)[number];
export type RateLimit = (typeof RATE_LIMITS)[number];
const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const ON_OFF = ['on', 'off'] as const;
type OnOff = (typeof ON_OFF)[number];
const DEMO_LOGIN_CHOICES = ['auto', 'on', 'off'] as const;
const AVG_MODELS = ['aggregate', 'running'] as const;

/** The settings of one start, whole and checked. */
export interface Config {
  /** The port of the V1 interface; 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** Names and addresses, beside those that it listens on, under which the service is asked, on both ports. */
  readonly hosts: readonly string[];
  /** Files of the certificate with its chain and of its key, both PEM, as absolute paths; both blank for plain HTTP. */
  readonly tlsCert: string;
  readonly tlsKey: string;
  /** Whether plain HTTP may be spoken where other machines can listen. */
  readonly insecure: OnOff;
  /** Proxies whose word on a client's address is taken: addresses and networks. */
  readonly proxies: readonly string[];
  /** How long a client may take to send the head of a request, and the whole of it. In seconds. */
  readonly headSeconds: number;
  readonly requestSeconds: number;
  /** How long a connection without a request is kept. In seconds. */
  readonly keepAliveSeconds: number;
  /** Connections at the same time, of all addresses and of each. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Requests of one connection; 0 for as many as come. */
  readonly connectionRequests: number;
  /** The operator's port, always on loopback; 0 takes a free one. */
  readonly operatorPort: number;
  /** The data folder as an absolute path. */
  readonly data: string;
  /** The seed of the market's prices, below 2^32. */
  readonly seed: number;
  readonly hours: HoursRegime;
  /** Where it is not given, tapes in the data folder make it `mixed`. */
  readonly market: MarketName;
  /** The instant to which the start brings the market; `kept` leaves it where the data folder has it. */
  readonly clock: EpochMs | 'kept';
  /** The speed that the start gives the market, as of a `ClockLine`; `kept` leaves it as the data folder has it. */
  readonly speed: ClockSpeed | 'kept';
  readonly rateLimit: RateLimit;
  /** Whether orders above the freeze quantity are placed in slices. */
  readonly slicing: OnOff;
  /** Whether a stop whose trigger is crossed as it comes is refused; else it fires at once. */
  readonly strictTrigger: OnOff;
  /** How positions are averaged in the answers to clients. */
  readonly avgModel: (typeof AVG_MODELS)[number];
  readonly log: LogLevel;
  /** Journal records between two snapshots. */
  readonly snapshotRecords: number;
  /** The folder to which compressed segments of the journal are moved, as an absolute path; blank for none. */
  readonly archive: string;
  /** Whether the first start makes demo users. */
  readonly demo: OnOff;
  /** Whether demo users log in without credentials; see `offersDemoLogin`. */
  readonly demoLogin: (typeof DEMO_LOGIN_CHOICES)[number];
  /** Whether outcomes can be asked for. Source: docs/outcomes.md. */
  readonly scenarios: OnOff;
  /**
   * The file that records the end of the audit trail every hour, best on another disk; blank for none.
   * `auditAnchorKey` is the file of the key that signs its entries.
   */
  readonly auditAnchor: string;
  readonly auditAnchorKey: string;
  /** For how many years the audit trail is kept; 0 for ever. */
  readonly auditYears: number;
  /** The cluster file, and the name of this member in it; both blank for a service of one machine. */
  readonly cluster: string;
  readonly member: string;
  /** The settings that were given somewhere; the others are defaults. */
  readonly given: ReadonlySet<SettingName>;
}

export type SettingName = Exclude<keyof Config, 'given'>;

/** Every setting there is. The flags, the variables, the file and the documentation follow this table. */
export const SETTINGS: { readonly [Name in SettingName]: Setting<Config[Name]> } = {
  port: portSetting('--port', 'SAUDA_PORT', 'port of the V1 interface', '8080'),
  host: {
    flag: '--host',
    env: 'SAUDA_HOST',
    about: 'address the V1 interface listens on',
    fallback: '127.0.0.1',
    parse: (text) => (/^[A-Za-z0-9.:-]{1,253}$/.test(text) ? text : undefined),
    takes: 'a host name or an IP address',
  },
  hosts: {
    flag: '--hosts',
    env: 'SAUDA_HOSTS',
    about: 'further names and addresses under which the service is asked, with commas between them',
    fallback: '',
    parse: (text) => {
      const hosts = text === '' ? [] : text.split(',').map((host) => host.trim());
      return hosts.every(isHost) ? hosts : undefined;
    },
    takes: 'host names and IP addresses without a port, with commas between them',
  },
  tlsCert: fileSetting('--tls-cert', 'SAUDA_TLS_CERT', 'certificate with its chain, PEM: the V1 interface speaks TLS'),
  tlsKey: fileSetting('--tls-key', 'SAUDA_TLS_KEY', 'key of the certificate, PEM'),
  insecure: {
    ...choice('--insecure', 'SAUDA_INSECURE', 'whether to speak plain HTTP beyond loopback', ON_OFF, 'off'),
    alone: 'on',
  },
  proxies: {
    flag: '--proxies',
    env: 'SAUDA_PROXIES',
    about: 'proxies whose X-Forwarded-For is believed: addresses and networks, with commas between them',
    fallback: '',
    parse: (text) => {
      const networks = text === '' ? [] : text.split(',').map((network) => network.trim());
      return networks.every(isNetwork) ? networks : undefined;
    },
    takes: 'IP addresses and networks such as 10.0.0.0/8, with commas between them',
  },
  headSeconds: countSetting(
    '--head-seconds',
    'SAUDA_HEAD_SECONDS',
    'longest time for the head of a request',
    10,
    1,
    3600,
  ),
  requestSeconds: countSetting('--request-seconds', 'SAUDA_REQUEST_SECONDS', 'longest time for a request', 30, 1, 3600),
  keepAliveSeconds: countSetting(
    '--keep-alive-seconds',
    'SAUDA_KEEP_ALIVE_SECONDS',
    'how long a connection without a request is kept',
    72,
    1,
    3600,
  ),
  connections: countSetting(
    '--connections',
    'SAUDA_CONNECTIONS',
    'most connections at the same time',
    10_000,
    1,
    1_000_000,
  ),
  connectionsPerAddress: countSetting(
    '--connections-per-address',
    'SAUDA_CONNECTIONS_PER_ADDRESS',
    'most connections from one address, or of one user on loopback and behind proxies',
    1_000,
    1,
    1_000_000,
  ),
  connectionRequests: countSetting(
    '--connection-requests',
    'SAUDA_CONNECTION_REQUESTS',
    'most requests of one connection, 0 for as many as come',
    0,
    0,
    1_000_000_000,
  ),
  operatorPort: portSetting('--operator-port', 'SAUDA_OPERATOR_PORT', "operator's port, on loopback only", '8081'),
  data: {
    flag: '--data',
    env: 'SAUDA_DATA',
    about: 'folder of the journal and of everything else that is kept',
    fallback: './.sauda',
    parse: pathOf,
    takes: 'the path of a folder',
  },
  seed: {
    flag: '--seed',
    env: 'SAUDA_SEED',
    about: 'seed of the market, fixed for a data folder at its first start',
    fallback: '6',
    parse: (text) => wholeNumber(text, 0, 4_294_967_295),
    takes: 'a whole number from 0 to 4294967295',
  },
  hours: choice('--hours', 'SAUDA_HOURS', 'when the market trades, fixed for a data folder', HOURS_REGIMES, 'always'),
  market: choice(
    '--market',
    'SAUDA_MARKET',
    'where prices come from, fixed once a folder has traded',
    MARKETS,
    'synthetic',
  ),
  clock: momentSetting('--clock', 'SAUDA_CLOCK', 'market date and time at which to start, in IST'),
  speed: speedSetting('--speed', 'SAUDA_SPEED', 'how fast market time passes, 0 to let it stand still'),
  rateLimit: choice('--rate-limit', 'SAUDA_RATE_LIMIT', 'limits on request rates', RATE_LIMITS, 'off'),
  slicing: choice(
    '--slicing',
    'SAUDA_SLICING',
    'whether orders above the freeze quantity are placed in slices',
    ON_OFF,
    'off',
  ),
  strictTrigger: choice(
    '--strict-trigger',
    'SAUDA_STRICT_TRIGGER',
    'whether stops whose trigger is crossed already are refused',
    ON_OFF,
    'on',
  ),
  avgModel: choice('--avg-model', 'SAUDA_AVG_MODEL', 'how positions are averaged', AVG_MODELS, 'aggregate'),
  log: choice('--log', 'SAUDA_LOG', 'least severe level that is logged', LOG_LEVELS, 'warn'),
  snapshotRecords: countSetting(
    '--snapshot-records',
    'SAUDA_SNAPSHOT_RECORDS',
    'journal records between two snapshots',
    // Five seconds of a start: the snapshots of a busy service cost it more than they save it.
    500_000,
    100,
    1_000_000_000,
  ),
  demo: choice('--demo', 'SAUDA_DEMO', 'whether the first start makes demo users', ON_OFF, 'on'),
  demoLogin: choice(
    '--demo-login',
    'SAUDA_DEMO_LOGIN',
    'whether demo users log in without credentials',
    DEMO_LOGIN_CHOICES,
    'auto',
  ),
  scenarios: choice('--scenarios', 'SAUDA_SCENARIOS', 'whether outcomes can be asked for', ON_OFF, 'off'),
  archive: {
    ...fileSetting('--archive', 'SAUDA_ARCHIVE', 'folder to which compressed segments of the journal are moved'),
    takes: 'the path of a folder',
  },
  auditAnchor: fileSetting('--audit-anchor', 'SAUDA_AUDIT_ANCHOR', 'file that records the end of the audit trail'),
  auditAnchorKey: fileSetting(
    '--audit-anchor-key',
    'SAUDA_AUDIT_ANCHOR_KEY',
    'file of the key that signs the entries of the audit anchor',
  ),
  auditYears: {
    flag: '--audit-years',
    env: 'SAUDA_AUDIT_YEARS',
    about: 'for how many years the audit trail is kept, 0 for ever',
    fallback: '0',
    parse: (text) => (text === '0' ? 0 : wholeNumber(text, 5, 1_000)),
    takes: '0, or a whole number from 5 to 1000',
  },
  cluster: fileSetting('--cluster', 'SAUDA_CLUSTER', 'cluster file: the service is a member of that cluster'),
  member: {
    flag: '--member',
    env: 'SAUDA_MEMBER',
    about: 'name of this member in the cluster file',
    fallback: '',
    parse: (text) => (/^[A-Za-z0-9._-]{0,64}$/.test(text) ? text : undefined),
    takes: 'a name of up to 64 letters, digits, dots, hyphens and underscores',
  },
};

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
/** Names the settings file; it is not a setting itself, as the file cannot name itself. */
export const CONFIG_FLAG = '--config';
export const CONFIG_ENV = 'SAUDA_CONFIG';
/** The settings file in the data folder that is read when no other is named. */
export const CONFIG_FILE = 'sauda.json';

/** Where settings come from. */
export interface ConfigSources {
  /** Texts given by flag, by setting; `config` is the path of a settings file. */
  readonly flags: Readonly<Partial<Record<SettingName | 'config', string>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file, `undefined` when there is none. Throws what the operating system refuses. */
  readonly readFile: (path: string) => string | undefined;
}

interface Given {
  readonly text: string;
  /** Where the text stood, for a message: `--port`, `SAUDA_PORT`, `port in sauda.json`. */
  readonly place: string;
}

/**
 * One frozen Config of flag before environment before file before default. Fails with every fault there is, one line
 * each, so that they can be corrected at once.
 */
export function loadConfig(sources: ConfigSources): Result<Config, readonly string[]> {
  const faults: string[] = [...unknownVariables(sources.env)];
  const given = new Map<SettingName, Given>();
  for (const name of SETTING_NAMES) {
    const { flag, env } = SETTINGS[name];
    const fromFlag = sources.flags[name];
    const fromEnv = sources.env[env];
    if (fromFlag !== undefined) given.set(name, { text: fromFlag, place: flag });
    else if (fromEnv !== undefined && fromEnv !== '') given.set(name, { text: fromEnv, place: env });
  }
  for (const [name, found] of settingsOfFile(sources, given.get('data')?.text, faults)) {
    if (!given.has(name)) given.set(name, found);
  }
  const value = <Name extends SettingName>(name: Name): Config[Name] => {
    const { parse, fallback, takes, isPath } = SETTINGS[name] as Setting<Config[Name]>;
    const found = given.get(name);
    const parsed = isPath && found?.text.trim() === '' ? undefined : parse(found?.text ?? fallback);
    if (parsed !== undefined) return parsed;
    faults.push(`${found?.place ?? name} is ${JSON.stringify(found?.text)}: it must be ${takes}`);
    return parse(fallback) as Config[Name];
  };
  const config: Config = {
    port: value('port'),
    host: value('host'),
    hosts: value('hosts'),
    tlsCert: value('tlsCert'),
    tlsKey: value('tlsKey'),
    insecure: value('insecure'),
    proxies: value('proxies'),
    headSeconds: value('headSeconds'),
    requestSeconds: value('requestSeconds'),
    keepAliveSeconds: value('keepAliveSeconds'),
    connections: value('connections'),
    connectionsPerAddress: value('connectionsPerAddress'),
    connectionRequests: value('connectionRequests'),
    operatorPort: value('operatorPort'),
    data: value('data'),
    seed: value('seed'),
    hours: value('hours'),
    market: value('market'),
    clock: value('clock'),
    speed: value('speed'),
    rateLimit: value('rateLimit'),
    slicing: value('slicing'),
    strictTrigger: value('strictTrigger'),
    avgModel: value('avgModel'),
    log: value('log'),
    snapshotRecords: value('snapshotRecords'),
    archive: value('archive'),
    demo: value('demo'),
    demoLogin: value('demoLogin'),
    scenarios: value('scenarios'),
    auditAnchor: value('auditAnchor'),
    auditAnchorKey: value('auditAnchorKey'),
    auditYears: value('auditYears'),
    cluster: value('cluster'),
    member: value('member'),
    given: new Set(given.keys()),
  };
  faults.push(...contradictions(config));
  return faults.length > 0 ? fail(faults) : ok(Object.freeze(config));
}

/** The fault of settings that are right each by itself. */
function contradictions(config: Config): string[] {
  const { port, operatorPort, host, tlsCert, tlsKey, insecure, cluster, member } = config;
  const faults: string[] = [];
  if (port !== 0 && port === operatorPort) {
    faults.push(`the port and the operator's port are both ${port}: they must differ`);
  }
  if ((tlsCert === '') !== (tlsKey === '')) {
    faults.push(`${SETTINGS.tlsCert.flag} and ${SETTINGS.tlsKey.flag} go together: one of them is missing`);
  }
  if (cluster === '' && member !== '') {
    faults.push(`${SETTINGS.member.flag} is given without ${SETTINGS.cluster.flag}`);
  }
  if (tlsCert === '' && insecure === 'off' && !isLoopback(host)) {
    faults.push(
      `the host ${host} is not loopback, and passwords and tokens would go over the network in the clear: ` +
        `give ${SETTINGS.tlsCert.flag} and ${SETTINGS.tlsKey.flag}, or ${SETTINGS.insecure.flag} when something else protects them`,
    );
  }
  return faults;
}

/** True for an address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}

/**
 * Whether demo users log in without credentials. By itself only where nobody but people of this machine reaches the
 * service: further names and proxies are there to bring others.
 */
export function offersDemoLogin({
  demoLogin,
  host,
  hosts,
  proxies,
}: Pick<Config, 'demoLogin' | 'host' | 'hosts' | 'proxies'>): boolean {
  if (demoLogin !== 'auto') return demoLogin === 'on';
  return isLoopback(host) && hosts.length === 0 && proxies.length === 0;
}

/**
 * The names of the V1 interface: the address that it listens on, further ones and, where it listens on all addresses of
 * `machine`, that name too.
 */
export function ownNames({ host, hosts }: Pick<Config, 'host' | 'hosts'>, machine: string): readonly string[] {
  if (['0.0.0.0', '::'].includes(canonicalAddress(host) ?? host)) return [host, ...hosts, 'localhost', machine];
  return isLoopback(host) ? [host, ...hosts, 'localhost'] : [host, ...hosts];
}

function unknownVariables(env: ConfigSources['env']): string[] {
  const known = new Set<string>([CONFIG_ENV, ...CLIENT_VARIABLES, ...SETTING_NAMES.map((name) => SETTINGS[name].env)]);
  const unknown = Object.keys(env).filter((key) => key.startsWith('SAUDA_') && !known.has(key));
  return unknown.map((key) => `${key} is not a setting`);
}

function settingsOfFile(
  sources: ConfigSources,
  dataText: string | undefined,
  faults: string[],
): Map<SettingName, Given> {
  const named = sources.flags.config ?? (sources.env[CONFIG_ENV] || undefined);
  const path = named ?? join(resolve(dataText ?? SETTINGS.data.fallback), CONFIG_FILE);
  if (path.trim() === '') {
    faults.push(`${CONFIG_FLAG} is ${JSON.stringify(path)}: it must be the path of a file`);
    return new Map();
  }
  const text = readSettings(path, sources);
  if (!text.ok) faults.push(text.error);
  else if (text.value === undefined && named !== undefined) faults.push(`${CONFIG_FLAG}: there is no file ${path}`);
  if (!text.ok || text.value === undefined) return new Map();
  const found = new Map<SettingName, Given>();
  for (const [key, value] of Object.entries(parseObject(text.value, path, faults))) {
    const place = `${key} in ${path}`;
    if (!isSetting(key)) faults.push(`${WORD.test(key) ? place : `a name in ${path}`} is not a setting`);
    else if (key === 'data' && named === undefined)
      faults.push(`${place}: a file in the data folder cannot name the folder`);
    else if (typeof value === 'string' || typeof value === 'number') found.set(key, { text: String(value), place });
    else faults.push(`${place} must be a text or a number`);
  }
  return found;
}

/** The text of the settings file, `undefined` when there is none; a message when it cannot be read. */
function readSettings(path: string, { readFile }: ConfigSources): Result<string | undefined, string> {
  try {
    return ok(readFile(path));
  } catch (error) {
    const fault = systemFault(error);
    if (fault === undefined) throw error;
    return fail(`${path} cannot be read: ${fault}`);
  }
}

function parseObject(text: string, path: string, faults: string[]): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Not in the parser's words, which quote the text: the file may be another's.
    if (!(error instanceof SyntaxError)) throw error;
    faults.push(`${path} is not JSON`);
    return {};
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  faults.push(`${path} must hold one JSON object`);
  return {};
}

/** A name that could have been meant for a setting; any other text of a file may be a secret of somebody. */
const WORD = /^[A-Za-z]{1,24}$/;

function isSetting(key: string): key is SettingName {
  return Object.hasOwn(SETTINGS, key);
}
