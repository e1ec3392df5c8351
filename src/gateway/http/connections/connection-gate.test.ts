import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Server, Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { must } from '../../../base/assert.ts';
import type { AccountId } from '../../../base/ids.ts';
import { TrustedProxies } from './client-address.ts';
import { ConnectionGate, type CountedConnection } from './connection-gate.ts';
import { HTTP_LIMITS } from './http-limits.ts';

const PROXY = '10.9.9.9';
const SHARED = ['127.0.0.1', '::ffff:127.0.0.1', '::1', PROXY];
const OWN = ['10.0.0.1', '2001:db8::1'];
const MOST = 2;
const MOST_OF_ALL = 7;

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  writableLength = 0;
  isOpen = true;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.isOpen = false;
  }
}

interface Come {
  readonly socket: FakeSocket;
  /** Absent when it was turned away. */
  readonly counted: CountedConnection | undefined;
}

function gateOf(connections: number, connectionsPerAddress: number) {
  const server = new EventEmitter();
  const limits = { ...HTTP_LIMITS, connections, connectionsPerAddress };
  const gate = new ConnectionGate(limits, new TrustedProxies([PROXY]), (socket) => socket.destroy());
  gate.guard(server as Server);
  const come = (address: string): Come => {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    return { socket, counted: socket.isOpen ? gate.of(socket as object as Socket) : undefined };
  };
  return { gate, come };
}

function account(number: number): AccountId {
  return number as AccountId;
}

test('connections of an address of its own are counted together, whichever user logs in', () => {
  for (const [address, rooms] of [
    ...OWN.map((own) => [own, 1] as const),
    ...SHARED.map((many) => [many, 3] as const),
  ]) {
    const { come } = gateOf(100, MOST);
    const all = Array.from({ length: 3 * MOST }, (_, index) => {
      const one = come(address);
      assert.equal(one.counted?.belongTo(account(index % 3)), true);
      return one;
    });
    assert.equal(all.filter(({ socket }) => socket.isOpen).length, rooms * MOST, address);
  }
});

test('a connection whose bytes have not left is not idle', () => {
  const { come } = gateOf(100, MOST);
  const [first, second] = [come('10.0.0.1'), come('10.0.0.1')];
  first.socket.writableLength = 1;
  come('10.0.0.1');
  assert.deepEqual([first.socket.isOpen, second.socket.isOpen], [true, false]);
});

test('a connection that has gone while its request waited takes no room of its user', () => {
  const { gate, come } = gateOf(100, MOST);
  for (let index = 0; index < 5; index += 1) {
    const { socket, counted } = come('127.0.0.1');
    counted?.beBusy();
    socket.emit('close');
    assert.equal(counted?.belongTo(account(1)), true);
    counted?.beIdle();
  }
  assert.equal(gate.open, 0);
  const kept = come('127.0.0.1');
  kept.counted?.belongTo(account(1));
  assert.deepEqual([gate.open, gate.letGo], [1, 0]);
});

/** One thing that happens: somebody comes, or something happens to a connection that is open. */
type Step =
  | { readonly kind: 'come'; readonly from: string }
  | { readonly kind: 'busy' | 'idle' | 'close'; readonly which: number }
  | { readonly kind: 'belong'; readonly which: number; readonly user: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('come' as const), from: fc.constantFrom(...SHARED, ...OWN) }) },
  fc.record({ kind: fc.constantFrom('busy' as const, 'idle' as const, 'close' as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('belong' as const), which: fc.nat(20), user: fc.nat(2) }),
);

test('as connections come and go, no client has too many, and only the longest idle of a client had to go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const { gate, come } = gateOf(MOST_OF_ALL, MOST);
      let open: (Come & { counted: CountedConnection })[] = [];
      for (const one of steps) {
        const before = open.map(({ socket, counted: { quota, idleSince } }) => ({ socket, quota, idleSince }));
        const target = one.kind === 'come' ? undefined : open[one.which % Math.max(1, open.length)];
        if (one.kind === 'come') {
          const { socket, counted } = come(one.from);
          if (counted !== undefined) open.push({ socket, counted });
        } else if (target === undefined) continue;
        else if (one.kind === 'busy') target.counted.beBusy();
        else if (one.kind === 'idle') target.counted.beIdle();
        else if (one.kind === 'close') {
          target.socket.destroy();
          target.socket.emit('close');
        } else if (one.kind === 'belong') {
          target.counted.beBusy();
          target.counted.belongTo(account(one.user));
        }
        const gone = before.filter(({ socket }) => !socket.isOpen && socket !== target?.socket);
        assert.ok(gone.length <= 1, 'one place is made for one connection');
        for (const { quota, idleSince } of gone) {
          const idles = before.filter((other) => other.quota === quota).map((other) => other.idleSince ?? Infinity);
          assert.equal(must(idleSince, 'it was idle'), Math.min(...idles));
        }
        for (const { socket } of gone) socket.emit('close');
        open = open.filter(({ socket }) => socket.isOpen);
        assert.equal(gate.open, open.length);
        assert.ok(open.length <= MOST_OF_ALL);
        for (const { counted } of open) {
          const together = open.filter((other) => other.counted.quota === counted.quota).length;
          assert.equal(counted.quota.size, together);
          assert.ok(together <= MOST || counted.quota.client === 'proxies');
        }
      }
    }),
  );
});
