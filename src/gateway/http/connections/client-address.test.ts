import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedAs, plainAddress, TrustedProxies } from './client-address.ts';

test('an IPv4 address over an IPv6 socket is an IPv4 address', () => {
  assert.equal(plainAddress('::ffff:10.1.2.3'), '10.1.2.3');
  assert.equal(plainAddress('10.1.2.3'), '10.1.2.3');
  assert.equal(plainAddress('fe80::1%eth0'), 'fe80::1');
});

test('an IPv6 client is counted by its network, an IPv4 client by its address', () => {
  assert.equal(countedAs('2001:db8:0:7:1:2:3:4'), countedAs('2001:db8:0:7::9'));
  assert.notEqual(countedAs('2001:db8:0:7::9'), countedAs('2001:db8:0:8::9'));
  assert.equal(countedAs('::1'), '0:0:0:0::/64');
  assert.equal(countedAs('2001:db8::'), '2001:db8:0:0::/64');
  assert.equal(countedAs('::ffff:10.1.2.3'), '10.1.2.3');
  assert.notEqual(countedAs('10.1.2.3'), countedAs('10.1.2.4'));
});

test('without a trusted proxy a client cannot claim another address', () => {
  assert.equal(new TrustedProxies([]).clientOf('203.0.113.9', '198.51.100.1'), '203.0.113.9');
  const proxies = new TrustedProxies(['10.0.0.0/8']);
  assert.equal(proxies.clientOf('203.0.113.9', '198.51.100.1'), '203.0.113.9');
});

test('behind trusted proxies the client is the nearest address that is not one of them', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '::1']);
  assert.equal(proxies.clientOf('::ffff:10.0.0.1', '198.51.100.1'), '198.51.100.1');
  assert.equal(
    proxies.clientOf('::1', '1.2.3.4, 198.51.100.1 , 10.0.0.2'),
    '198.51.100.1',
    'what it adds itself is left out',
  );
  assert.equal(
    proxies.clientOf('10.0.0.1', '198.51.100.1, garbage'),
    '10.0.0.1',
    'a word that is no address ends the trust',
  );
  assert.equal(proxies.clientOf('10.0.0.1', undefined), '10.0.0.1');
  assert.equal(proxies.clientOf('10.0.0.1', ''), '10.0.0.1');
});
