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
import { hasList, LISTS_ARE_PAGED, PAGE_FIELDS, Page, pagedSchema, pageSchema } from './pages.ts';
import type { SignedIn } from './signed-in.ts';
import { failure, success, TEXTS_ARE_DATA } from './tool-answer.ts';
import { READ_OPERATIONS, TRADE_OPERATIONS, toolName } from './tool-table.ts';

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
  const { path, summary } = operation;
  const { output, isPaged } = outputOf(operation, annotations === READS);
  const run = async ({ offset, limit, ...fields }: Arguments): Promise<CallToolResult> => {
    const data = await call(fields);
    const page = new Page(offset, limit);
    if (Array.isArray(data)) return success(page.ofList(data));
    return success(isPaged ? page.ofObject(data as object) : (data as Record<string, unknown>));
  };
  return {
    name: toolName(path),
    title: summary,
    description: `${summary}. ${isPaged ? `${LISTS_ARE_PAGED} ` : ''}${TEXTS_ARE_DATA}`,
    input: schemaOf(inputSchema(operation, isPaged ? PAGE_FIELDS : {})),
    output: schemaOf(output),
    annotations,
    run: guarded(run),
  };
}

/** The schema of a tool's output. An object that says what was changed is whole, since it is not asked again. */
function outputOf({ path, answer }: Operation, reads: boolean): { output: JsonObject; isPaged: boolean } {
  if (answer.data === undefined) throw new Error(`${path} answers nothing that a tool could hand out`);
  if (IsArray(answer.data)) return { output: pageSchema(published(answer.data.items)), isPaged: true };
  const schema = published(answer.data);
  return reads && hasList(schema) ? { output: pagedSchema(schema), isPaged: true } : { output: schema, isPaged: false };
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
