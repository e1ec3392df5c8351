/**
 * Packs small text files into a ZIP file, stored as they are. Source: APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16.
 */

import { crc32 } from 'node:zlib';

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
/** Version 2.0 is the first with folders. */
const VERSION = 20;
/** Names are UTF-8. */
const UTF8_NAMES = 0x0800;
/** 1 January 1980, the first day of the format: the same files give the same bytes. */
const FIRST_DAY = 0x0021;

/** A ZIP file of texts by path, with `/` between folders. Below 65,536 files and 4 GiB. */
export function zipOf(files: ReadonlyMap<string, string>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of files) {
    const name = Buffer.from(path);
    const body = Buffer.from(text);
    const facts = factsOf(name, body);
    const local = Buffer.concat([word(LOCAL_HEADER), facts, name, body]);
    bodies.push(local);
    directory.push(centralHeader(facts, name, offset));
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  return Buffer.concat([...bodies, index, endOf(files.size, index.length, offset)]);
}

/** The part that both headers of a file share: version, flags, method, time, sum, sizes, lengths. */
function factsOf(name: Buffer, body: Buffer): Buffer {
  return Buffer.concat([
    halves(VERSION, UTF8_NAMES, 0, 0, FIRST_DAY),
    word(crc32(body)),
    word(body.length),
    word(body.length),
    halves(name.length, 0),
  ]);
}

/** No comment, first disk, no attributes. */
function centralHeader(facts: Buffer, name: Buffer, offset: number): Buffer {
  return Buffer.concat([word(CENTRAL_HEADER), halves(VERSION), facts, halves(0, 0, 0), word(0), word(offset), name]);
}

function endOf(count: number, indexBytes: number, indexAt: number): Buffer {
  return Buffer.concat([
    word(END_OF_DIRECTORY),
    halves(0, 0, count, count),
    word(indexBytes),
    word(indexAt),
    halves(0),
  ]);
}

/** Numbers of two bytes, the lower byte first. */
function halves(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}

/** A number of four bytes, the lowest byte first. */
function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
