/**
 * Tools that are operations: their inputs and outputs are the published schemas. A list is answered in pages, so that
 * no answer is larger than an agent can read.
 */

import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import { IsArray } from 'typebox';
import { type JsonObject, published } from '../gateway/openapi.ts';
import type { Operation } from '../gateway/operation.ts';
import { OPERATIONS } from '../gateway/operations.ts';
import type { SignedIn } from './signed-in.ts';
import { failure, success, TEXTS_ARE_DATA } from './tool-answer.ts';
import { READ_OPERATIONS, TRADE_OPERATIONS, toolName } from './tool-table.ts';

/** Rows of a page when the agent asks for no number, and the largest number. */
const USUAL_ROWS = 50;
const MOST_ROWS = 500;
const PAGE_FIELDS: JsonObject = {
  offset: { type: 'integer', minimum: 0, description: 'rows to pass over; 0 when absent' },
  limit: { type: 'integer', minimum: 1, maximum: MOST_ROWS, description: `rows to give; ${USUAL_ROWS} when absent` },
};
const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const CHANGES: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

type Arguments = Readonly<Record<string, unknown>>;
type ToolSchema = ReturnType<typeof fromJsonSchema<Arguments>>;

/** A tool as it is registered. */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ToolSchema;
  readonly output: ToolSchema;
  readonly annotations: ToolAnnotations;
  readonly run: (given: Arguments) => Promise<CallToolResult>;
}

/** The tools of operations: those that read, and with `trading` those that change something too. */
export function operationTools(session: SignedIn, trading: boolean): readonly AgentTool[] {
  const reads = OPERATIONS.filter(({ path }) => READ_OPERATIONS.includes(path));
  const changes = trading ? OPERATIONS.filter(({ path }) => path in TRADE_OPERATIONS) : [];
  return [
    ...reads.map((operation) => toolOf(operation, READS, (fields) => session.read(operation.path, fields))),
    ...changes.map((operation) =>
      toolOf(operation, hintsOf(operation), (fields) => session.change(operation.path, fields)),
    ),
  ];
}

/** Agents may send a call that is idempotent once more where its answer is lost. */
function hintsOf({ path }: Operation): ToolAnnotations {
  return { ...CHANGES, idempotentHint: TRADE_OPERATIONS[path] === 'Repeatable' };
}

function toolOf(
  operation: Operation,
  annotations: ToolAnnotations,
  call: (fields: Arguments) => Promise<unknown>,
): AgentTool {
  const { path, summary, answer } = operation;
  const row = answer.data !== undefined && IsArray(answer.data) ? published(answer.data.items) : undefined;
  const run = async ({ offset, limit, ...fields }: Arguments): Promise<CallToolResult> => {
    const data = await call(fields);
    return success(Array.isArray(data) ? pageOf(data, offset, limit) : (data as Record<string, unknown>));
  };
  return {
    name: toolName(path),
    title: summary,
    description: `${summary}. ${TEXTS_ARE_DATA}`,
    input: schemaOf(inputSchema(operation, row === undefined ? {} : PAGE_FIELDS)),
    output: schemaOf(row === undefined ? outputSchema(operation) : pageSchema(row)),
    annotations,
    run: guarded(run),
  };
}

/** The same work with its failures as answers. */
export function guarded(run: AgentTool['run']): AgentTool['run'] {
  return (given) => run(given).catch(failure);
}

export function schemaOf(schema: JsonObject): ToolSchema {
  return fromJsonSchema<Arguments>(schema as JsonSchemaType);
}

/** The fields of an operation's request without the user and the token, which the server adds. */
export function inputSchema({ request }: Operation, more: JsonObject): JsonObject {
  const { properties, required } = published(request, true);
  const { userId: _user, jKey: _token, ...fields } = properties as JsonObject;
  const needed = (Array.isArray(required) ? required : []).filter((name) => typeof name === 'string' && name in fields);
  return { type: 'object', properties: { ...fields, ...more }, required: needed, additionalProperties: false };
}

function outputSchema({ path, answer }: Operation): JsonObject {
  if (answer.data === undefined) throw new Error(`${path} answers nothing that a tool could hand out`);
  return published(answer.data);
}

function pageSchema(row: JsonObject): JsonObject {
  const count = { type: 'integer', minimum: 0 };
  const properties = { rows: { type: 'array', items: row }, offset: count, total: count };
  return { type: 'object', properties, required: Object.keys(properties) };
}

function pageOf(rows: readonly unknown[], offset: unknown = 0, limit: unknown = USUAL_ROWS) {
  const from = Number(offset);
  return { rows: rows.slice(from, from + Number(limit)), offset: from, total: rows.length };
}
