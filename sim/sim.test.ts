import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { OrderNumber, Tick } from '../src/base/ids.ts';
import type { Paise, Quantity } from '../src/base/money.ts';
import { DAY_MS, wallOf } from '../src/base/time.ts';
import { positionKey } from '../src/core/account.ts';
import type { Event } from '../src/core/event.ts';
import { booksToMove } from '../src/core/ledger/books.ts';
import type { Side } from '../src/core/order.ts';
import type { State } from '../src/core/state.ts';
import { NaiveBook, type NaiveOrder } from '../test/reference/naive-book.ts';
import type { Controls } from './controls.ts';
import { Episode, EpisodeFailed } from './episode.ts';

/** Every day another one; the failure names it. */
const FRESH = Number(process.env.SAUDA_SIM_SEED ?? Math.floor(Date.now() / DAY_MS));
const COMMANDS = 2_000;

interface KeptSeed {
  readonly seed: number;
  readonly commands: number;
  readonly why: string;
}

function keptSeeds(): KeptSeed[] {
  const text = readFileSync(join(import.meta.dirname, 'seeds.txt'), 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, seed, commands, why] = /^(\d+) (\d+) (.+)$/.exec(line) ?? [];
    assert.ok(seed !== undefined && commands !== undefined && why !== undefined, `not a kept seed: ${line}`);
    return { seed: Number(seed), commands: Number(commands), why };
  });
}

describe('whole runs that failed once', () => {
  for (const { seed, commands, why } of keptSeeds()) {
    it(`hold now: seed ${seed}, ${why}`, async () => {
      await new Episode({ seed, commands }).run();
    });
  }
});

describe('a whole run', () => {
  it(`keeps every promise (seed ${FRESH})`, async (t) => {
    const { sent, decided, starts, met } = await new Episode({ seed: FRESH, commands: COMMANDS }).run();
    assert.ok(sent >= COMMANDS && decided >= sent, `${sent} commands were sent, ${decided} decided`);
    t.diagnostic(`${starts} starts, ${met.missed().length} situations not met`);
  });

  it('keeps every promise when most placements ask for an outcome', async () => {
    const { outcomes } = await new Episode({ seed: 2_100, commands: 600, outcomePercent: 95 }).run();
    assert.ok(outcomes > 200, `${outcomes} outcomes`);
  });

  it('is the same for the same seed, to the last bit of its journal', async () => {
    const [first, second] = [
      await new Episode({ seed: 7, commands: 600 }).run(),
      await new Episode({ seed: 7, commands: 600 }).run(),
    ];
    assert.equal(first.chain, second.chain);
    assert.notEqual(first.chain, (await new Episode({ seed: 8, commands: 600 }).run()).chain);
  });
});

/** The first of some seeds that fails, and what it said. */
async function failureOf(controls: () => Controls, seeds: readonly number[], commands: number): Promise<string> {
  for (const seed of seeds) {
    try {
      await new Episode({ seed, commands, controls: controls() }).run();
    } catch (error) {
      if (!(error instanceof EpisodeFailed)) throw error;
      return error.message;
    }
  }
  return 'nothing was found';
}

/** Protections that are taken away, and what must be found then. */
const TAKEN_AWAY: readonly (readonly [what: string, controls: Controls, found: RegExp])[] = [
  ['flushes do nothing', { liesInFlushes: true }, /acknowledged|journal/],
  [
    'flushes of the journal do nothing, those of the mark do',
    { liesInSegments: true },
    /durable history is shorter|not a segment|no journal|are not a group|ends in its header/,
  ],
  ['replies do not wait for the disk', { repliesAtOnce: true }, /the disk holds/],
];

describe('without a protection the simulator finds what was lost when', () => {
  for (const [what, controls, found] of TAKEN_AWAY) {
    it(what, async () => {
      assert.match(await failureOf(() => controls, [1, 2, 3, 4, 5, 6], 2_000), found);
    });
  }
});

type Spoil = NonNullable<Controls['spoil']>;

/** Spoils the state once, at the first record in which it can. */
function once(spoil: (state: State, events: readonly Event[]) => boolean): Spoil {
  let done = false;
  return (state, _command, events) => {
    if (!done && events.length > 0) done = spoil(state, events);
  };
}

function find<Type extends Event['type']>(
  events: readonly Event[],
  type: Type,
): Extract<Event, { type: Type }> | undefined {
  return events.find((event): event is Extract<Event, { type: Type }> => event.type === type);
}

const SPOILED: readonly (readonly [what: string, spoil: () => Spoil, found: RegExp])[] = [
  [
    'margin of a cancelled order stays blocked',
    () => (state, _command, events) => {
      const blocked = find(events, 'OrderCancelled') && find(events, 'MarginBlocked');
      const account = blocked && state.accounts.at(blocked.account);
      const portfolio = blocked && account?.portfolios.get(blocked.group);
      if (account === undefined || portfolio === undefined) return;
      portfolio.parts = { ...portfolio.parts, cash: (portfolio.parts.cash + 5) as Paise };
      const books = booksToMove(account, 'cashSegment');
      books.cashSegment = (books.cashSegment + 5) as Paise;
      state.house.margin = (state.house.margin - 5) as Paise;
    },
    /blocks what portfolio/,
  ],
  [
    'a fill is booked twice',
    () =>
      once((state, events) => {
        const trade = find(events, 'Traded');
        const side = trade?.buy;
        const row = side && state.accounts.at(side.account)?.positions.get(positionKey(trade.instrument, side.product));
        if (trade === undefined || row === undefined) return false;
        row.dayBuyQuantity = (row.dayBuyQuantity + trade.quantity) as Quantity;
        return true;
      }),
    /came from nowhere|the shares of|was marked/,
  ],
  [
    'a paisa appears',
    () =>
      once((state, events) => {
        const account = find(events, 'Traded') && state.accounts.at(0);
        if (account === undefined) return false;
        const books = booksToMove(account, 'cash');
        books.cash = (books.cash + 1) as Paise;
        return true;
      }),
    /paise came from nowhere/,
  ],
  [
    'a share appears',
    () =>
      once((state, events) => {
        const [holding] = (find(events, 'Traded') && state.accounts.at(0)?.holdings.values()) ?? [];
        if (holding !== undefined) holding.settled = (holding.settled + 1) as Quantity;
        return holding !== undefined;
      }),
    /came from nowhere/,
  ],
  [
    'an order that is filled does not end',
    () => (state, _command, events) => {
      const trade = find(events, 'Traded');
      const order = state.orders.findLive((trade?.buy ?? trade?.sell)?.order ?? (0 as OrderNumber));
      if (order?.status === 'Open') order.filled = order.terms.quantity;
    },
    /is complete when filled|is not overfilled/,
  ],
  ['the keys of placements are forgotten', () => (state) => state.replies.clear(), /places once|places one order/],
  [
    'a session goes on after its end',
    () => (state, _command, events) => {
      const closed = find(events, 'SessionClosed');
      const account = state.accounts.at(0);
      if (closed?.reason !== 'Logout' || account === undefined) return;
      const { tokenDigest } = closed;
      state.sessions.set(tokenDigest, {
        tokenDigest,
        account: account.id,
        openedAt: wallOf(state.at),
        lastUsedAt: wallOf(state.at),
      });
      account.sessions = [...account.sessions, tokenDigest];
    },
    /a session that was closed stays closed|a closed session was live|a touched session is live/,
  ],
  [
    'the peak of a margin is forgotten',
    () => (state) => {
      for (const account of state.accounts) account.peakMargin = 0 as Paise;
    },
    /peak/,
  ],
  [
    'order numbers are given out again',
    () => (state) => {
      state.lastOrder = (state.lastOrder - 1) as OrderNumber;
    },
    /number|order/,
  ],
];

describe('a spoiled state is found when', () => {
  for (const [what, spoil, found] of SPOILED) {
    it(what, async () => {
      const failure = await failureOf(() => ({ spoil: spoil(), calm: true }), [1, 2, 3, 4, 5], 700);
      assert.match(failure, found);
    });
  }
});

/** Books that get one rule wrong. */
const WRONG_RULES: readonly (readonly [what: string, judge: NonNullable<Controls['judge']>])[] = [
  [
    'a newer order goes first at its price',
    class extends NaiveBook {
      override queue(side: Side): NaiveOrder[] {
        return super.queue(side).sort((a, b) => (a.terms.price === b.terms.price ? b.place - a.place : 0));
      }
    },
  ],
  [
    'a print trades nothing',
    class extends NaiveBook {
      override print(): undefined {
        return undefined;
      }
    },
  ],
  [
    'orders wait for the next tick to meet the market',
    class extends NaiveBook {
      override move(): string[] {
        this.tick = (this.tick - 1) as Tick;
        const lines = super.move();
        this.tick = (this.tick + 1) as Tick;
        return lines;
      }
    },
  ],
];

describe('a book of another rule is found when', () => {
  for (const [what, judge] of WRONG_RULES) {
    it(what, async () => {
      assert.match(await failureOf(() => ({ judge, calm: true }), [1, 2, 3], 700), /naive/);
    });
  }
});
