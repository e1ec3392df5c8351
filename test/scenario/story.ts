import assert from 'node:assert/strict';
import { play, priceOf } from './actions.ts';
import { type Cast, oneShare, RULE_BOOK } from './cast.ts';
import { ask } from './questions.ts';
import { Stage } from './stage.ts';

/** A trading story: a title, who and what takes part, then actions and, indented, questions with their answers. */
export interface Story {
  readonly title: string;
  readonly cast: Cast;
  readonly lines: readonly StoryLine[];
}

interface StoryLine {
  /** Its place in the file, from 1. */
  readonly number: number;
  readonly text: string;
  /** Present when the line asks and does not act. */
  readonly answer?: string;
}

const TITLE = /^# (.+)$/;
const CLOSE = /^closed at (\S+)$/;
const RULE_BOOK_LINE = 'on the exchange of the rule book';

/**
 * Reads a story. The first line is its title, lines that begin with `#` are remarks, the first other line says what is
 * traded: one share by its close of the day before, or the contracts of the rule book; an indented line is `question:
 * answer`.
 */
export function parseStory(text: string): Story {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line.trimEnd() }));
  const [first, ...rest] = lines.filter((line) => line.text !== '');
  const title = TITLE.exec(first?.text ?? '')?.[1];
  assert.ok(title, 'a story begins with a title: # Title');
  const [opening, ...told] = rest.filter((line) => !line.text.startsWith('#'));
  return { title, cast: castOf(opening?.text ?? ''), lines: told.map(lineOf) };
}

function castOf(line: string): Cast {
  if (line === RULE_BOOK_LINE) return RULE_BOOK;
  const close = CLOSE.exec(line)?.[1];
  assert.ok(close, `a story goes on with "closed at 100.00" or "${RULE_BOOK_LINE}"`);
  return oneShare(priceOf(close));
}

function lineOf({ number, text }: StoryLine): StoryLine {
  if (!/^\s/.test(text)) return { number, text };
  const [, question, answer] = /^\s+([^:]+):\s+(.+)$/.exec(text) ?? [];
  assert.ok(question !== undefined && answer !== undefined, `line ${number}: an indented line is "question: answer"`);
  return { number, text: question, answer };
}

/** Plays a story and compares every answer. Returns how many there were. */
export function playStory({ cast, lines }: Story): number {
  const stage = new Stage(cast);
  let answers = 0;
  for (const { number, text, answer } of lines) {
    try {
      if (answer === undefined) {
        play(stage, text);
        continue;
      }
      assert.equal(ask(stage, text), answer);
      answers += 1;
    } catch (error) {
      throw new Error(`line ${number}, "${text}": ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  return answers;
}
