// The program of a bot made of flows: `const program = JSON.parse("…");` at the beginning of its code, maybe
// after a comment. The rest is the engine, which is the same in all these bots and their versions. Apart from
// the program it is compiled once for all.

const beginning = /^(?:\/\/[^\n]*\n)?const program = JSON\.parse\(/
const end = ');'
const newline = 10
const maxBeginning = 1_000

interface FoundProgram {
  /** The string of JSON, with its quotes. */
  from: number
  to: number
  /** Where the rest begins: at the end of the line. */
  rest: number
  /** Lines before the rest, apart from that of the program. */
  lines: number
}

/** Returns positions in bytes; null for other code. */
export function findProgram(code: Buffer): FoundProgram | null {
  const [before] = beginning.exec(code.toString('latin1', 0, maxBeginning)) ?? []
  if (before === undefined) return null
  const rest = code.indexOf(newline, before.length)
  const to = rest - end.length
  if (to < before.length || code.toString('latin1', to, rest) !== end) return null
  return { from: before.length, to, rest, lines: before.split('\n').length - 1 }
}

/**
 * Returns the program, and the rest of the code with empty lines in the place of the program. Null for other
 * code, and for a string that JSON does not have.
 */
export function splitProgram(code: Buffer): { program: unknown; rest: string } | null {
  const found = findProgram(code)
  if (!found) return null
  try {
    const program = JSON.parse(JSON.parse(code.toString('utf8', found.from, found.to)))
    return { program, rest: '\n'.repeat(found.lines) + code.toString('utf8', found.rest) }
  } catch {
    return null
  }
}
