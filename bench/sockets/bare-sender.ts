import { WebSocketServer } from 'ws';

/*
 * A bare server of the package `ws` that sends texts of one length to all of its sockets once a second. Its arguments:
 * texts for each socket, and their length in bytes. It prints its port.
 */

const [texts = 0, bytes = 0] = process.argv.slice(2).map(Number);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('listening', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(address.port);
});
setInterval(() => {
  for (let index = 0; index < texts; index += 1) {
    const text = String(index).padEnd(bytes, 'x');
    for (const client of server.clients) client.send(text);
  }
}, 1_000);
