// Replaces the package `entities` for Markdown.

/** Returns the character of a name such as `&amp;`. Unknown names stay. */
function toCharacter(name: string): string {
  // The dot keeps white space, which the parser skips at the beginning.
  const { body } = new DOMParser().parseFromString(`.${name}`, 'text/html')
  const decoded = body.textContent.slice(1)
  // At most two code points. Of `&notit;` the parser decodes the beginning.
  return [...decoded].length <= 2 ? decoded : name
}

export { toCharacter as decodeHTMLStrict }
