/**
 * Variables of the environment that programs of traders and agents read. A start passes over them, although they begin
 * like settings: a trader may have them in his shell. Sources: docs/guides/mcp.md, docs/guides/first-strategy.md,
 * client/README.md.
 */
export const CLIENT_VARIABLES = [
  'SAUDA_URL',
  'SAUDA_USER',
  'SAUDA_PASSWORD',
  'SAUDA_API_KEY',
  'SAUDA_VENDOR_CODE',
  'SAUDA_TOTP_SECRET',
  'SAUDA_JKEY',
  'SAUDA_MCP_TOKEN',
  'SAUDA_OPERATOR_URL',
  'SAUDA_OPERATOR_TOKEN',
  'SAUDA_COMMAND',
] as const;

export type ClientVariable = (typeof CLIENT_VARIABLES)[number];
