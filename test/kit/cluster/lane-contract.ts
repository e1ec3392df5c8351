import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AppendOutcome,
  type Lane,
  type LaneMessage,
  LaneUnreachable,
  MOST_MESSAGE_BYTES,
} from '../../../src/cluster/lanes/lane.ts';

const WRITERS = 4;
const PATIENCE_MS = 60_000;

/** The knowledge that the suite needs of one kind of lane. */
export interface LaneKind {
  readonly name: string;
  /** Opens a writer of the lane of a test, which names a place of its own; several may be open at once. */
  open(place: string): Promise<Lane>;
  /** True when messages are there again after all writers have closed. */
  readonly lasts: boolean;
  /** Runs `work` while the lane's appends have an unknown outcome and its log is not read. */
  cutOff(lane: Lane, work: () => Promise<void>): Promise<void>;
  /** Appends so that the message is stored and the answer is lost; absent where a test cannot bring it about. */
  loseAnswer?(lane: Lane, append: () => Promise<AppendOutcome>): Promise<AppendOutcome>;
  /** How many positions four writers fight for. */
  readonly races: number;
}

/** Runs the contract of `Lane` over one kind of it. */
export function laneContract(kind: LaneKind): void {
  describe(`the contract of a lane: ${kind.name}`, () => {
    order(kind);
    conflicts(kind);
    sizes(kind);
    unknowns(kind);
  });
}

function order(kind: LaneKind): void {
  it('is empty at first, and ends at 0', async () => {
    const lane = await kind.open('empty');
    assert.equal(await lastOf(lane), 0);
    assert.deepEqual(await readOnce(lane, 0), []);
    await lane.close();
  });

  it('gives every writer what it wrote, at once, in order, from any position on', async () => {
    const [lane, other] = await openMany(kind, 'order', 2);
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    const positions = await write(lane, texts);
    assert.ok(positions.every((position, index) => position > (positions[index - 1] ?? 0)));
    assert.equal(await lastOf(lane), positions.at(-1));
    const whole = await readTo(lane, positions.at(-1) ?? 0);
    assert.deepEqual(whole.map(textOf), texts);
    assert.deepEqual(
      whole.map(({ position }) => position),
      positions,
    );
    for (const [index, position] of positions.entries()) {
      const tail = await readTo(other, positions.at(-1) ?? 0, position);
      assert.deepEqual(tail.map(textOf), texts.slice(index + 1));
    }
    await closeAll([lane, other]);
  });

  if (kind.lasts) {
    it('is after closing and opening what it was, and goes on from there', async () => {
      const first = await kind.open('again');
      const positions = await write(first, ['a', 'b']);
      await first.close();
      const second = await kind.open('again');
      const last = await lastOf(second);
      assert.equal(last, positions.at(-1));
      assert.ok((await settle(second, last, bytesOf('c'))).won);
      assert.deepEqual((await readTo(second, last + 1)).map(textOf), ['a', 'b', 'c']);
      await second.close();
    });
  }
}

function conflicts(kind: LaneKind): void {
  it('takes no message behind another one than the last, and stores nothing of it', async () => {
    const lane = await kind.open('conflict');
    const [first = 0, second = 0] = await write(lane, ['a', 'b']);
    for (const wrong of [0, first, second + 1, second + 1_000]) {
      assert.equal(await known(lane, wrong, bytesOf('no')), 'Conflict', `behind ${wrong}`);
    }
    assert.equal(await lastOf(lane), second);
    assert.deepEqual((await readTo(lane, second)).map(textOf), ['a', 'b']);
    assert.ok((await settle(lane, second, bytesOf('c'))).won);
    await lane.close();
  });

  it('takes one of the writers that want the same position, every time, and shows the same to all', async () => {
    const lanes = await openMany(kind, 'races', WRITERS);
    let last = 0;
    for (let race = 0; race < kind.races; race += 1) {
      const outcomes = await Promise.all(lanes.map((lane, writer) => settle(lane, last, bytesOf(`${race} ${writer}`))));
      const winners = outcomes.flatMap(({ won }, writer) => (won ? [writer] : []));
      assert.equal(winners.length, 1, `race ${race}: ${JSON.stringify(outcomes)}`);
      const after = last;
      last = outcomes[winners[0] ?? 0]?.position ?? 0;
      for (const lane of lanes) {
        const [message, ...more] = await readTo(lane, last, after);
        assert.deepEqual([message && textOf(message), more.length], [`${race} ${winners[0]}`, 0]);
      }
    }
    await closeAll(lanes);
  });

  it('keeps all that writers append who read on after each conflict, each once', async () => {
    const lanes = await openMany(kind, 'crowd', WRITERS);
    const each = 8;
    await Promise.all(
      lanes.map(async (lane, writer) => {
        for (let index = 0; index < each; index += 1) await appendSomewhere(lane, bytesOf(`${writer} ${index}`));
      }),
    );
    const first = lanes[0] as Lane;
    const texts = (await readTo(first, await lastOf(first))).map(textOf);
    assert.equal(texts.length, WRITERS * each);
    for (let writer = 0; writer < WRITERS; writer += 1) {
      const own = texts.filter((text) => text.startsWith(`${writer} `));
      assert.deepEqual(
        own,
        Array.from({ length: each }, (_, index) => `${writer} ${index}`),
      );
    }
    await closeAll(lanes);
  });

  it('takes one append at a time of a writer', async () => {
    const lane = await kind.open('turn');
    const first = lane.append(0, bytesOf('a'));
    await assert.rejects(lane.append(0, bytesOf('b')), { name: 'InvariantError' });
    assert.notEqual((await first).type, 'Conflict');
    await settle(lane, 0, bytesOf('a'));
    assert.deepEqual((await readTo(lane, await lastOf(lane))).map(textOf), ['a']);
    await lane.close();
  });
}

function sizes(kind: LaneKind): void {
  it('keeps messages of one byte to the most bytes, whatever their bytes are', async () => {
    const lane = await kind.open('sizes');
    const messages = [1, 255, 65_536, 1_048_577, MOST_MESSAGE_BYTES].map(patterned);
    for (const bytes of messages) await appendSomewhere(lane, bytes);
    const found = await readTo(lane, await lastOf(lane));
    assert.equal(found.length, messages.length);
    for (const [index, { bytes }] of found.entries()) {
      assert.ok(Buffer.from(bytes).equals(messages[index] as Uint8Array), `message ${index}`);
    }
    await lane.close();
  });

  it('keeps a message as it was when it came, whatever its writer does with the bytes afterwards', async () => {
    const lane = await kind.open('reused');
    const append = async (): Promise<true | undefined> => {
      const bytes = Buffer.from('as it came');
      const { type } = await lane.append(0, bytes);
      bytes.fill(0);
      return type === 'Unknown' ? undefined : true;
    };
    await patiently(append);
    const found = await readTo(lane, await lastOf(lane));
    assert.deepEqual(found.map(textOf), ['as it came']);
    await lane.close();
  });

  it('refuses an empty message and one above the most bytes, and changes nothing', async () => {
    const lane = await kind.open('too-much');
    for (const size of [0, MOST_MESSAGE_BYTES + 1]) {
      await assert.rejects(lane.append(0, new Uint8Array(size)), { name: 'InvariantError' });
    }
    assert.equal(await lastOf(lane), 0);
    assert.ok((await settle(lane, 0, bytesOf('a'))).won);
    await lane.close();
  });
}

function unknowns(kind: LaneKind): void {
  it('says in time that an outcome is unknown, and the same bytes at the same place settle it', async () => {
    const lane = await kind.open('unknown');
    const [last = 0] = await write(lane, ['a']);
    await kind.cutOff(lane, async () => {
      assert.deepEqual(await lane.append(last, bytesOf('b')), { type: 'Unknown' });
      await assert.rejects(lane.read(0), { name: 'LaneUnreachable' });
      await assert.rejects(lane.last(), { name: 'LaneUnreachable' });
    });
    await settle(lane, last, bytesOf('b'));
    assert.deepEqual((await readTo(lane, await lastOf(lane))).map(textOf), ['a', 'b']);
    await lane.close();
  });

  const { loseAnswer } = kind;
  if (loseAnswer !== undefined) {
    it('stores a message once whose answer was lost and which came again', async () => {
      const lane = await kind.open('lost-answer');
      const [last = 0] = await write(lane, ['a']);
      const outcome = await loseAnswer.call(kind, lane, () => lane.append(last, bytesOf('b')));
      assert.deepEqual(outcome, { type: 'Unknown' });
      assert.equal(await known(lane, last, bytesOf('b')), 'Conflict');
      assert.ok((await settle(lane, last, bytesOf('b'))).won);
      assert.deepEqual((await readTo(lane, await lastOf(lane))).map(textOf), ['a', 'b']);
      await lane.close();
    });
  }

  it('settles an append as unknown that is under way when the lane is closed, or has settled it before', async () => {
    const [lane, other] = await openMany(kind, 'closing', 2);
    const under = lane.append(0, bytesOf('a'));
    await lane.close();
    const outcome = await under;
    assert.notEqual(outcome.type, 'Conflict');
    const texts = (await readTo(other, await lastOf(other))).map(textOf);
    assert.ok(texts.length <= 1 && texts.every((text) => text === 'a'));
    if (outcome.type === 'Stored') assert.deepEqual(texts, ['a']);
    await other.close();
  });
}

/** Appends the same bytes until the outcome is known: a busy machine answers late. */
async function known(lane: Lane, last: number, bytes: Uint8Array): Promise<'Stored' | 'Conflict'> {
  return patiently(async () => {
    const { type } = await lane.append(last, bytes);
    return type === 'Unknown' ? undefined : type;
  });
}

/**
 * Appends the same bytes until it is known whether they are the message after `last`, as a writer with an unknown
 * outcome does; and the position of that message.
 */
export async function settle(lane: Lane, last: number, bytes: Uint8Array): Promise<{ won: boolean; position: number }> {
  return patiently(async () => {
    const outcome = await lane.append(last, bytes);
    if (outcome.type === 'Stored') return { won: true, position: outcome.position };
    if (outcome.type === 'Unknown') return undefined;
    const [message] = await readOnce(lane, last);
    return message && { won: Buffer.from(message.bytes).equals(bytes), position: message.position };
  });
}

/** Appends at the end, wherever that is by now; a conflict moves the writer on. */
async function appendSomewhere(lane: Lane, bytes: Uint8Array): Promise<number> {
  return patiently(async () => {
    const { won, position } = await settle(lane, await lastOf(lane), bytes);
    return won ? position : undefined;
  });
}

async function write(lane: Lane, texts: readonly string[]): Promise<number[]> {
  const positions: number[] = [];
  for (const text of texts) positions.push(await appendSomewhere(lane, bytesOf(text)));
  return positions;
}

export function lastOf(lane: Lane): Promise<number> {
  return patiently(() => whenReached(lane.last()));
}

function readOnce(lane: Lane, after: number): Promise<readonly LaneMessage[]> {
  return patiently(() => whenReached(lane.read(after)));
}

async function whenReached<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof LaneUnreachable) return undefined;
    throw error;
  }
}

/** Asks until there is an answer, for as long as an election of a log takes. */
async function patiently<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    assert.ok(performance.now() < until, 'the lane gives no answer');
  }
}

/** The messages after `after` up to `end`, asked for as often as it takes a replica to have them. */
export async function readTo(lane: Lane, end: number, after = 0): Promise<LaneMessage[]> {
  const found: LaneMessage[] = [];
  for (let last = after; last < end; last = found.at(-1)?.position ?? after)
    found.push(...(await readOnce(lane, last)));
  return found;
}

async function openMany<Count extends number>(kind: LaneKind, place: string, count: Count): Promise<[Lane, Lane]> {
  const lanes = await Promise.all(Array.from({ length: count }, () => kind.open(place)));
  return lanes as [Lane, Lane];
}

async function closeAll(lanes: readonly Lane[]): Promise<void> {
  await Promise.all(lanes.map((lane) => lane.close()));
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

function textOf({ bytes }: LaneMessage): string {
  return Buffer.from(bytes).toString();
}

/** Bytes of every value, so that nothing may take them for text. */
function patterned(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 0xff);
}
