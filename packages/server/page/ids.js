/** Returns a random id. crypto.randomUUID exists on secure origins only; a server without TLS is not one. */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
