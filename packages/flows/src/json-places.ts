// Where in a JSON text each value stands, by its pointer: what is wrong with a document is told with a line.

export interface Place {
  line: number
  column: number
}

/** JSON that cannot be read. */
export class JsonError extends Error {
  readonly place: Place
  constructor(message: string, place: Place) {
    super(message)
    this.place = place
  }
}

/** Throws JsonError. */
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

/** Of valid JSON. A value that stands in none, because it is missing, is where what should hold it begins. */
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

/** Of a property, where its name begins. */
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

/** RFC 6901. */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
