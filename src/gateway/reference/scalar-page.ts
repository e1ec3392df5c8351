import { escapeHtml } from './html-page.ts';

/** Turns off each part of the reference that would ask another host, and shows fields in the order of the interface. */
const OPTIONS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideModels: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
};

/**
 * The policy of the reference: one script of this service, requests to this service alone. Styles stay open, because
 * the script writes them into attributes. Source: CSP Level 3.
 */
export const REFERENCE_PAGE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that loads the script at a path, which draws the published document. */
export function scalarPage(scriptPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sauda reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>The reference is drawn by a script. The same operations are in <a href="/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-url="/openapi.json" data-configuration="${escapeHtml(JSON.stringify(OPTIONS))}"></script>
<script src="${scriptPath}"></script>
</body>
</html>
`;
}
