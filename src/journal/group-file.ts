import { closeSync, openSync, readSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { OWNER_ONLY } from '../durable-file.ts';
import { GENESIS, lastSeq } from './chain.ts';
import type { Head, StoredGroup } from './journal.ts';

/** `SAUD`: what marks an SQLite file as a journal of this program. */
const APPLICATION_ID = 0x53415544;
/** The version of the file's layout: the table below. */
const LAYOUT_VERSION = 1;
const TABLE = `CREATE TABLE record_group (
  first_seq INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  version INTEGER NOT NULL,
  body BLOB NOT NULL,
  hash BLOB NOT NULL
) STRICT`;
/** How many groups one read takes up, so that a long walk never holds back the writer's log for long. */
const PAGE_ROWS = 16;

/** Makes an empty journal file that only its owner may read; when it returns the file is whole and synced. A half-made one of an earlier try is completed. */
export function createGroupFile(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY));
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    if (database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n !== 0) return;
    database.exec(
      `BEGIN; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${LAYOUT_VERSION}; ${TABLE}; COMMIT`,
    );
  } finally {
    database.close();
  }
}

/**
 * A journal file, opened read-only: beside a running writer as well as on a stopped one. What it gives is not yet trusted.
 * Every method may throw what SQLite says of a damaged file.
 */
export class GroupFile {
  readonly path: string;
  private readonly database: DatabaseSync;

  constructor(path: string) {
    this.path = path;
    this.database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    this.database.exec('PRAGMA cell_size_check = ON');
  }

  /** True when nothing was ever made in the file. */
  isBlank(): boolean {
    return this.number('SELECT count(*) FROM sqlite_schema') === 0;
  }

  /** Why this is no journal that this program may write to; `undefined` when it is one. Cheap. */
  layoutFault(): string | undefined {
    if (!isLogged(this.path)) return 'the file is not marked as one with a write-ahead log';
    if (this.number('PRAGMA application_id') !== APPLICATION_ID) return 'not a journal of this program';
    const version = this.number('PRAGMA user_version');
    if (version !== LAYOUT_VERSION) {
      return `journal layout version ${version} is unknown: this program reads version ${LAYOUT_VERSION}`;
    }
    const schema = this.database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
    const only = schema[0];
    const expected = { type: 'table', name: 'record_group', tbl_name: 'record_group', sql: TABLE };
    if (schema.length !== 1 || only === undefined) return `${schema.length} tables where one is expected`;
    for (const [key, value] of Object.entries(expected))
      if (only[key] !== value) return 'the table is not as it was made';
    return undefined;
  }

  /** What `PRAGMA integrity_check` finds first; `undefined` when the file is sound. Reads the whole file. */
  integrityFault(): string | undefined {
    if (this.number('PRAGMA freelist_count') !== 0) return 'unused pages in a file from which nothing is ever deleted';
    const answer = this.database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    return answer === 'ok' ? undefined : String(answer).replaceAll('\n', ' ');
  }

  head(): Head {
    const row = this.statement('ORDER BY first_seq DESC LIMIT 1').get();
    if (row === undefined) return GENESIS;
    const group = groupOfRow(row);
    return { seq: lastSeq(group), hash: group.hash };
  }

  hashAt(seq: number): string | undefined {
    if (seq === 0) return GENESIS.hash;
    const row = this.statement('WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1').get(seq);
    if (row === undefined) return undefined;
    const group = groupOfRow(row);
    return lastSeq(group) === seq ? group.hash : undefined;
  }

  *groups(after: number): Iterable<StoredGroup> {
    const statement = this.statement(`WHERE first_seq > ? ORDER BY first_seq LIMIT ${PAGE_ROWS}`);
    for (let from = after; ; ) {
      const page = statement.all(from).map(groupOfRow);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) return;
      from = last.firstSeq;
    }
  }

  close(): void {
    this.database.close();
  }

  private statement(clause: string): StatementSync {
    return this.database.prepare(`SELECT first_seq, count, version, body, hash FROM record_group ${clause}`);
  }

  private number(sql: string): number {
    return Number(Object.values(this.database.prepare(sql).get() ?? {})[0]);
  }
}

/**
 * The two bytes of the file's header that say who may write and who may read it are 2. SQLite opens a file with another first one, but
 * refuses the first write. Source: https://sqlite.org/fileformat.html#file_format_version_numbers
 */
function isLogged(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(2);
    readSync(file, bytes, 0, 2, 18);
    return bytes[0] === 2 && bytes[1] === 2;
  } finally {
    closeSync(file);
  }
}

function groupOfRow(row: Record<string, unknown>): StoredGroup {
  const { first_seq: firstSeq, count, version, body, hash } = row;
  if (typeof firstSeq !== 'number' || typeof count !== 'number' || typeof version !== 'number') {
    throw new Error('a group whose numbers are no numbers');
  }
  if (!(body instanceof Uint8Array) || !(hash instanceof Uint8Array) || hash.length !== 32) {
    throw new Error(`the group of ${firstSeq} has no body or no hash`);
  }
  return { firstSeq, count, version, body, hash: Buffer.from(hash).toString('hex') };
}
