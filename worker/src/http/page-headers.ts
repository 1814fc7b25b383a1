/** A page's headers: fresh each time, framed by nobody, running only our own files (S5). */
export function pageHeaders(nonce: string, protocol: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // Scroll locks of dialogs add a style element; it carries the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ...(protocol === "https:" ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}
