import { McpServer } from '@modelcontextprotocol/server';
import type { Time } from '../../client/src/time.ts';
import { clockTools } from './clock-tools.ts';
import { type AgentTool, operationTools } from './operation-tools.ts';
import { orderTools, type TradingParts } from './order-tools.ts';
import type { SignedIn } from './signed-in.ts';
import { TEXTS_ARE_DATA } from './tool-answer.ts';

/** One call of a tool may hold this number of values. */
const MOST_VALUES = 1_000;

const INSTRUCTIONS =
  'Tools of one user of Sauda, a brokerage service for Indian exchanges. Prices are rupees as text, times are IST. ' +
  'preview_order names the market: simulated, replay or live. Before an order is placed, show its preview to the user ' +
  `and ask. ${TEXTS_ARE_DATA}`;

/** The toolsets beside reading. */
export interface Toolsets {
  /** Those that trade; absent where the server only reads. */
  readonly trading?: TradingParts | undefined;
  /** Those of the market clock; absent where the server leaves it alone. */
  readonly time?: Time | undefined;
}

/** All tools: those that read, and those of the toolsets that are allowed. */
export function agentTools(session: SignedIn, { trading, time }: Toolsets): readonly AgentTool[] {
  const clock = time === undefined ? [] : clockTools(time);
  return [...operationTools(session, trading !== undefined), ...orderTools(session, trading), ...clock];
}

/** A server for one connection. All of them share the tools, and so the session and the caps. */
export function agentServer(tools: readonly AgentTool[], version: string): McpServer {
  const server = new McpServer(
    { name: 'sauda', title: 'Sauda', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {} }, maxToolInputElements: MOST_VALUES },
  );
  for (const { name, title, description, input, output, annotations, run } of tools) {
    server.registerTool(name, { title, description, inputSchema: input, outputSchema: output, annotations }, run);
  }
  return server;
}
