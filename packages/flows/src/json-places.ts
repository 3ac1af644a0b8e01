// Finds the line and column of each value of a JSON text by its JSON pointer, for error messages.

export interface Place {
  line: number
  column: number
}

/** Thrown for invalid JSON. */
export class JsonError extends Error {
  readonly place: Place
  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

/** Parses JSON. Throws JsonError. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const at = /at position (\d+)/.exec(message)
    const sentence = message.replace(/ at position .*| in JSON.*/, '')
    throw new JsonError(sentence, placeAt(text, at ? Number(at[1]) : text.length))
  }
}

/**
 * Returns a function from pointers to positions in valid JSON. A missing value gets the position of its
 * nearest parent.
 */
export function findPlaces(text: string): (pointer: string) => Place {
  const begins = scan(text)
  return (pointer) => {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const begin = begins.get(at)
      if (begin !== undefined) return placeAt(text, begin)
      if (at === '') return { line: 1, column: 1 }
    }
  }
}

function placeAt(text: string, index: number): Place {
  const before = text.slice(0, index)
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') }
}

const string = /"(?:[^"\\]|\\.)*"/y
const simple = /[^\s,\]}]+/y
const space = /[\s,:]*/y

/** Returns the offset of each value by pointer; for a property, the offset of its name. */
function scan(text: string): Map<string, number> {
  const begins = new Map<string, number>()
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const [found = ''] = pattern.exec(text) ?? []
    at += found.length
    return found
  }
  const value = (pointer: string) => {
    take(space)
    if (!begins.has(pointer)) begins.set(pointer, at)
    if (text[at] === '{') members(pointer, '}', () => escapePointer(JSON.parse(take(string)) as string))
    else if (text[at] === '[') members(pointer, ']', (index) => String(index))
    else take(text[at] === '"' ? string : simple)
  }
  const members = (pointer: string, end: string, nameOf: (index: number) => string) => {
    at++
    for (let index = 0; ; index++) {
      take(space)
      if (text[at] === end) break
      const begin = at
      const inside = `${pointer}/${nameOf(index)}`
      begins.set(inside, begin)
      value(inside)
    }
    at++
  }
  value('')
  return begins
}

/** Escapes a name for a JSON pointer (RFC 6901). */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
