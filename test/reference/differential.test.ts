import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderNumber, Tick } from '../../src/base/ids.ts';
import { Random } from '../../src/base/random.ts';
import type { DepthLevel } from '../../src/core/market.ts';
import type { Side } from '../../src/core/order.ts';
import { type BookCommand, randomCommands } from './book-commands.ts';
import { type DuelOptions, duel, type Round, shrink } from './duel.ts';
import { NaiveBook, type NaiveOrder } from './naive-book.ts';
import { SITUATIONS } from './situations.ts';
import { WanderingMarket } from './wandering-market.ts';

/** SAUDA_BOOK_SEEDS plays fewer or more. */
const SEEDS = Number(process.env.SAUDA_BOOK_SEEDS ?? 60);
const SHARDS = 10;
/** Of these some name an order that is gone; at least 1,000 a seed are carried out. */
const COMMANDS = 1_300;
const CARRIED_OUT = 1_000;
/** With strict triggers and without. */
const BOTH_WAYS = [true, false] as const;

interface Script {
  readonly market: WanderingMarket;
  readonly commands: readonly BookCommand[];
}

function scriptOf(seed: number): Script {
  const commands = randomCommands(new Random(seed * 2), COMMANDS);
  const moves = commands.filter(({ type }) => type === 'move').length;
  return { market: new WanderingMarket(seed * 2 + 1, moves + 1), commands };
}

/** The difference between the two for one seed, in words by which it can be found again. */
function differenceOf(seed: number, options: DuelOptions): string | undefined {
  const { market, commands } = scriptOf(seed);
  const found = duel(market, commands, options);
  if (found === undefined) return undefined;
  const fewest = shrink(market, commands.slice(0, found.index + 1), options);
  const last = duel(market, fewest, options) ?? found;
  return [
    `seed ${seed}, command ${found.index}: ${found.what}`,
    `naive: ${JSON.stringify(found.naive)}`,
    `real:  ${String(found.real instanceof Error ? found.real.stack : JSON.stringify(found.real))}`,
    `${fewest.length} commands are enough:`,
    ...compressed(fewest),
    `then, ${last.what}: naive ${JSON.stringify(last.naive)}, real ${JSON.stringify(last.real)}`,
  ].join('\n');
}

/** One line for each command; moves in a row share one. */
function compressed(commands: readonly BookCommand[]): string[] {
  const lines: string[] = [];
  let moves = 0;
  for (const [index, command] of commands.entries()) {
    if (command.type === 'move') {
      moves += 1;
      if (commands[index + 1]?.type !== 'move') lines.push(`  move ${moves} ticks`);
      continue;
    }
    moves = 0;
    lines.push(`  ${JSON.stringify(command)}`);
  }
  return lines;
}

describe('the exchange and the naive book', () => {
  const unmet = new Map(Object.entries(SITUATIONS));
  let carriedOut = 0;
  const watch = (round: Round): void => {
    carriedOut += 1;
    for (const [name, seen] of unmet) if (seen(round)) unmet.delete(name);
  };

  for (const strictTrigger of BOTH_WAYS) {
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const first = (shard * SEEDS) / SHARDS + 1;
      const last = ((shard + 1) * SEEDS) / SHARDS;
      const how = strictTrigger ? 'refused' : 'fired';
      it(`agree after every command of seeds ${first} to ${last}, stops that are reached already ${how}`, () => {
        for (let seed = first; seed <= last; seed += 1) {
          const difference = differenceOf(seed, { watch, strictTrigger });
          if (difference !== undefined) assert.fail(difference);
        }
      });
    }
  }

  const enough = BOTH_WAYS.length * SEEDS * CARRIED_OUT;
  it(`were compared after ${enough} commands that were carried out`, () => {
    assert.ok(carriedOut >= enough, `only ${carriedOut} commands were carried out`);
  });

  it('came through every situation', () => {
    assert.deepEqual([...unmet.keys()], []);
  });
});

/** Books that get one rule wrong. */
const FAULTY: { readonly [fault: string]: NonNullable<DuelOptions['judge']> } = {
  'a newer order goes first at its price': class extends NaiveBook {
    override queue(side: Side): NaiveOrder[] {
      return super.queue(side).sort((a, b) => (a.terms.price === b.terms.price ? b.place - a.place : 0));
    }
  },
  'what was taken comes back at once': class extends NaiveBook {
    override takenOf(): number {
      return 0;
    }
  },
  'what was taken is gone for good': class extends NaiveBook {
    override takenOf(side: Side, { price }: DepthLevel): number {
      const rows = this.taken.filter((row) => row.side === side && row.price === price);
      return rows.reduce((units, row) => units + row.quantity, 0);
    }
  },
  'users do not move the last traded price': class extends NaiveBook {
    override lastPrice(): number {
      this.lastTrade = undefined;
      return super.lastPrice();
    }
  },
  'the last stop that was armed fires first': class extends NaiveBook {
    override stops(): NaiveOrder[] {
      return super.stops().reverse();
    }
  },
  'a print trades nothing': class extends NaiveBook {
    override print(): undefined {
      return undefined;
    }
  },
  'a modification never keeps the place': class extends NaiveBook {
    override replace(number: OrderNumber, terms: NaiveOrder['terms']): string[] {
      this.find(number).terms = { ...terms, price: (terms.price + 1) as typeof terms.price };
      return super.replace(number, terms);
    }
  },
  'orders wait for the next tick to meet the market': class extends NaiveBook {
    override move(): string[] {
      this.tick = (this.tick - 1) as Tick;
      const lines = super.move();
      this.tick = (this.tick + 1) as Tick;
      return lines;
    }
  },
};

describe('the comparison', () => {
  for (const [fault, judge] of Object.entries(FAULTY)) {
    it(`finds a book in which ${fault}`, () => {
      const { market, commands } = scriptOf(1);
      const found = duel(market, commands, { judge });
      assert.ok(found, 'the fault was not found');
      const fewest = shrink(market, commands.slice(0, found.index + 1), { judge });
      assert.ok(duel(market, fewest, { judge }), 'the shrunk commands show the fault');
      const withoutMoves = fewest.filter(({ type }) => type !== 'move');
      assert.ok(withoutMoves.length <= 12, `shrunk to ${withoutMoves.length} commands and moves`);
    });
  }

  it('finds a book that refuses the stops which the other lets fire', () => {
    const judge: NonNullable<DuelOptions['judge']> = class extends NaiveBook {
      constructor(...[market, instrument]: ConstructorParameters<typeof NaiveBook>) {
        super(market, instrument, true);
      }
    };
    const { market, commands } = scriptOf(1);
    assert.equal(duel(market, commands, { judge }), undefined);
    assert.equal(duel(market, commands, { judge, strictTrigger: false })?.what, 'what happened');
  });
});
