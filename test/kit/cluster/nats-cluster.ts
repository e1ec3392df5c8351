/**
 * A log of three NATS servers for tests, with the ways between them and to them: servers can be killed, stopped and cut
 * off. The servers end with the process of the tests, and their folder goes with them, however that ends.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogServer, ServerLog } from '../../../src/cluster/cluster-file.ts';
import { freePorts } from './free-ports.ts';
import { NatsServer } from './nats-server.ts';
import { type Direction, TcpWire } from './tcp-wire.ts';

const HOST = '127.0.0.1';
/** The names of the servers. */
export const SERVER_NAMES = ['n1', 'n2', 'n3'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

/** How the servers of a test differ from those of a sound log. */
export interface NatsOptions {
  /** In place of `always`. */
  readonly syncInterval?: string;
  /** In place of 8 MB. */
  readonly maxPayload?: string;
  /** Further lines of the configuration. */
  readonly more?: readonly string[];
  /** The folder of a server's store, which is there; one beside its configuration when absent. */
  readonly storeOf?: (name: ServerName) => string;
  /** True where no way is cut: servers reach each other without the process of the test, which may stand still. */
  readonly isDirect?: boolean;
}

/** The ways of one client to the servers, which can be cut without any other client. */
export interface Doors {
  /** The log as this client is to know it. */
  readonly log: ServerLog;
  /** Cuts the ways to some of the servers, or to all, in one direction or both. */
  cut(servers?: readonly ServerName[], directions?: readonly Direction[]): void;
  heal(): void;
}

interface Ports {
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
}

export class NatsCluster {
  readonly folder: string;
  private readonly ports: Readonly<Record<ServerName, Ports>>;
  private readonly servers: Readonly<Record<ServerName, NatsServer>>;
  /** By `n1>n2`: the way of the route that a server makes to a later one. */
  private readonly routes: ReadonlyMap<string, TcpWire>;
  private readonly doors: TcpWire[] = [];
  private readonly remover: { end(): void };

  private constructor(
    folder: string,
    ports: Readonly<Record<ServerName, Ports>>,
    routes: ReadonlyMap<string, TcpWire>,
  ) {
    this.folder = folder;
    this.ports = ports;
    this.routes = routes;
    this.servers = forEach((name) => new NatsServer(name, join(folder, `${name}.conf`), ports[name].monitor));
    this.remover = removeAtTheEnd(folder);
  }

  /** Starts three servers and waits until they are one cluster. */
  static async start(options: NatsOptions = {}): Promise<NatsCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'sauda-nats-'));
    const free = await freePorts(3 * SERVER_NAMES.length);
    const ports = forEach((_name, index) => {
      const [client = 0, route = 0, monitor = 0] = free.slice(3 * index);
      return { client, route, monitor };
    });
    const routes = new Map<string, TcpWire>();
    for (const [from, to] of options.isDirect === true ? [] : pairs())
      routes.set(`${from}>${to}`, await TcpWire.to(ports[to].route));
    const cluster = new NatsCluster(folder, ports, routes);
    for (const name of SERVER_NAMES) cluster.configure(name, options);
    // A route that is refused is tried again after a second, and the first election may then wait for 4 to 9.
    cluster.waitForRoutes(true);
    for (const name of SERVER_NAMES) cluster.server(name).start();
    await cluster.ready();
    cluster.waitForRoutes(false);
    return cluster;
  }

  server(name: ServerName): NatsServer {
    return this.servers[name];
  }

  /** Waits until every server is part of the cluster and up to date. */
  async ready(): Promise<void> {
    await Promise.all(SERVER_NAMES.map((name) => this.server(name).ready()));
  }

  /** The log as a client on the same network knows it. */
  log(lanes = { a: 'lane-a', b: 'lane-b' }): ServerLog {
    return this.logOver(lanes, (name) => this.ports[name].client);
  }

  /** Ways of a client of its own. */
  async doorsOf(lanes = { a: 'lane-a', b: 'lane-b' }): Promise<Doors> {
    const wires = new Map<ServerName, TcpWire>();
    for (const name of SERVER_NAMES) wires.set(name, await TcpWire.to(this.ports[name].client));
    this.doors.push(...wires.values());
    return {
      log: this.logOver(lanes, (name) => wires.get(name)?.port ?? 0),
      cut: (servers = SERVER_NAMES, directions = ['there', 'back']) => {
        for (const name of servers) for (const direction of directions) wires.get(name)?.cut(direction);
      },
      heal: () => {
        for (const wire of wires.values()) wire.heal();
      },
    };
  }

  /** Holds back what `from` sends to `to`, whichever of the two made the connection. */
  cutOneWay(from: ServerName, to: ServerName): void {
    this.routes.get(`${from}>${to}`)?.cut('there');
    this.routes.get(`${to}>${from}`)?.cut('back');
  }

  /** Cuts a server off from the two others, both ways. */
  isolate(name: ServerName): void {
    for (const other of SERVER_NAMES) {
      if (other === name) continue;
      this.cutOneWay(name, other);
      this.cutOneWay(other, name);
    }
  }

  /** Makes all ways between the servers whole. */
  heal(): void {
    for (const wire of this.routes.values()) wire.heal();
  }

  /** Ends the servers and removes their folder. */
  async close(): Promise<void> {
    await Promise.all(SERVER_NAMES.map((name) => this.server(name).kill()));
    for (const wire of [...this.routes.values(), ...this.doors]) wire.close();
    rmSync(this.folder, { recursive: true, force: true });
    this.remover.end();
  }

  private waitForRoutes(patient: boolean): void {
    for (const wire of this.routes.values()) wire.patient = patient;
  }

  private logOver(lanes: ServerLog['lanes'], portOf: (name: ServerName) => number): ServerLog {
    const servers: LogServer[] = SERVER_NAMES.map((name) => ({
      name,
      url: `nats://${HOST}:${portOf(name)}`,
      monitor: `http://${HOST}:${this.ports[name].monitor}`,
    }));
    return { type: 'Servers', servers, lanes, access: {}, keepHours: 1 };
  }

  private configure(
    name: ServerName,
    { syncInterval = 'always', maxPayload = '8MB', more = [], storeOf, isDirect }: NatsOptions,
  ): void {
    const { client, route, monitor } = this.ports[name];
    const others = SERVER_NAMES.filter((other) => other !== name);
    // Two servers that each make a route to the other close one of both, now and then both. The number of routes stays:
    // it is the size of the cluster.
    const isMade = (other: ServerName): boolean => pairs().some(([from, to]) => from === name && to === other);
    const portOf = (other: ServerName, index: number): number => {
      if (isDirect === true && isMade(other)) return this.ports[other].route;
      return this.routes.get(`${name}>${other}`)?.port ?? index + 1;
    };
    const ways = others.map((other, index) => `"nats://${HOST}:${portOf(other, index)}"`);
    const store = join(storeOf?.(name) ?? this.folder, name);
    mkdirSync(store);
    writeFileSync(
      join(this.folder, `${name}.conf`),
      [
        `server_name: ${name}`,
        `listen: "${HOST}:${client}"`,
        `http: "${HOST}:${monitor}"`,
        `max_payload: ${maxPayload}`,
        `jetstream { store_dir: "${store}", sync_interval: ${syncInterval}, max_file_store: 4GB }`,
        // Nobody listens at the port that a server names to the others: its routes are those below, which can be cut.
        `cluster { name: lanes, listen: "${HOST}:${route}", advertise: "${HOST}:9", pool_size: -1, routes: [${ways.join(', ')}] }`,
        ...more,
      ].join('\n'),
    );
  }
}

function forEach<T>(make: (name: ServerName, index: number) => T): Readonly<Record<ServerName, T>> {
  return { n1: make('n1', 0), n2: make('n2', 1), n3: make('n3', 2) };
}

function pairs(): [ServerName, ServerName][] {
  return [
    ['n1', 'n2'],
    ['n1', 'n3'],
    ['n2', 'n3'],
  ];
}

/** Removes a folder when this process is gone, also one that was killed. */
function removeAtTheEnd(folder: string): { end(): void } {
  const shell = spawn('sh', ['-c', 'read _; sleep 1; rm -rf "$1"', 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  const { stdin } = shell;
  (stdin as unknown as { unref(): void }).unref();
  return { end: () => void stdin.end() };
}
