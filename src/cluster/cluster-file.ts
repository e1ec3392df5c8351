/**
 * The cluster file, which is the same on every machine: the members, the log that they share, and how long a leader may
 * be silent. It is read and checked whole here; whether the log is as it must be is asked in `start-gate.ts`.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { fail, ok, type Result } from '../base/result.ts';
import { systemFault } from '../base/system-fault.ts';
import { CLUSTER_LIMITS } from './cluster-limits.ts';

/** A file above this is not a cluster file. In bytes. */
const MOST_BYTES = 1_048_576;
/** The machines of a log: a majority of them is two. */
const LOG_SERVERS = 3;
const KEEP_HOURS = 72;

const Name = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9-]{0,31}$', takes: 'a name of letters, digits and -' });
const WebUrl = Type.String({ pattern: '^https?://[^\\s/]+/?$', takes: 'an address such as https://one.example:8080' });
const LogUrl = Type.String({
  pattern: '^(nats|tls)://[^\\s/@]+$',
  takes: 'an address such as nats://10.0.0.1:4222, without a user',
});
const Path = Type.String({ pattern: '\\S', takes: 'the path of a file' });

const MEMBER = Type.Object(
  { name: Name, publicUrl: WebUrl, logServer: Type.Optional(Name) },
  { additionalProperties: false, takes: 'an object' },
);
const SERVER = Type.Object(
  { name: Name, url: LogUrl, monitor: WebUrl },
  { additionalProperties: false, takes: 'an object' },
);
const TLS = Type.Object(
  { ca: Path, cert: Type.Optional(Path), key: Type.Optional(Path) },
  { additionalProperties: false, takes: 'an object' },
);
const LOG = Type.Object(
  {
    folder: Type.Optional(Path),
    servers: Type.Optional(Type.Array(SERVER, { takes: 'a list of log servers' })),
    lanes: Type.Optional(
      Type.Object({ a: Name, b: Name }, { additionalProperties: false, takes: 'the names of the two lanes' }),
    ),
    credentials: Type.Optional(Path),
    user: Type.Optional(Type.String({ pattern: '\\S', takes: 'the name of a user of the log' })),
    passwordFile: Type.Optional(Path),
    tls: Type.Optional(TLS),
    keepHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_760, takes: 'a whole number from 1 to 8760' })),
  },
  { additionalProperties: false, takes: 'an object' },
);
const CLUSTER_FILE = Type.Object(
  {
    name: Name,
    members: Type.Array(MEMBER, { minItems: 1, maxItems: 9, takes: 'a list of 1 to 9 members' }),
    log: LOG,
    silenceMs: Type.Optional(
      Type.Integer({ minimum: 300, maximum: 30_000, takes: 'a whole number of milliseconds from 300 to 30000' }),
    ),
  },
  { additionalProperties: false, takes: 'an object' },
);
const CHECK = Compile(CLUSTER_FILE);

/**
 * A machine that runs the service. Its `logServer` is the name of the log's server on the same machine, which is lost
 * together with the member; absent where there is none.
 */
export type ListedMember = Readonly<Static<typeof MEMBER>>;
/** A server of the log. Its monitor is the address of its own monitoring port, which shows how it keeps messages. */
export type LogServer = Readonly<Static<typeof SERVER>>;

/** How one is let into the log: paths are absolute. */
export interface LogAccess {
  /** A file of credentials as the log's own tools write it. */
  readonly credentials?: string;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly tls?: { readonly ca: string; readonly cert?: string; readonly key?: string };
}

/** A log of three servers. */
export interface ServerLog {
  readonly type: 'Servers';
  readonly servers: readonly LogServer[];
  /** The names of the streams. */
  readonly lanes: { readonly a: string; readonly b: string };
  readonly access: LogAccess;
  /** For how long lanes keep a message. In hours. */
  readonly keepHours: number;
}

/** A log in a folder of one machine: for trying a cluster out, since it goes with its machine. */
export interface FolderLog {
  readonly type: 'Folder';
  readonly folder: string;
}

/** A cluster as its file describes it, whole and checked. */
export interface ClusterFile {
  /** The path of the file, for messages. */
  readonly path: string;
  readonly name: string;
  readonly members: readonly ListedMember[];
  readonly log: ServerLog | FolderLog;
  /** A leader that is silent for this time is followed by another one. In milliseconds. */
  readonly silenceMs: number;
}

/**
 * Reads a cluster file. Fails with its faults, each a line that names the file and the field. Contradictions between
 * fields are found when each field is right by itself.
 */
export function readClusterFile(path: string): Result<ClusterFile, readonly string[]> {
  const text = textOf(path);
  return text.ok ? parseClusterFile(text.value, path) : fail([text.error]);
}

/** Reads the text of a cluster file; paths in it start from the folder of `path`. */
export function parseClusterFile(text: string, path: string): Result<ClusterFile, readonly string[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Not in the parser's words, which quote the text: the file may be another's.
    if (!(error instanceof SyntaxError)) throw error;
    return fail([`${path} is not JSON`]);
  }
  const faults = CHECK.Check(value) ? contradictions(value) : schemaFaults(value);
  if (faults.length > 0) return fail(faults.map((fault) => `${path}: ${fault}`));
  return ok(clusterOf(value as Static<typeof CLUSTER_FILE>, path));
}

function textOf(path: string): Result<string, string> {
  try {
    if (statSync(path).size > MOST_BYTES) return fail(`${path} is too large for a cluster file`);
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    const fault = systemFault(error);
    if (fault === undefined) throw error;
    return fail(`${path} cannot be read: ${fault}`);
  }
}

/** The faults of single fields. */
function schemaFaults(value: unknown): string[] {
  const lines = CHECK.Errors(value).flatMap(({ keyword, schemaPath, instancePath, params }) => {
    const field = fieldOf(instancePath);
    if (keyword === 'additionalProperties') return [];
    if (keyword === 'required') {
      const { requiredProperties } = params as { requiredProperties: readonly string[] };
      return requiredProperties.map((name) => `${field === '' ? '' : `${field}.`}${name} is missing`);
    }
    if (keyword === 'boolean') return [`${field} is not a field of a cluster file`];
    return [`${field === '' ? 'the content' : field} must be ${takenAt(schemaPath)}`];
  });
  return [...new Set(lines)];
}

/** `/members/0/name` is `members[0].name`. */
function fieldOf(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`)).join('');
}

function takenAt(schemaPath: string): string {
  let schema: unknown = CLUSTER_FILE;
  for (const step of schemaPath.split('/').slice(1)) schema = (schema as Record<string, unknown>)[step];
  return (schema as { takes: string }).takes;
}

/** The faults of fields that are right each by itself. */
function contradictions({ members, log }: Static<typeof CLUSTER_FILE>): string[] {
  const faults = [...twice('members', 'name', members), ...twice('members', 'publicUrl', members)];
  if ((log.folder === undefined) === (log.servers === undefined)) {
    faults.push('log must have either servers or a folder');
  }
  const servers = log.servers?.map(({ name }) => name) ?? [];
  faults.push(
    ...members.flatMap(({ logServer }, index) => {
      if (logServer === undefined || servers.includes(logServer)) return [];
      return [`members[${index}].logServer is not a server of the log: ${logServer}`];
    }),
  );
  if (log.servers === undefined) return [...faults, ...ofServersAlone(log)];
  if (log.servers.length !== LOG_SERVERS) faults.push(`log.servers must be ${LOG_SERVERS} servers`);
  faults.push(...twice('log.servers', 'name', log.servers), ...twice('log.servers', 'url', log.servers));
  faults.push(...twice('log.servers', 'monitor', log.servers));
  if (log.lanes !== undefined && log.lanes.a === log.lanes.b) faults.push('log.lanes.b must be another lane than a');
  return [...faults, ...accessFaults(log)];
}

function accessFaults({ credentials, user, passwordFile, tls }: Static<typeof LOG>): string[] {
  const faults: string[] = [];
  if ((user === undefined) !== (passwordFile === undefined)) faults.push('log.user and log.passwordFile go together');
  if (credentials !== undefined && user !== undefined) {
    faults.push('log.credentials and log.user are two ways to log in: give one');
  }
  if ((tls?.cert === undefined) !== (tls?.key === undefined)) faults.push('log.tls.cert and log.tls.key go together');
  return faults;
}

const OF_SERVERS = ['lanes', 'credentials', 'user', 'passwordFile', 'tls', 'keepHours'] as const;

function ofServersAlone(log: Static<typeof LOG>): string[] {
  const given = OF_SERVERS.filter((field) => log[field] !== undefined);
  return given.map((field) => `log.${field} is for a log of servers alone`);
}

function twice<Row, Field extends keyof Row & string>(list: string, field: Field, rows: readonly Row[]): string[] {
  return rows.flatMap((row, index) => {
    const first = rows.findIndex((other) => other[field] === row[field]);
    return first < index ? [`${list}[${index}].${field} is that of ${list}[${first}] too`] : [];
  });
}

function clusterOf(given: Static<typeof CLUSTER_FILE>, path: string): ClusterFile {
  const { name, members, silenceMs = CLUSTER_LIMITS.silenceMs } = given;
  return { path, name, members, log: logOf(given.log, given.name, dirname(resolve(path))), silenceMs };
}

function logOf(given: Static<typeof LOG>, cluster: string, base: string): ServerLog | FolderLog {
  if (given.folder !== undefined) return { type: 'Folder', folder: resolve(base, given.folder) };
  const { servers = [], lanes, user, keepHours = KEEP_HOURS } = given;
  const at = (path: string): string => resolve(base, path);
  const { credentials, passwordFile, tls } = given;
  const access: LogAccess = {
    ...(credentials !== undefined && { credentials: at(credentials) }),
    ...(user !== undefined && { user }),
    ...(passwordFile !== undefined && { passwordFile: at(passwordFile) }),
    ...(tls !== undefined && {
      tls: {
        ca: at(tls.ca),
        ...(tls.cert !== undefined && { cert: at(tls.cert) }),
        ...(tls.key !== undefined && { key: at(tls.key) }),
      },
    }),
  };
  return { type: 'Servers', servers, lanes: lanes ?? { a: `${cluster}-a`, b: `${cluster}-b` }, access, keepHours };
}
