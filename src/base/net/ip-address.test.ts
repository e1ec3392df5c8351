import assert from 'node:assert/strict';
import { isIP, isIPv6 } from 'node:net';
import { test } from 'node:test';
import { Random } from '../random.ts';
import { canonicalAddress, groupsOf, isNetwork } from './ip-address.ts';

const ADDRESSES = [
  '10.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '1::',
  '2001:DB8:0:0:1:0:0:1',
  '2001:db8:0:1:1:1:1:1',
  '0:0:0:0:0:0:0:0',
  'fe80::a:b',
  '64:ff9b::192.0.2.33',
  '1:2:3:4:5:6:7.8.9.10',
  '::ffff:10.0.0.1',
];
const NONE = [
  '',
  'localhost',
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '1:2',
  '1::2::3',
  ':1',
  '1:',
  ':::',
  '[::1]',
  '::1%eth0',
];

test('an address has one form, that of RFC 5952', () => {
  assert.equal(canonicalAddress('2001:DB8:0:0:1:0:0:1'), '2001:db8::1:0:0:1');
  assert.equal(canonicalAddress('2001:db8:0:1:1:1:1:1'), '2001:db8:0:1:1:1:1:1');
  assert.equal(canonicalAddress('::ffff:10.0.0.1'), '10.0.0.1');
  assert.equal(canonicalAddress('::FFFF:0a00:0001'), '10.0.0.1');
  assert.equal(canonicalAddress('0:0:0:0:0:0:0:0'), '::');
  assert.deepEqual(groupsOf('1::8'), [1, 0, 0, 0, 0, 0, 0, 8]);
});

test('the texts that sockets of the platform take for addresses are addresses here, and nothing else is', () => {
  const seed = 7;
  const random = new Random(seed);
  const texts = [...ADDRESSES, ...NONE];
  for (let i = 0; i < 5_000; i += 1) {
    const [from = ''] = texts.slice(random.below(ADDRESSES.length));
    const at = random.below(from.length + 1);
    const letter = ':.0123af%g'[random.below(10)] ?? '';
    texts.push(from.slice(0, at) + letter + from.slice(at + random.below(2)));
  }
  for (const text of texts) {
    if (text.includes('%')) continue;
    const canonical = canonicalAddress(text);
    assert.equal(canonical !== undefined, isIP(text) !== 0, `seed ${seed}: ${text}`);
    if (canonical === undefined) continue;
    assert.equal(canonicalAddress(canonical), canonical, text);
    if (isIPv6(canonical)) assert.equal(`[${canonical}]`, new URL(`http://[${text}]`).hostname, text);
  }
});

test('a network is an address and at most as many bits as it has', () => {
  for (const network of ['10.0.0.1', '10.0.0.0/8', '10.0.0.0/32', '::1', 'fc00::/7', '::/0'])
    assert.ok(isNetwork(network));
  for (const none of [
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '/8',
    'x/8',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/08',
  ]) {
    assert.ok(!isNetwork(none), none);
  }
});
