/** Runs the server of `sauda mcp`: tools for agents, over standard input and output or over HTTP on loopback. */

import { once } from 'node:events';
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { plainTextWarning } from '../base/net/plain-text.ts';
import { agentServer, agentTools } from './agent-server.ts';
import { clockOf } from './clock-tools.ts';
import { EnvironmentFault, type ServiceSettings, settingsOf } from './environment.ts';
import type { TradingParts } from './order-tools.ts';
import { Previews } from './previews.ts';
import { type HttpParts, serveHttp } from './serve-http.ts';
import { SignedIn } from './signed-in.ts';
import { TradingCaps } from './trading-caps.ts';

/** The surroundings of the command. */
export interface McpParts {
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line for people; standard output belongs to the protocol. */
  readonly report: (line: string) => void;
}

/** The flags of the command. */
export interface McpFlags {
  /** The port of 127.0.0.1; standard input and output when absent. */
  readonly http?: number;
  readonly allowTrading?: true;
  readonly allowTime?: true;
  /** In paise. */
  readonly maxOrderValue: bigint;
  readonly maxOrders: number;
}

/**
 * Serves agents until the input ends or the process is asked to end. Gives the fault of the environment because of
 * which nothing was served.
 */
export async function runServer(flags: McpFlags, parts: McpParts): Promise<string | undefined> {
  const settings = serviceOf(parts);
  if (typeof settings === 'string') return settings;
  if (flags.allowTime && settings.operator === undefined) return 'set SAUDA_OPERATOR_TOKEN for --allow-time';
  for (const url of [settings.origin, ...(flags.allowTime && settings.operator ? [settings.operator.url] : [])]) {
    const warning = plainTextWarning(new URL(url));
    if (warning !== undefined) parts.report(`sauda mcp: ${warning}`);
  }
  const session = new SignedIn(settings, () => performance.now());
  const time = flags.allowTime ? clockOf(settings) : undefined;
  const tools = agentTools(session, { trading: flags.allowTrading ? tradingOf(flags) : undefined, time });
  const makeServer = (): McpServer => agentServer(tools, parts.version);
  const onError = (error: Error): void => parts.report(`sauda mcp: ${error.message}`);
  try {
    if (flags.http === undefined) await untilInputEnds(makeServer, onError);
    else await untilAsked({ port: flags.http, bearer: settings.bearer, makeServer, onError }, parts);
  } finally {
    await session.close();
  }
  return undefined;
}

function serviceOf({ env }: McpParts): ServiceSettings | string {
  try {
    return settingsOf(env);
  } catch (error) {
    if (error instanceof EnvironmentFault) return error.message;
    throw error;
  }
}

function tradingOf({ maxOrderValue, maxOrders }: McpFlags): TradingParts {
  return { previews: new Previews(() => performance.now()), caps: new TradingCaps({ maxOrderValue, maxOrders }) };
}

async function untilInputEnds(makeServer: () => McpServer, onerror: (error: Error) => void): Promise<void> {
  const service = serveStdio(makeServer, { transport: new StdioServerTransport(), onerror });
  await Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), asked()]);
  await service.close();
}

async function untilAsked(http: HttpParts, { report }: McpParts): Promise<void> {
  const service = await serveHttp(http);
  report(`sauda mcp: ${service.url}`);
  await asked();
  await service.close();
}

/** Resolves when the process is asked to end. */
async function asked(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
