/**
 * Whether the market of a member, which its start made of the files of then, can go on with the history of the cluster.
 * A leader that cannot ends at its first step, when the others are fenced already.
 */
import { messageOf } from '../../../base/system-fault.ts';
import type { Live } from '../../../engine/live.ts';
import type { DataFolder } from '../../../folder/data-folder.ts';
import type { Identity } from '../../../folder/identity.ts';
import { namedInstruments } from '../../../views/named-instruments.ts';
import { type OpenedMarket, unknownOf } from '../../opened-market.ts';
import { pastChange } from '../../tapes/followed-tapes.ts';

/** Shorter than the silence after which a member stands for leader. */
const LOOK_MS = 500;
/** A look walks all accounts: with very many of them it comes less often, so that it takes a fortieth of the time. */
const REST = 40;

interface FitMarketParts {
  readonly folder: DataFolder;
  readonly identity: Identity;
  readonly world: Pick<OpenedMarket, 'instruments' | 'followed'>;
  readonly live: Pick<Live, 'state' | 'views' | 'seq'>;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

export class FitMarket {
  private readonly parts: FitMarketParts;
  private found: { readonly fault: string | undefined; readonly seq: number; readonly until: number } | undefined;

  constructor(parts: FitMarketParts) {
    this.parts = parts;
  }

  /**
   * Why this member could not go on; `undefined` when it could. Half a second old at most, or forty times as old as a
   * look takes.
   */
  fault(): string | undefined {
    const { live, elapsed } = this.parts;
    const { found } = this;
    const isSame = found?.seq === live.seq && found.fault === undefined;
    const began = elapsed();
    if (found !== undefined && (isSame || began < found.until)) return found.fault;
    const fault = this.look();
    const ended = elapsed();
    this.found = { fault, seq: live.seq, until: ended + Math.max(LOOK_MS, REST * (ended - began)) };
    return fault;
  }

  private look(): string | undefined {
    const { world, live } = this.parts;
    const unknown = unknownOf(world.instruments, namedInstruments(live.state, live.views));
    if (unknown !== undefined) {
      return `no instrument has the token ${unknown} here: restart this member once it has the file of the leader`;
    }
    const change = this.pastChange();
    return change && `its tapes are not those that the leader follows: ${change}; restart this member once it has them`;
  }

  /** Asked from a timer: a file that cannot be read is a reason too. */
  private pastChange(): string | undefined {
    const { folder, identity, world, live } = this.parts;
    try {
      return pastChange(folder, identity, world.followed, live.state);
    } catch (error) {
      return messageOf(error);
    }
  }
}
