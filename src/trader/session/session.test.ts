import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { requestErrorOf, TransportError } from '../../../client/src/errors.ts';
import {
  CommandFailed,
  EXIT_FAILED,
  EXIT_IN_DOUBT,
  EXIT_NO_SESSION,
  EXIT_UNAVAILABLE,
} from '../../os/command-failed.ts';
import { failureOf } from './failure.ts';
import { Prompt } from './prompt.ts';
import { readSession, removeSession, sessionPath, writeSession } from './session-file.ts';

const SESSION = { url: 'http://127.0.0.1:8080', userId: 'SD1001', token: 'f00d' };

function inState(body: (env: Record<string, string>) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-session-'));
  try {
    body({ XDG_STATE_HOME: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a session is kept in a file that its owner alone can read, and forgotten', () =>
  inState((env) => {
    writeSession(env, SESSION);
    assert.equal(statSync(sessionPath(env)).mode & 0o777, 0o600);
    assert.equal(statSync(join(sessionPath(env), '..')).mode & 0o777, 0o700);
    assert.deepEqual(readSession(env), SESSION);
    removeSession(env);
    removeSession(env);
    assert.throws(() => readSession(env), { exitCode: EXIT_NO_SESSION, message: /nobody is logged in/ });
  }));

test('a session that others can read, or that is not one, is not used', () =>
  inState((env) => {
    writeSession(env, SESSION);
    chmodSync(sessionPath(env), 0o644);
    assert.throws(() => readSession(env), { exitCode: EXIT_NO_SESSION, message: /others can read/ });
    chmodSync(sessionPath(env), 0o600);
    for (const text of ['', '{', 'null', '7', '{"url":1}']) {
      writeFileSync(sessionPath(env), text);
      assert.throws(() => readSession(env), { exitCode: EXIT_NO_SESSION, message: /holds no session/ }, text);
    }
  }));

test('the file stands in the folder of states, and a folder that is not absolute is passed over', () => {
  assert.equal(sessionPath({ XDG_STATE_HOME: '/states' }), '/states/sauda/session.json');
  assert.equal(sessionPath({ XDG_STATE_HOME: 'here', HOME: '/home' }), '/home/.local/state/sauda/session.json');
});

/** Types at a terminal, and gives the answer and all that was shown. */
async function typed(keys: string, isSecret: boolean): Promise<{ answer: string; shown: string; raw: boolean[] }> {
  let shown = '';
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (mode: boolean) => raw.push(mode) });
  const prompt = new Prompt(input, (text) => {
    shown += text;
  });
  const answer = isSecret ? prompt.askSecret('Password') : prompt.ask('User id');
  input.write(keys);
  return { answer: await answer, shown, raw };
}

test('a secret is not shown, and other answers are; the terminal is given back', async () => {
  assert.deepEqual(await typed('pa ss\x7f\x7fth\r', true), {
    answer: 'pa th',
    shown: 'Password: \n',
    raw: [true, false],
  });
  assert.deepEqual(await typed('wrong\x15SD1\r', false), {
    answer: 'SD1',
    shown: `User id: wrong${'\b \b'.repeat(5)}SD1\n`,
    raw: [true, false],
  });
  await assert.rejects(typed('secr\x03', true), CommandFailed);
});

test('without a terminal the lines of standard input are the answers', async () => {
  const input = new PassThrough();
  input.end('pass\nkey\n\n');
  const prompt = new Prompt(input, assert.fail);
  assert.equal(await prompt.askSecret('Password'), 'pass');
  assert.equal(await prompt.askSecret('API key'), 'key');
  assert.equal(await prompt.ask('Code'), '');
  await assert.rejects(prompt.ask('Another'), /standard input ends before the answer to: Another/);
  await prompt.end();
});

test('every failure of a call has its exit code and words for a trader', () => {
  const failure = (status: number, code: string) =>
    requestErrorOf({ status, code, field: 'jKey', message: 'It is so' });
  const ambiguous = Object.assign(new TransportError('lost', 'x'), { ambiguous: true });
  const cases: [error: Error, exitCode: number, words: RegExp][] = [
    [failure(401, 'INVALID_JKEY'), EXIT_NO_SESSION, /^the session of SD1001 at .* has ended: log in again/],
    [failure(401, 'INVALID_CREDENTIALS'), EXIT_NO_SESSION, /^It is so$/],
    [failure(400, 'BAD_REQUEST'), EXIT_FAILED, /^It is so$/],
    [failure(429, 'TOO_MANY'), EXIT_FAILED, /^too many requests: It is so$/],
    [failure(503, 'UNAVAILABLE'), EXIT_UNAVAILABLE, /^the service takes no requests now: It is so$/],
    [new TransportError('not sent', 'x'), EXIT_UNAVAILABLE, /^no service answers at http/],
    [new TransportError('timeout', 'x'), EXIT_UNAVAILABLE, /no answer came in time$/],
    [ambiguous, EXIT_IN_DOUBT, /it may have been done: look with sauda orders or sauda gtt$/],
  ];
  for (const [error, exitCode, words] of cases) {
    const found = failureOf(error, SESSION);
    assert.ok(found instanceof CommandFailed);
    assert.equal(found.exitCode, exitCode);
    assert.match(found.message, words);
  }
  const defect = new TypeError('a defect');
  assert.equal(failureOf(defect, SESSION), defect);
});
