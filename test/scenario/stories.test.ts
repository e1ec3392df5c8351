import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseStory, playStory } from './story.ts';

const FOLDER = join(import.meta.dirname, 'stories');

describe('stories', () => {
  for (const file of readdirSync(FOLDER).sort()) {
    const story = parseStory(readFileSync(join(FOLDER, file), 'utf8'));
    it(story.title, () => {
      assert.ok(playStory(story) > 0, 'a story asks something');
    });
  }
});

describe('the stage', () => {
  const told =
    (...lines: string[]) =>
    () =>
      playStory(parseStory(['# Title', 'closed at 100.00', ...lines].join('\n')));

  it('names the line whose answer is another', () => {
    assert.throws(told('ANIL has 1000', '  last: 99.00'), /line 4, "last".*100\.00/s);
  });

  it('refuses lines and questions that it does not understand', () => {
    assert.throws(told('ANIL dreams'), /line 3.*not understood/s);
    assert.throws(told('  wishes of ANIL: none'), /line 3.*not a question/s);
    assert.throws(told('  trades'), /line 3.*question: answer/s);
  });

  it('refuses users and orders that the story has not named', () => {
    assert.throws(told('ANIL has 1000', 'ANIL cancels a1'), /there is no order a1/);
    assert.throws(told('ANIL buys 10 at 100.00 as a1'), /there is no user ANIL/);
  });
});
