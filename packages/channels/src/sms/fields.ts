// Fields of JSON and forms, by paths that the configuration gives.

/** Returns the value at a path such as `messages.0.id`; undefined if there is none. */
export function findField(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** Returns a text or number at a path as a text; an empty text for anything else. */
export function readField(value: unknown, path: string): string {
  const found = findField(value, path)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/**
 * Fills in a body: JSON if it begins with a brace, else a form. Each value is written as its notation
 * requires. Unknown placeholders become empty.
 */
export function fillBody(
  template: string,
  values: Record<string, string>,
): { contentType: string; body: string } {
  const isJson = /^\s*[{[]/.test(template)
  const write = (value: string) =>
    isJson ? JSON.stringify(value).slice(1, -1) : encodeURIComponent(value)
  const body = template.replaceAll(placeholder, (_, name: string) =>
    write(Object.hasOwn(values, name) ? values[name]! : ''),
  )
  return {
    contentType: isJson ? 'application/json' : 'application/x-www-form-urlencoded',
    body,
  }
}
