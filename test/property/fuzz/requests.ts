import { IsArray, IsEnum, IsObject, IsOptional, type TObject, type TSchema } from 'typebox';
import { assert } from '../../../src/base/assert.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Operation } from '../../../src/gateway/operation.ts';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { type FuzzUser, type FuzzWorld, sha256 } from './fuzz-world.ts';
import { BROKEN_BODIES, EXTRA_MEMBERS, LONG_TEXTS, NAUGHTY_TEXTS, NAUGHTY_VALUES, nested } from './naughty.ts';
import { Draft } from './vocabulary.ts';

/** Whose session a request comes with. */
export type Standing = 'own' | 'dead' | "another's" | 'none' | 'login' | 'noBody';

/** One request and what its maker knows of it. */
export interface FuzzRequest {
  readonly operation: Operation;
  /** The body as it is sent. */
  readonly text: string;
  readonly idempotencyKey: unknown;
  readonly user: FuzzUser;
  readonly standing: Standing;
  /** How many of its fields were broken. */
  readonly broken: number;
}

/** The most that a body may measure; longer ones are refused before they are read. Source: contract W14. */
const BODY_LIMIT = 65_536;
const LONGEST_KEY = 128;
/** How deep values are nested, the deepest as far as a body may be long. */
const DEPTHS = [1, 2, 3, 5, 10, 30, 100, 500, 5_000];

type Member = [name: string, json: string];

/**
 * How often an operation is drawn. Password checks cost 20 ms each, on purpose; searches and long lists of candles cost
 * some.
 */
const WEIGHTS: Readonly<Record<string, number>> = {
  '/login': 5,
  '/logout': 5,
  '/searchScrips': 8,
  '/timePriceSeries': 5,
  '/placeOrder': 60,
  '/modifyOrder': 40,
  '/cancelOrder': 30,
  // This world offers them to nobody.
  '/demoUsers': 0,
  '/demoLogin': 0,
};
const USUAL_WEIGHT = 20;
const DRAWN = OPERATIONS.flatMap((operation) => {
  return Array<Operation>(WEIGHTS[operation.path] ?? USUAL_WEIGHT).fill(operation);
});
/** The paths of the operations that are drawn. The others are in contract tests alone. */
export const DRAWN_PATHS: readonly string[] = [...new Set(DRAWN.map(({ path }) => path))];

/**
 * Makes requests from the very schemas that the gateway checks them by: whole ones, then up to three of their fields
 * broken. The same draws make the same requests in the same world.
 */
export class RequestMaker {
  private readonly world: FuzzWorld;
  private readonly random: Random;

  constructor(world: FuzzWorld, random: Random) {
    this.world = world;
    this.random = random;
  }

  next(): FuzzRequest {
    const { random, world } = this;
    const operation = random.pick(DRAWN);
    const user = random.pick(world.users);
    const idempotencyKey = this.idempotencyKey();
    if (random.chance(2)) {
      return { operation, text: this.brokenBody(), idempotencyKey, user, standing: 'noBody', broken: 0 };
    }
    const broken = random.pick([0, 0, 0, 0, 0, 1, 1, 1, 2, 3]);
    const draft = new Draft(world, random, user);
    const members = this.members(operation.request, draft, broken, operation.path === '/login');
    const standing = operation.path === '/login' ? this.loginFields(members) : this.sign(members, user);
    const text = this.bodyText(members);
    return { operation, text, idempotencyKey, user, standing, broken };
  }

  private members(schema: TObject, draft: Draft, broken: number, login = false): Member[] {
    const { random } = this;
    const members: Member[] = [];
    const fields = Object.entries(schema.properties).filter(
      ([name]) => login || (name !== 'userId' && name !== 'jKey'),
    );
    const targets = new Set(Array.from({ length: Math.min(broken, fields.length) }, () => random.below(fields.length)));
    for (const [index, [name, field]] of fields.entries()) {
      const json = targets.has(index) ? this.wrong(name, field, draft) : this.right(name, field, draft);
      if (json !== undefined) members.push([name, json]);
    }
    return members;
  }

  /** A value that the field takes, as JSON; `undefined` to leave an optional one out. */
  private right(name: string, schema: TSchema, draft: Draft): string | undefined {
    const { random } = this;
    if (IsOptional(schema) && random.chance(40)) return random.chance(80) ? undefined : '""';
    if (IsArray(schema) && IsObject(schema.items)) return this.list(schema.items, 0, draft);
    if (IsObject(schema)) return objectText(this.members(schema, draft, 0));
    const value = draft.valueOf(name) ?? (IsEnum(schema) ? String(random.pick(schema.enum)) : undefined);
    assert(value !== undefined, `there is no value for ${name} in the vocabulary`);
    return 'x-number' in schema && random.chance(30) ? numberText(value) : JSON.stringify(value);
  }

  private list(items: TObject, broken: number, about: Draft): string {
    const { random } = this;
    const count = random.chance(3) ? random.between(45, 105) : random.between(1, 4);
    const bad = random.below(count);
    const texts = Array.from({ length: count }, (_, index) => {
      return objectText(this.members(items, about.another(), index === bad ? broken : 0));
    });
    return `[${texts.join(',')}]`;
  }

  /** A value that the field may well not take; `undefined` to leave it out. */
  private wrong(name: string, schema: TSchema, draft: Draft): string | undefined {
    const { random } = this;
    if (IsArray(schema) && IsObject(schema.items) && random.chance(60)) return this.list(schema.items, 1, draft);
    if (IsObject(schema) && random.chance(60)) return objectText(this.members(schema, draft, 1));
    switch (random.below(9)) {
      case 0:
        return undefined;
      case 1:
        return random.pick(NAUGHTY_VALUES);
      case 2:
        return JSON.stringify(random.pick(LONG_TEXTS)());
      case 3:
        return nested(random.pick(DEPTHS), '[', random.pick(['', '1', '{}']), ']');
      case 4:
        return nested(random.pick(DEPTHS), '{"a":', '1', '}');
      case 5:
      case 6:
        return this.edge(name, draft);
      default:
        return JSON.stringify(random.pick(NAUGHTY_TEXTS));
    }
  }

  private edge(name: string, draft: Draft): string {
    const text = draft.edgeOf(name);
    return this.random.chance(50) ? JSON.stringify(text) : numberText(text);
  }

  /** The fields of the login in place of those that were drawn: the password goes as a digest. */
  private loginFields(members: Member[]): Standing {
    for (const member of members) {
      const plain: unknown = JSON.parse(member[1]);
      if (member[0] === 'password' && typeof plain === 'string' && plain.startsWith('pw')) {
        member[1] = JSON.stringify(sha256(plain));
      }
    }
    return 'login';
  }

  private sign(members: Member[], user: FuzzUser): Standing {
    const { random, world } = this;
    const { userId } = user.plain;
    const own = random.pick(user.tokens);
    const standing = random.pick<Standing>([
      'own',
      'own',
      'own',
      'own',
      'own',
      'own',
      'own',
      'dead',
      "another's",
      'none',
    ]);
    const other = random.pick(world.users.filter((one) => one !== user));
    const quoted = JSON.stringify;
    if (standing === 'own') members.unshift(['userId', quoted(userId)], ['jKey', quoted(own)]);
    else if (standing === 'dead') {
      members.unshift(['userId', quoted(userId)], ['jKey', quoted(random.pick(world.deadTokens))]);
    } else if (standing === "another's") {
      const somebody = random.chance(70) ? other.plain.userId : random.pick(NAUGHTY_TEXTS);
      members.unshift(['userId', quoted(somebody)], ['jKey', quoted(own)]);
    } else {
      const wrong = random.chance(50) ? random.pick(NAUGHTY_VALUES) : quoted(random.pick(NAUGHTY_TEXTS));
      members.unshift(['userId', quoted(userId)]);
      if (random.chance(70)) members.unshift(['jKey', wrong]);
    }
    return standing;
  }

  /** The members as one object, some in other letters, twice, in another order, or with members that mean nothing. */
  private bodyText(members: Member[]): string {
    const { random } = this;
    const sent = members.map(([name, json]): Member => [random.chance(3) ? otherLetters(random, name) : name, json]);
    if (random.chance(5)) sent.reverse();
    const texts = sent.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    const twice = sent[random.below(sent.length)];
    if (twice !== undefined && random.chance(3)) texts.unshift(`${JSON.stringify(twice[0])}:"first"`);
    if (random.chance(10)) texts.splice(random.below(texts.length + 1), 0, random.pick(EXTRA_MEMBERS));
    const text = random.chance(5) ? `\n{ ${texts.join(' ,\t')}\r}\n` : `{${texts.join(',')}}`;
    return Buffer.byteLength(text) <= BODY_LIMIT ? text : objectText(members.filter(([, json]) => json.length < 1_000));
  }

  private brokenBody(): string {
    const { random } = this;
    if (random.chance(80)) return random.pick(BROKEN_BODIES);
    return random.chance(50) ? nested(20_000, '[', '', ']') : nested(10_000, '{"a":', '1', '');
  }

  private idempotencyKey(): unknown {
    const { random } = this;
    if (random.chance(90)) return undefined;
    const key = `key ${random.below(40)}`.replace(' ', random.chance(90) ? '-' : ' ');
    return random.pick([key, key, key, '', 'x'.repeat(LONGEST_KEY), 'x'.repeat(LONGEST_KEY + 1), '\u00e9', ['a', 'b']]);
  }
}

function objectText(members: readonly Member[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/** The JSON number that a text says; the text itself in quotes when it says none. */
function numberText(text: string): string {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? text : JSON.stringify(text);
}

function otherLetters(random: Random, name: string): string {
  return random.chance(50) ? name.toUpperCase() : name.toLowerCase();
}
