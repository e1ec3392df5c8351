/** The operations as a Postman collection (format 2.1), with a request for each in the folders of their groups. */

import { loggedIn } from '../endpoints/account/login.ts';
import type { JsonObject } from '../openapi.ts';
import type { Operation } from '../operation.ts';
import { BASE, OPERATIONS } from '../operations.ts';
import { COLLECTION_NAME, exampleText, requestName, VARIABLES } from './collection.ts';
import { grouped } from './operation-groups.ts';

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** Keeps the token of a login for the requests that follow. */
const KEEP_TOKEN = ["pm.collectionVariables.set('jKey', pm.response.json().data.susertoken);"];

export function postmanCollection(): JsonObject {
  const folders = Array.from(grouped(OPERATIONS), ([name, operations]) => ({ name, item: operations.map(item) }));
  return {
    info: { name: COLLECTION_NAME, schema: FORMAT, description: 'Set userId and the other credentials, then log in.' },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value, type: 'string' })),
    item: folders,
  };
}

function item(operation: Operation): JsonObject {
  const path = `${BASE}${operation.path}`;
  return {
    name: requestName(operation),
    ...(operation.answer === loggedIn ? { event: [{ listen: 'test', script: { exec: KEEP_TOKEN } }] } : {}),
    request: {
      method: 'POST',
      description: operation.summary,
      header: [{ key: 'Content-Type', value: 'application/json' }],
      url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') },
      body: { mode: 'raw', raw: exampleText(operation), options: { raw: { language: 'json' } } },
    },
  };
}
