/** Pages of answers: no list is longer than an agent can read. */

import type { JsonObject } from '../gateway/openapi.ts';

/** Rows of a page when the agent asks for no number, and the largest number. */
const USUAL_ROWS = 50;
const MOST_ROWS = 500;
const COUNT: JsonObject = { type: 'integer', minimum: 0 };

/** The part of a tool's input that asks for a page. */
export const PAGE_FIELDS: JsonObject = {
  offset: { type: 'integer', minimum: 0, description: 'rows to pass over; 0 when absent' },
  limit: { type: 'integer', minimum: 1, maximum: MOST_ROWS, description: `rows to give; ${USUAL_ROWS} when absent` },
};
/** Stands in the description of each tool that answers lists. */
export const LISTS_ARE_PAGED = `Lists come in pages of ${USUAL_ROWS} rows: ask with offset and limit for others.`;

/** The page that the input of a tool asks for; its form is checked. */
export class Page {
  private readonly offset: number;
  private readonly limit: number;

  constructor(offset: unknown = 0, limit: unknown = USUAL_ROWS) {
    this.offset = Number(offset);
    this.limit = Number(limit);
  }

  /** A page of a list, as `pageSchema` says. */
  ofList(list: readonly unknown[]): Record<string, unknown> {
    return { rows: this.cut(list, this.offset), offset: this.offset, total: list.length };
  }

  /**
   * An object with a page of each of its lists, as `pagedSchema` says. A list within a row is not passed over: it shows
   * its first items.
   */
  ofObject(data: object): Record<string, unknown> {
    const totals: Record<string, number> = {};
    const paged = (value: unknown, at: string, offset: number): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) {
        totals[at] = Math.max(totals[at] ?? 0, value.length);
        return this.cut(value, offset).map((item) => paged(item, at, 0));
      }
      return mapped(value, (inner, name) => paged(inner, at === '' ? name : `${at}.${name}`, offset));
    };
    return { ...(paged(data, '', this.offset) as object), pages: { offset: this.offset, totals } };
  }

  private cut(list: readonly unknown[], offset: number): readonly unknown[] {
    return list.slice(offset, offset + this.limit);
  }
}

function mapped(object: object, change: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

/** The schema of a page of a list of rows. */
export function pageSchema(row: JsonObject): JsonObject {
  const properties = { rows: { type: 'array', items: row }, offset: COUNT, total: COUNT };
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** Whether an object of this schema has a list, itself or in an object of it. */
export function hasList({ properties = {} }: JsonObject): boolean {
  return Object.values(properties).some((field: JsonObject) => field.type === 'array' || hasList(field));
}

/** The schema of an object with a page of each of its lists. */
export function pagedSchema(schema: JsonObject): JsonObject {
  const totals: JsonObject = {
    type: 'object',
    additionalProperties: COUNT,
    description: 'the length of each list by its path; of lists within rows the longest on this page',
  };
  const pages = { type: 'object', properties: { offset: COUNT, totals }, required: ['offset', 'totals'] };
  const required = Array.isArray(schema.required) ? schema.required : [];
  return { ...schema, properties: { ...(schema.properties as JsonObject), pages }, required: [...required, 'pages'] };
}
