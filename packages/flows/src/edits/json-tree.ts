// Finds the positions of all values in valid JSON.
import { DocumentEditError } from './edit.ts'
import type { SourceEntry, SourceNode } from './source-node.ts'

const maxDepth = 1000

/** Takes text that JSON.parse accepts. Throws DocumentEditError for more than 1000 levels. */
export const readJsonTree = (text: string): SourceNode =>
  readValue({ text, at: 0, depth: 0 })

interface Scanner {
  text: string
  at: number
  depth: number
}

const scalar = /[^\s,\]}]+/y
const blanks = /[ \t\r\n]*/y

function skip(scanner: Scanner, pattern: RegExp): string {
  pattern.lastIndex = scanner.at
  const [found] = pattern.exec(scanner.text)!
  scanner.at += found.length
  return found
}

function readValue(scanner: Scanner): SourceNode {
  skip(scanner, blanks)
  const start = scanner.at
  const first = scanner.text[start]
  if (first === '{' || first === '[') return readCollection(scanner, first === '{')
  if (first === '"') skipString(scanner)
  else skip(scanner, scalar)
  return { kind: 'scalar', isFlow: true, start, end: scanner.at, entries: [] }
}

/** Long strings would exhaust the stack of the pattern. */
function skipString(scanner: Scanner): void {
  let end = scanner.at
  do {
    end = scanner.text.indexOf('"', end + 1)
  } while (isEscaped(scanner.text, end))
  scanner.at = end + 1
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}

function readCollection(scanner: Scanner, isMap: boolean): SourceNode {
  if (++scanner.depth > maxDepth)
    throw new DocumentEditError('', `has more than ${maxDepth} levels. Make it flatter`)
  const start = scanner.at++
  const entries: SourceEntry[] = []
  skip(scanner, blanks)
  while (scanner.text[scanner.at] !== '}' && scanner.text[scanner.at] !== ']') {
    entries.push(isMap ? readPair(scanner) : readItem(scanner))
    skip(scanner, blanks)
    if (scanner.text[scanner.at] === ',') scanner.at++
    skip(scanner, blanks)
  }
  scanner.depth--
  return { kind: isMap ? 'map' : 'list', isFlow: true, start, end: ++scanner.at, entries }
}

function readPair(scanner: Scanner): SourceEntry {
  const start = scanner.at
  skipString(scanner)
  const keyEnd = scanner.at
  skip(scanner, blanks)
  const introEnd = ++scanner.at
  const value = readValue(scanner)
  const key = JSON.parse(scanner.text.slice(start, keyEnd)) as string
  return { key, start, keyEnd, introEnd, end: value.end, value }
}

function readItem(scanner: Scanner): SourceEntry {
  const value = readValue(scanner)
  const { start, end } = value
  return { start, keyEnd: start, introEnd: start, end, value }
}
