/**
 * The headers of the page: its own Content Security Policy and what else a browser is to hold it to. Shared by the V1
 * port and the operator's port.
 */

/** The style of the attribution that the chart library puts into its chart, by its content. */
const CHART_STYLE = "'sha256-3pRED1tOXas1FXFoPb9TGCjmYe9XQsmO9OV23khV2nY='";

/**
 * One origin for all, and nothing inline: a text that comes into the page by a fault is never run, and can be sent
 * nowhere. `connect-src 'self'` covers the stream, ws and wss of the same host. Source: CSP Level 3, section 6.7.2.8.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${CHART_STYLE}`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Names and values in turn, of every HTML file of the page. */
export const PAGE_HEADERS: readonly string[] = [
  'content-security-policy',
  POLICY,
  'referrer-policy',
  'no-referrer',
  'cross-origin-opener-policy',
  'same-origin',
  'cross-origin-resource-policy',
  'same-origin',
  'permissions-policy',
  'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
];
