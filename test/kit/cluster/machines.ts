/**
 * The network of a cluster whose members have ways of their own to the log. A machine has a member and a server of the
 * log; each is cut off alone or with the other, in one direction or in both.
 */
import { MEMBERS, type MemberName } from './member-processes.ts';
import { type Doors, type NatsCluster, SERVER_NAMES, type ServerName } from './nats-cluster.ts';
import type { Direction } from './tcp-wire.ts';

/** The messages of a cut part that are held back: all that are sent to it, all of both ways, or all that it sends. */
export const CUTS = ['received', 'both', 'sent'] as const;
export type Cut = (typeof CUTS)[number];

/** The server of the log on the machine of a member. */
export function serverOf(member: MemberName): ServerName {
  return SERVER_NAMES[MEMBERS.indexOf(member)] ?? 'n1';
}

/** The ways of a cluster: those of each member to each server, and those between the servers. */
export class Machines {
  private readonly log: NatsCluster;
  private readonly doors: ReadonlyMap<MemberName, Doors>;

  private constructor(log: NatsCluster, doors: ReadonlyMap<MemberName, Doors>) {
    this.log = log;
    this.doors = doors;
  }

  static async over(log: NatsCluster, lanes: { readonly a: string; readonly b: string }): Promise<Machines> {
    const doors = new Map<MemberName, Doors>();
    for (const name of MEMBERS) doors.set(name, await log.doorsOf(lanes));
    return new Machines(log, doors);
  }

  /** The ways of a member to the log. */
  doorsOf(member: MemberName): Doors {
    return this.doors.get(member) as Doors;
  }

  /** Cuts a member off from all servers of the log. */
  cutMember(member: MemberName, cut: Cut): void {
    this.doorsOf(member).cut(SERVER_NAMES, LOST_OF_MEMBER[cut]);
  }

  /** Cuts a server off from the two others. Members still reach all three. */
  cutServer(server: ServerName, cut: Cut): void {
    for (const other of SERVER_NAMES) {
      if (other === server) continue;
      if (cut !== 'received') this.log.cutOneWay(server, other);
      if (cut !== 'sent') this.log.cutOneWay(other, server);
    }
  }

  /** Cuts the machine of a member off from the two others: the member reaches the server beside it alone. */
  cutMachine(member: MemberName, cut: Cut): void {
    const own = serverOf(member);
    this.cutServer(own, cut);
    for (const name of MEMBERS) {
      if (name !== member) this.doorsOf(name).cut([own], LOST_OF_SERVER[cut]);
      else
        this.doorsOf(name).cut(
          SERVER_NAMES.filter((server) => server !== own),
          LOST_OF_MEMBER[cut],
        );
    }
  }

  /** Makes all ways whole: what was held back arrives. */
  heal(): void {
    for (const doors of this.doors.values()) doors.heal();
    this.log.heal();
  }
}

/** Members connect to servers. */
const LOST_OF_MEMBER: Readonly<Record<Cut, readonly Direction[]>> = {
  both: ['there', 'back'],
  sent: ['there'],
  received: ['back'],
};
const LOST_OF_SERVER: Readonly<Record<Cut, readonly Direction[]>> = {
  both: ['there', 'back'],
  sent: ['back'],
  received: ['there'],
};
