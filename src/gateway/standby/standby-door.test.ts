import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { StandbyDoor } from './standby-door.ts';

test('no more than a thousand connections wait, and those that wait are let in when there is a leader', () => {
  const server = createServer();
  let served = 0;
  server.removeAllListeners('connection');
  server.on('connection', () => {
    served += 1;
  });
  const door = new StandbyDoor(server, () => true);
  for (let count = 0; count < 1_030; count += 1) server.emit('connection', new Socket());
  assert.equal(served, 30);
  door.open();
  assert.equal(served, 1_030);
});
