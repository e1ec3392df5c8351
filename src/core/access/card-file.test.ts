import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../../base/random.ts';
import { CardFile, type UserCard } from './card-file.ts';

const SEED = 41;
const LETTERS = ['a', '@', 'é', 'ÿ', 'Ā', 'क', '😀', '\ud800', '\u0000'];

function textOf(random: Random, most: number): string {
  return Array.from({ length: random.below(most) }, () => random.pick(LETTERS)).join('');
}

function cardOf(random: Random): UserCard {
  const most = random.below(50) === 0 ? 60_000 : 400;
  return { email: textOf(random, 40), sealedCredentials: textOf(random, most) };
}

test(`every card comes back as it was, whatever its letters, its length and its changes, seed ${SEED}`, () => {
  const random = new Random(SEED);
  const file = new CardFile();
  const cards: UserCard[] = [];
  const places: ReturnType<CardFile['add']>[] = [];
  for (let done = 0; done < 2_000; done += 1) {
    const card = cardOf(random);
    const index = random.below(3) === 0 ? random.below(cards.length + 1) : cards.length;
    const place = places[index];
    places[index] = place === undefined ? file.add(card) : file.replace(place, card);
    cards[index] = card;
  }
  assert.ok(cards.length > 1_000);
  assert.deepEqual(
    places.map((place) => file.read(place)),
    cards,
  );
});

test('a card that is no longer than the one before stays in its place, so renewals take no room', () => {
  const file = new CardFile();
  const place = file.add({ email: 'a@example.com', sealedCredentials: 'x'.repeat(400) });
  assert.equal(file.replace(place, { email: 'a@example.com', sealedCredentials: 'y'.repeat(400) }), place);
  assert.equal(file.replace(place, { email: '', sealedCredentials: 'é' }), place);
  assert.equal(file.replace(place, { email: 'a@example.com', sealedCredentials: 'z'.repeat(400) }), place);
  assert.notEqual(file.replace(place, { email: 'a@example.com', sealedCredentials: 'z'.repeat(401) }), place);
});
