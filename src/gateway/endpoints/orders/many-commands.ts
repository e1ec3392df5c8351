import type { Command } from '../../../core/command.ts';
import type { Reply } from '../../../core/reply.ts';
import { Unavailable } from '../../../engine/port.ts';
import type { GatewayParts } from '../../deps.ts';
import { type Caller, originOf } from '../../operation.ts';

/** The outcome of a command: its reply, or that the engine took none. */
export type Outcome = Reply | Unavailable;

/**
 * Submits the commands of one request in their order, each in a turn of its account, so that nobody waits for all of
 * them. Resolves with the outcome of each when all of it is durable.
 */
export async function submitEach(
  parts: GatewayParts,
  caller: Caller,
  commands: readonly Command[],
): Promise<readonly Outcome[]> {
  const pending: { readonly outcome: Promise<Outcome> }[] = [];
  for (const command of commands) {
    const submit = () => ({ outcome: submitOne(parts, caller, command) });
    pending.push(await parts.turns.run(caller.account, submit));
  }
  return Promise.all(pending.map(({ outcome }) => outcome));
}

/**
 * Submits one of the commands of a request. A failure of the service is met where the outcome is awaited, which may be
 * some turns later.
 */
export function submitOne({ engine }: GatewayParts, caller: Caller, command: Command): Promise<Outcome> {
  const outcome = outcomeOf(engine.submit({ command, origin: originOf(caller) }));
  outcome.catch(() => undefined);
  return outcome;
}

/** The reply to a command, or that the engine took none. */
export function outcomeOf(reply: Promise<Reply>): Promise<Outcome> {
  return reply.catch((error: unknown) => {
    if (error instanceof Unavailable) return error;
    throw error;
  });
}
