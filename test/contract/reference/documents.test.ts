import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { Compile } from 'typebox/schema';
import * as envelope from '../../../src/gateway/fields/envelope.ts';
import { openApiDocument } from '../../../src/gateway/openapi.ts';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { asyncApiDocument } from '../../../src/gateway/reference/async-api.ts';
import { brunoFiles, brunoZip } from '../../../src/gateway/reference/bruno.ts';
import { ERROR_HELP, ERROR_NAMES } from '../../../src/gateway/reference/error-help.ts';
import { exampleBody } from '../../../src/gateway/reference/example-bodies.ts';
import { llmsText } from '../../../src/gateway/reference/llms-text.ts';
import { GROUPS, grouped, groupOf, UNGROUPED } from '../../../src/gateway/reference/operation-groups.ts';
import { postmanCollection } from '../../../src/gateway/reference/postman.ts';
import { STREAM_EVENTS } from '../../../src/gateway/reference/stream-events.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const PATHS = OPERATIONS.map(({ path }) => path);

/** A document as a client reads it. */
function read(document: unknown) {
  return JSON.parse(JSON.stringify(document));
}

test('every operation stands in one group, and every path of a group once', () => {
  const listed = GROUPS.flatMap(([, paths]) => [...paths] as string[]);
  assert.equal(new Set(listed).size, listed.length);
  assert.deepEqual(
    PATHS.filter((path) => groupOf(path) === UNGROUPED),
    [],
    'put the operation into a group of operation-groups.ts',
  );
  assert.deepEqual([...grouped(OPERATIONS).values()].flat().length, OPERATIONS.length);
});

test('the example body of every operation is taken, but where it names an order or a list that is not there', async () => {
  const world = await openWorld();
  for (const operation of OPERATIONS) {
    if (['/login', '/logout', '/demoLogin'].includes(operation.path)) continue;
    // The share of the examples is not listed in this world.
    const example = JSON.parse(JSON.stringify(exampleBody(operation)).replaceAll('ITC-EQ', 'IDEA-EQ'));
    const seen = await world.call(operation.path, ALICE, { ...example, ...ALICE.credentials });
    const { error = {} } = JSON.parse(seen.text);
    const isNamedThing = /^(orderNumber|GTTid|alertId|name)$/.test(error.field) && / not found/.test(error.message);
    assert.ok(seen.status === 200 || isNamedThing, `${operation.path}: ${seen.text}`);
  }
  await world.close();
});

test('every example of the published document is accepted by its schema, but for the variables', () => {
  const { paths } = read(openApiDocument('off'));
  for (const path of PATHS) {
    const { schema, example } = paths[path].post.requestBody.content['application/json'];
    for (const [name, value] of Object.entries(example)) {
      if (String(value).startsWith('{{')) continue;
      assert.ok(Compile(Type.Unsafe(schema.properties[name]) as never).Check(value as never), `${path}: ${name}`);
    }
    for (const name of schema.required ?? []) assert.ok(name in example, `${path}: ${name}`);
  }
});

test('both collections have every operation once, with its address and a body of its fields', () => {
  const { item: folders } = read(postmanCollection()) as {
    item: { name: string; item: { name: string; request: { url: { raw: string }; body: { raw: string } } }[] }[];
  };
  const requests = folders.flatMap(({ item }) => item);
  assert.deepEqual(
    requests.map(({ request }) => request.url.raw).sort(),
    PATHS.map((path) => `{{baseUrl}}/V1${path}`).sort(),
  );
  const bruno = brunoFiles();
  const files = [...bruno.values()];
  for (const operation of OPERATIONS) {
    const body = JSON.stringify(exampleBody(operation));
    const [request] = requests.filter(({ name }) => name === operation.path.slice(1));
    assert.equal(JSON.stringify(JSON.parse(request?.request.body.raw ?? '')), body);
    const [file = ''] = files.filter((text) => text.includes(`url: {{baseUrl}}/V1${operation.path}\n`));
    const raw = /^body:json \{\n([\s\S]*?)\n\}$/m.exec(file)?.[1] ?? '';
    assert.equal(JSON.stringify(JSON.parse(raw)), body, operation.path);
  }
  assert.equal(bruno.size, OPERATIONS.length + 2);
});

test('the ZIP file of the Bruno collection holds its files, and the same ones each time', () => {
  const zip = brunoZip();
  assert.ok(zip.equals(brunoZip()));
  const names = [...brunoFiles().keys()];
  assert.equal(zip.readUInt32LE(zip.length - 22), 0x06054b50);
  assert.equal(zip.readUInt16LE(zip.length - 12), names.length);
  let at = zip.readUInt32LE(zip.length - 6);
  for (const [name, text] of brunoFiles()) {
    const nameLength = zip.readUInt16LE(at + 28);
    assert.equal(zip.toString('utf8', at + 46, at + 46 + nameLength), name);
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26);
    assert.equal(zip.toString('utf8', from, from + zip.readUInt32LE(local + 18)), text);
    at += 46 + nameLength;
  }
});

test('every error name of the wire has its help, with the status of its failures', () => {
  const failures = Object.values(envelope).filter(
    (value): value is envelope.Failure => typeof value === 'object' && 'status' in value,
  );
  assert.ok(failures.length > 10);
  for (const { name, status } of failures) assert.equal(ERROR_HELP[name].status, status, name);
  assert.equal(ERROR_NAMES.length, 13);
});

test('every published event carries the very row that its operation answers, or all of them', () => {
  const { paths } = read(openApiDocument('off'));
  const document = read(asyncApiDocument());
  const { schemas, messages } = document.components;
  assert.ok(STREAM_EVENTS.length >= 7);
  for (const event of STREAM_EVENTS) {
    const { data } = paths[event.operation].post.responses[200].content['application/json'].schema.properties;
    const row = data.type === 'array' && event.isList !== true ? data.items : data;
    if (event.without === undefined) assert.deepEqual(schemas[`${event.type}Row`], row, event.type);
    const name = `#/components/schemas/${event.type}Row`;
    assert.equal(messages[event.type].payload.properties.data.$ref, name);
    assert.equal(messages[event.type].payload.properties.type.const, event.type);
    assert.ok(messages.subscribe.payload.properties.subscribe.anyOf[0].enum.includes(event.channel));
  }
  const tick = Object.keys(schemas.tickRow.properties);
  const depth = Object.keys(schemas.depthRow.properties);
  assert.deepEqual(
    tick,
    depth.filter((name) => !/^best/.test(name)),
  );
  assert.deepEqual(
    schemas.tickRow.required,
    schemas.depthRow.required.filter((name: string) => !/^best/.test(name)),
  );
});

test('every reference of the document of the sockets leads somewhere, and every message is on a channel', () => {
  const document = read(asyncApiDocument());
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  assert.ok(references.length > 30);
  for (const [, path = ''] of references) {
    const target = path.split('/').reduce((inside, key) => inside?.[key], document);
    assert.ok(target, path);
  }
  const { channels, components } = document as {
    channels: Record<string, { address: string; messages: object }>;
    components: { messages: object };
  };
  const onChannels = Object.values(channels).flatMap(({ messages }) => Object.keys(messages));
  assert.deepEqual([...new Set(onChannels)].sort(), Object.keys(components.messages).sort());
  assert.deepEqual(
    Object.values(channels).map(({ address }) => address),
    ['/stream', '/V2/ws', '/ws'],
  );
});

test('the text for programs names every operation, every error and every guide', () => {
  const text = llmsText();
  for (const { path, summary } of OPERATIONS) assert.ok(text.includes(`POST /V1${path}: ${summary}`), path);
  for (const name of ERROR_NAMES) assert.ok(text.includes(`/docs/errors/${name}`), name);
});
