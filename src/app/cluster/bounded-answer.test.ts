import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ClusterFile } from '../../cluster/cluster-file.ts';
import { newKeys } from '../../gateway/credentials/key-file.ts';
import { askWith } from './carried/ask-member.ts';
import { expectSharedFiles } from './member/shared-files.ts';

const MIB = 1_048_576;

/** A member that answers everything in one way. */
async function withMember(
  answer: (response: ServerResponse) => void,
  body: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((_request, response) => answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Sends for as long as somebody reads, and counts. */
function endless(count: (bytes: number) => void): (response: ServerResponse) => void {
  const piece = Buffer.alloc(64 * 1024, ' ');
  return (response) => {
    const go = (): void => {
      while (!response.destroyed) {
        count(piece.length);
        if (!response.write(piece)) break;
      }
    };
    response.on('drain', go);
    go();
  };
}

const ask = askWith(newKeys(), () => 1_800_000_000_000);
const LIST = { want: 'list', from: 0 } as const;

test('an answer without an end is left when it is longer than any of a member', async () => {
  let sent = 0;
  await withMember(
    endless((bytes) => {
      sent += bytes;
    }),
    async (url) => {
      await assert.rejects(ask(url, LIST), /answers more than 8388608 bytes/);
      assert.ok(sent >= 8 * MIB && sent < 32 * MIB, `${sent} bytes`);
      sent = 0;
      const members = [
        { name: 'own', publicUrl: 'http://own' },
        { name: 'other', publicUrl: url },
      ];
      const [self] = members;
      const place = { file: { members } as unknown as ClusterFile, self, rank: 0 } as never;
      await expectSharedFiles(place, { identity: 'i', keys: 'k' }, () => undefined);
      assert.ok(sent > 0 && sent < 16 * MIB, `${sent} bytes`);
    },
  );
});

test('an answer that is short as it is sent, and very long once it is unpacked, is left too', async () => {
  const packed = gzipSync(Buffer.alloc(64 * MIB, ' '));
  assert.ok(packed.length < MIB);
  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
    response.end(packed);
  };
  await withMember(answer, async (url) => {
    await assert.rejects(ask(url, LIST), /answers more than 8388608 bytes/);
  });
});

test('an answer of a member is read, with and without its length', async () => {
  for (const headers of [{}, { 'content-length': '16' }]) {
    const answer = (response: ServerResponse): void => {
      response.writeHead(200, headers);
      response.end('{"data":{"a":1}}');
    };
    await withMember(answer, async (url) => {
      assert.deepEqual(await ask(url, LIST), { a: 1 });
    });
  }
});
