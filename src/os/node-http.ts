/**
 * Node's HTTP, taken without an import of its values: for that Node reads every name of the module, some of which load
 * its client of WebSockets and the web streams behind it, 16 MB that a server never uses.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
