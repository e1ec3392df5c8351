import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Time } from '../../client/src/time.ts';
import { agentServer, agentTools } from '../../src/mcp/agent-server.ts';
import { Previews } from '../../src/mcp/previews.ts';
import { type HttpService, serveHttp } from '../../src/mcp/serve-http.ts';
import { SignedIn } from '../../src/mcp/signed-in.ts';
import { TradingCaps } from '../../src/mcp/trading-caps.ts';
import type { TestUser, World } from '../kit/wire/world.ts';

/** An answer of a tool as an agent sees it. */
export interface ToolSeen {
  readonly isError: boolean;
  /** The structured content; of a failure what its text says. */
  readonly data: Record<string, unknown>;
  readonly text: string;
}

/** An agent of a user of a world, over HTTP. */
export class Agent {
  readonly client: Client;
  readonly service: HttpService;
  private readonly session: SignedIn;
  /** Added to the time of the machine by the clock of the previews, in milliseconds. */
  readonly later: { ms: number };

  private constructor(client: Client, service: HttpService, session: SignedIn, later: { ms: number }) {
    this.client = client;
    this.service = service;
    this.session = session;
    this.later = later;
  }

  /** `caps`: trading is allowed, up to them. `time`: the tools of the clock are allowed. */
  static async open(
    world: World,
    { credentials }: TestUser,
    caps?: { readonly maxOrderValue: bigint; readonly maxOrders: number },
    bearer?: string,
    time?: Time,
  ): Promise<Agent> {
    const later = { ms: 0 };
    const elapsed = (): number => performance.now() + later.ms;
    const origin = `http://127.0.0.1:${world.port}`;
    const { userId, jKey } = credentials;
    const session = new SignedIn({ origin, userId, jKey, login: undefined, bearer, operator: undefined }, elapsed);
    const trading = caps === undefined ? undefined : { previews: new Previews(elapsed), caps: new TradingCaps(caps) };
    const tools = agentTools(session, { trading, time });
    const onError = (error: Error): void => assert.fail(error);
    const makeServer = () => agentServer(tools, '0');
    const service = await serveHttp({ port: 0, bearer, makeServer, onError });
    const client = new Client({ name: 'test', version: '1' });
    const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(service.url), { requestInit: { headers } }));
    return new Agent(client, service, session, later);
  }

  async call(name: string, given: Record<string, unknown> = {}): Promise<ToolSeen> {
    const { content, structuredContent, isError = false } = await this.client.callTool({ name, arguments: given });
    const text = (content as { text: string }[]).map((part) => part.text).join('');
    const isJson = text.startsWith('{');
    const data = (structuredContent ?? (isJson ? JSON.parse(text) : {})) as Record<string, unknown>;
    return { isError: Boolean(isError), data, text };
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.service.close();
    await this.session.close();
  }
}
