/**
 * The session of `sauda login`, kept between commands in a file that only its owner can read. The file holds the token
 * of the session and never a password.
 */
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CommandFailed, EXIT_NO_SESSION } from '../../os/command-failed.ts';
import { isOpenToOthers, makeFolder, readIfPresent, removeDurably, writeDurably } from '../../os/durable-file.ts';

/** A session of a user at a service. */
export interface KeptSession {
  /** One address, or several with commas between them. */
  readonly url: string;
  readonly userId: string;
  readonly token: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The path of the file: `sauda/session.json` in the folder of states. Source: XDG Base Directory Specification 0.8,
 * which passes over a folder that is not absolute.
 */
export function sessionPath(env: Env): string {
  const given = env.XDG_STATE_HOME ?? '';
  const home = env.HOME || homedir();
  return join(isAbsolute(given) ? given : join(home, '.local', 'state'), 'sauda', 'session.json');
}

/** The kept session. Throws `CommandFailed` when there is none, or when others can read it. */
export function readSession(env: Env): KeptSession {
  const path = sessionPath(env);
  const text = readIfPresent(path);
  if (text === undefined) throw new CommandFailed('nobody is logged in: begin with sauda login', EXIT_NO_SESSION);
  if (isOpenToOthers(path)) {
    throw new CommandFailed(`others can read ${path}: run chmod 600 on it, or log in again`, EXIT_NO_SESSION);
  }
  const session = sessionIn(text);
  if (session === undefined) throw new CommandFailed(`${path} holds no session: log in again`, EXIT_NO_SESSION);
  return session;
}

export function writeSession(env: Env, { url, userId, token }: KeptSession): void {
  const path = sessionPath(env);
  makeFolder(dirname(path));
  writeDurably(path, `${JSON.stringify({ url, userId, token })}\n`);
}

export function removeSession(env: Env): void {
  removeDurably(sessionPath(env));
}

/** `undefined` for text that is not a session. */
function sessionIn(text: string): KeptSession | undefined {
  try {
    const { url, userId, token } = JSON.parse(text) as Partial<Record<keyof KeptSession, unknown>>;
    return typeof url === 'string' && typeof userId === 'string' && typeof token === 'string'
      ? { url, userId, token }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
