/** The operations as a Bruno collection: a folder of text files, packed into a ZIP file. */

import { loggedIn } from '../endpoints/account/login.ts';
import type { Operation } from '../operation.ts';
import { BASE, OPERATIONS } from '../operations.ts';
import { COLLECTION_NAME, exampleText, requestName, VARIABLES } from './collection.ts';
import { grouped } from './operation-groups.ts';
import { zipOf } from './zip.ts';

const FOLDER = 'sauda';

/** The files of the collection by path. */
export function brunoFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const settings = { version: '1', name: COLLECTION_NAME, type: 'collection' };
  files.set(`${FOLDER}/bruno.json`, `${JSON.stringify(settings, undefined, 2)}\n`);
  const variables = Object.entries(VARIABLES).map(([name, value]) => `  ${name}: ${value}`.trimEnd());
  files.set(`${FOLDER}/environments/local.bru`, `vars {\n${variables.join('\n')}\n}\n`);
  for (const [group, operations] of grouped(OPERATIONS)) {
    for (const [index, operation] of operations.entries()) {
      const file = requestName(operation).replaceAll('/', '-');
      files.set(`${FOLDER}/${group}/${file}.bru`, requestFile(operation, index + 1));
    }
  }
  return files;
}

/** The collection as one file. */
export function brunoZip(): Buffer {
  return zipOf(brunoFiles());
}

function requestFile(operation: Operation, place: number): string {
  const blocks = [
    `meta {\n  name: ${requestName(operation)}\n  type: http\n  seq: ${place}\n}`,
    `post {\n  url: {{baseUrl}}${BASE}${operation.path}\n  body: json\n  auth: none\n}`,
    `body:json {\n${indented(exampleText(operation))}\n}`,
    `docs {\n${indented(operation.summary)}\n}`,
  ];
  if (operation.answer === loggedIn) blocks.push('vars:post-response {\n  jKey: res.body.data.susertoken\n}');
  return `${blocks.join('\n\n')}\n`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
