/** Escapes a name for a JSON pointer (RFC 6901). */
export const escapePointer = (name: string) =>
  name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns the names and indexes of a JSON pointer. */
export const pointerSegments = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
