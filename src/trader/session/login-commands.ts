/**
 * The commands that open and end the session of all other commands. The password and the one-time code are asked for,
 * sent once and forgotten; the token of the session is kept.
 */
import type { Command } from 'commander';
import { originOf, Sauda } from '../../../client/src/sauda.ts';
import { plainTextWarning } from '../../base/net/plain-text.ts';
import { withoutControls } from '../../base/printable.ts';
import { CommandFailed, EXIT_NO_SESSION, EXIT_USAGE } from '../../os/command-failed.ts';
import type { Flags, LoginDetails, TraderParts } from '../trader-parts.ts';
import { sessionFailureOf } from './failure.ts';
import { Prompt } from './prompt.ts';
import { readSession, removeSession, writeSession } from './session-file.ts';
import { addressesIn, saudaOf } from './signed-in.ts';

/** Adds `login` and `logout`. */
export function addLoginCommands(program: Command, parts: TraderParts): void {
  const login = program
    .command('login [userId]')
    .description('log in for the commands of traders; asks for what is missing')
    .option('--url <address>', 'the address of the service, or several with commas; the local service when left out')
    .option('--demo <userId>', 'log in as a demo user of the local data folder, without questions')
    .option('--vendor-code <code>', 'the vendor code; the user id and _API when left out');
  parts.local.withLocal(login).action((userId: string | undefined, flags: Flags) => logIn(parts, userId, flags));
  program
    .command('logout')
    .description('end the session and forget it')
    .action(() => logOut(parts));
}

async function logIn(parts: TraderParts, userId: string | undefined, flags: Flags): Promise<void> {
  const url = flags.url === undefined ? parts.local.addressOf(flags) : flags.url.split(',').map(addressIn).join(',');
  for (const address of addressesIn(url)) warnOfPlainText(parts, address);
  const details = await detailsOf(parts, userId, flags);
  const sauda = new Sauda({ ...details, url: addressesIn(url) });
  try {
    const { password, totp } = details;
    const { userName, susertoken } = await sauda.login(totp === '' ? { password } : { password, totp });
    writeSession(parts.env, { url, userId: details.userId, token: susertoken });
    parts.print(withoutControls(`logged in as ${details.userId} (${userName}) at ${url}`));
  } catch (error) {
    throw withCodeHint(sessionFailureOf(error, { url, userId: details.userId }), details);
  }
}

/** A service says of all wrong credentials the same, and a code that was used before is the likeliest of them. */
function withCodeHint(failure: unknown, { totp }: LoginDetails): unknown {
  if (!(failure instanceof CommandFailed) || failure.exitCode !== EXIT_NO_SESSION || totp === '') return failure;
  const hint = 'a one-time code opens one session, and the next one comes within 30 seconds';
  return new CommandFailed(`${failure.message} (${hint})`, failure.exitCode);
}

async function detailsOf(parts: TraderParts, userId: string | undefined, flags: Flags): Promise<LoginDetails> {
  const { demo, vendorCode } = flags;
  if (demo !== undefined) {
    if (userId !== undefined) throw new CommandFailed('name the user once: sauda login --demo SD1001', EXIT_USAGE);
    return parts.local.demoLogin(flags, demo);
  }
  const prompt = new Prompt(parts.input, (text) => parts.errors.write(text));
  try {
    const user = userId ?? (await prompt.ask('User id'));
    const password = await prompt.askSecret('Password');
    const apiKey = await prompt.askSecret('API key');
    const totp = await prompt.ask('One-time code (blank without one)');
    return { userId: user, password, apiKey, totp, vendorCode: vendorCode ?? `${user}_API` };
  } finally {
    await prompt.end();
  }
}

/** The address as the client takes it. Throws `CommandFailed` for text that is not one. */
function addressIn(text: string): string {
  const url = URL.parse(text.includes('://') ? text.trim() : `https://${text.trim()}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new CommandFailed(`${JSON.stringify(text)} is not an address, such as https://sauda.example`, EXIT_USAGE);
  }
  return originOf(url.href);
}

function warnOfPlainText(parts: TraderParts, url: string): void {
  const warning = plainTextWarning(new URL(url));
  if (warning !== undefined) parts.errors.write(`sauda: ${warning}\n`);
}

async function logOut(parts: TraderParts): Promise<void> {
  const session = readSession(parts.env);
  const { userId, url } = session;
  try {
    await saudaOf(session).logout();
    removeSession(parts.env);
    parts.print(`${userId} is logged out at ${url}`);
  } catch (error) {
    removeSession(parts.env);
    const failure = sessionFailureOf(error, session);
    if (failure instanceof CommandFailed && failure.exitCode === EXIT_NO_SESSION) {
      parts.print(`the session of ${userId} had ended already; it is forgotten`);
    } else if (failure instanceof CommandFailed) {
      throw new CommandFailed(`the session is forgotten here, and may live on: ${failure.message}`, failure.exitCode);
    } else throw failure;
  }
}
