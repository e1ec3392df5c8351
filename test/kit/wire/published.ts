import assert from 'node:assert/strict';
import { Compile } from 'typebox/schema';
import { openApiDocument } from '../../../src/gateway/openapi.ts';
import type { Seen } from './wire-checks.ts';

/** A schema of the published document, as a client's validator reads it. */
type Schema = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;
type Content = { readonly content: { readonly 'application/json': { readonly schema: Schema } } };

interface PublishedOperation {
  readonly requestBody: Content;
  readonly responses: Readonly<Record<string, Content & { readonly headers: Readonly<Record<string, unknown>> }>>;
}

/** The published document's schemas of answers, and of the fields of requests that are taken. */
export class Published {
  private readonly document: {
    readonly paths: Readonly<Record<string, { readonly post?: PublishedOperation }>>;
    readonly components: { readonly schemas: { readonly Failure: Schema } };
  };
  private readonly checks = new Map<Schema, Check>();

  constructor(slicing: 'on' | 'off') {
    this.document = JSON.parse(JSON.stringify(openApiDocument(slicing)));
  }

  /** Checks an answer of an operation, and the request when it was taken; of other paths nothing. */
  check(path: string, sent: string | undefined, { status, headers, text }: Seen): void {
    const operation = this.document.paths[path.replace(/^\/V1/, '')]?.post;
    if (operation === undefined || status === 404 || status === 405) return;
    const published = operation.responses[status];
    assert.ok(published, `${path} is not said to answer ${status}: ${text}`);
    const { schema } = published.content['application/json'];
    const body: unknown = JSON.parse(text);
    assert.ok(
      this.accepts('$ref' in schema ? this.document.components.schemas.Failure : schema, body),
      `${path}: ${text}`,
    );
    if ('retry-after' in headers) assert.ok('Retry-After' in published.headers, `${path} ${status}: Retry-After`);
    if (status === 200) this.checkTaken(path, operation, JSON.parse(sent ?? ''));
  }

  /** Every field that was sent under its own name may be as it was; null is not a value. */
  private checkTaken(path: string, { requestBody }: PublishedOperation, sent: Readonly<Record<string, unknown>>): void {
    const { properties } = requestBody.content['application/json'].schema as {
      readonly properties: Readonly<Record<string, Schema>>;
    };
    for (const [name, schema] of Object.entries(properties)) {
      const value = sent[name];
      if (value === undefined || value === null) continue;
      assert.ok(this.accepts(schema, value), `${path} took ${name} = ${JSON.stringify(value)}, which is not published`);
    }
  }

  private accepts(schema: Schema, value: unknown): boolean {
    let check = this.checks.get(schema);
    if (check === undefined) {
      const validator = Compile(schema as never);
      check = (candidate) => validator.Check(candidate as never);
      this.checks.set(schema, check);
    }
    return check(value);
  }
}
