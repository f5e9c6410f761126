/**
 * What the window's page may load and do, in both hosts (G3): nothing but its own files and its own
 * host. Styles may be inline, because the dialog library adds one while it blocks scrolling;
 * scripts may not, whatever text is shown.
 */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
