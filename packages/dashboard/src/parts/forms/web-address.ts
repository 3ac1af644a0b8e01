// Addresses as people write them: often without a scheme.

/** Hosts that rarely have a certificate: this computer, and private networks. */
const local =
  /^(localhost|[\w.-]+\.(localhost|local|internal)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[[\da-f:]+\])(:\d+)?(\/|$)/i

/** Adds `https://`, or `http://` for this computer and private networks. */
export function completeAddress(text: string): string {
  if (/^\w[\w+.-]*:\/\//.test(text)) return text
  return `${local.test(text) ? 'http' : 'https'}://${text}`
}
