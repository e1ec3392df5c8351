/**
 * Sends the requests of the command line to the operator port of the running service.
 * A refusal comes back as a text for the operator; where no service answers, the command ends.
 */
import { jsonOf } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { CommandFailed, EXIT_IN_DOUBT, EXIT_UNAVAILABLE } from '../../os/command-failed.ts';

/** The commands that show whether a change was made. */
const WHERE_TO_LOOK = 'sauda users, sauda switches, sauda clock show or sauda audit search';

/** A running service's operator port, with the token of its data folder. */
export interface OperatorAddress {
  readonly port: number;
  readonly token: string;
}

/**
 * Sends one action to a running service. Resolves with the answer's body, or with the words of the service's refusal.
 * Throws `CommandFailed` when none answers at the port, and when the answer is lost.
 */
export async function sendAction(
  address: OperatorAddress,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Result<unknown, string>> {
  return answerOf(address, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Sends a file, as it is, to a running service. Resolves as `sendAction` does. */
export async function sendFile(address: OperatorAddress, path: string, file: Blob): Promise<Result<unknown, string>> {
  return answerOf(address, path, { method: 'POST', headers: { 'content-type': 'application/xml' }, body: file });
}

/** Asks a running service. Resolves as `sendAction` does. */
export async function sendQuestion(address: OperatorAddress, path: string): Promise<Result<unknown, string>> {
  return answerOf(address, path, { method: 'GET', headers: {} });
}

/**
 * Asks a running service for a file, and hands over its bytes as they come. Resolves when all of them were taken, with
 * their number, or as `sendAction` does. Throws `CommandFailed` when the answer does not come whole, and what `take`
 * throws.
 */
export async function fetchFile(
  { port, token }: OperatorAddress,
  path: string,
  take: (bytes: Uint8Array) => void,
): Promise<Result<number, string>> {
  const broken = (error: unknown): never => {
    throw unanswered(`the operator port ${port} gave no whole answer (${causeOf(error)}): is the service running?`);
  };
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(broken);
  if (!response.ok) {
    const text = await response.text().catch(broken);
    return fail(errorOf(jsonOf(text)) ?? `the service answered ${response.status}`);
  }
  let count = 0;
  for await (const bytes of unlessBroken(response.body ?? [], broken)) {
    take(bytes as Uint8Array);
    count += (bytes as Uint8Array).length;
  }
  return ok(count);
}

/** The pieces of an answer. An error of the answer is what `broken` throws; one of who takes the pieces is its own. */
async function* unlessBroken<T>(
  pieces: AsyncIterable<T> | Iterable<T>,
  broken: (error: unknown) => never,
): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    broken(error);
  }
}

async function answerOf(
  { port, token }: OperatorAddress,
  path: string,
  request: RequestInit & { readonly headers: Readonly<Record<string, string>> },
): Promise<Result<unknown, string>> {
  let response: Response;
  let text: string;
  try {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    response = await fetch(`http://127.0.0.1:${port}${path}`, { ...request, headers });
    text = await response.text();
  } catch (error) {
    if (request.method === 'POST' && !wasNotSent(error)) throw inDoubt(error);
    throw unanswered(`no service answers at the operator port ${port} (${causeOf(error)}): is it running?`);
  }
  // Every answer of a service is JSON.
  const answer = jsonOf(text);
  if (answer === undefined) return fail(`the answer at the operator port ${port} is not of a Sauda service`);
  return response.ok ? ok(answer) : fail(errorOf(answer) ?? `the service answered ${response.status}`);
}

function unanswered(words: string): CommandFailed {
  return new CommandFailed(words, EXIT_UNAVAILABLE);
}

/** A request that may have been carried out: repeating it could do it twice. */
function inDoubt(error: unknown): CommandFailed {
  const words = `the answer was lost (${causeOf(error)}), so it may have been done: look with ${WHERE_TO_LOOK}`;
  return new CommandFailed(words, EXIT_IN_DOUBT);
}

/** Whether no connection was made; `fetch` makes none to a port of another protocol. */
function wasNotSent(error: unknown): boolean {
  const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
  return cause?.syscall === 'connect' || cause?.code === 'UND_ERR_CONNECT_TIMEOUT' || cause?.message === 'bad port';
}

function errorOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return undefined;
  return typeof answer.error === 'string' ? answer.error : undefined;
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : String(error);
}
