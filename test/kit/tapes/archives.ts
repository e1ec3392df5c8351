import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive that a test makes. */
export interface Packed {
  readonly name: string;
  readonly content: string | Buffer;
  /** Another checksum than that of the content. */
  readonly checksum?: number;
  /** The flags of the entry; 1 is that of encryption. */
  readonly flags?: number;
}

/** An archive whose headers may lie. */
export function zipOf(...entries: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const { name, content, checksum, flags = 0 } of entries) {
    const raw = Buffer.from(content);
    const bytes = deflateRawSync(raw, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(checksum ?? crc32(raw), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(raw.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), bytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, central, end]);
}
