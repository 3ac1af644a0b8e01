// Finds the libraries that the code of an author needs.

/** Globals of code that are libraries, or made by one: `client` is the official client. */
const libraryNames = ['axios', '_', 'client'] as const
export type LibraryName = (typeof libraryNames)[number]

const globals = new RegExp(`(?<![\\w$])(?:${libraryNames.join('|')})(?![\\w$])`, 'g')

/** Any word counts, also in a sentence: a library too many only takes time. */
export function findLibraryNames(program: unknown): Set<LibraryName> {
  const found = new Set<LibraryName>()
  const visit = (value: unknown) => {
    if (typeof value === 'string')
      for (const [name] of value.matchAll(globals)) found.add(name as LibraryName)
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit)
  }
  visit(program)
  return found
}
