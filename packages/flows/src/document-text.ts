// Entry that parses the text of a document, JSON or YAML, and finds the line and column of its
// values for error messages. Apart from index.ts, because servers get documents without their text.
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import { pointerSegments } from './document/pointer.ts'

export interface TextPosition {
  line: number
  column: number
}

/** Thrown for invalid JSON or YAML. */
export class DocumentSyntaxError extends Error {
  readonly position: TextPosition
  constructor(message: string, position: TextPosition) {
    super(message)
    this.position = position
  }
}

export type TextFormat = 'JSON' | 'YAML'

export interface ParsedText {
  value: unknown
  /**
   * Returns the position of the value at a JSON pointer; for a property, the position of its name.
   * A missing value gets the position of its nearest parent.
   */
  findPosition: (pointer: string) => TextPosition
}

/** Parses a document. Throws DocumentSyntaxError. */
export function parseText(text: string, format: TextFormat): ParsedText {
  if (format === 'YAML') {
    const tree = toTree(text, true)
    return { value: toValue(tree), findPosition: (pointer) => find(tree, pointer) }
  }
  const value = parseJson(text)
  let tree: Tree | undefined
  return {
    value,
    findPosition(pointer) {
      // Only an error needs the positions. JSON.parse is much faster.
      tree ??= toTree(text, false)
      return find(tree, pointer)
    },
  }
}

interface Tree {
  document: Document.Parsed
  positionAt: (index: number) => TextPosition
}

/**
 * Parses YAML to its value and its document, which has the tokens of the text. Throws
 * DocumentSyntaxError.
 */
export function parseTree(text: string): { document: Document.Parsed; value: unknown } {
  const tree = toTree(text, true, true)
  return { document: tree.document, value: toValue(tree) }
}

function toTree(text: string, uniqueKeys: boolean, keepSourceTokens = false): Tree {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    lineCounter,
    uniqueKeys,
    keepSourceTokens,
    prettyErrors: false,
    // Types that JSON has not: binary data, sets.
    resolveKnownTags: false,
  })
  const positionAt = (index: number) => {
    const { line, col: column } = lineCounter.linePos(index)
    return { line, column }
  }
  return { document, positionAt }
}

/** Maximum number of nodes that the aliases of a document may repeat, against expansion bombs. */
const maxAliasCount = 100

/**
 * Returns the value of a document, which JSON can express. Throws DocumentSyntaxError for any
 * other.
 */
function toValue({ document, positionAt }: Tree): unknown {
  // An unknown tag is a warning.
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw new DocumentSyntaxError(problem.message, positionAt(problem.pos[0]))
  visit(document, {
    Scalar(_, { value, range }) {
      if (typeof value === 'number' && !Number.isFinite(value))
        throw new DocumentSyntaxError(
          `${value} is not a number in JSON`,
          positionAt(range![0]),
        )
    },
    Pair(_, { key }) {
      if (isCollection(key))
        throw new DocumentSyntaxError(
          'The name must be a string',
          positionAt(key.range![0]),
        )
    },
  })
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount })))
  } catch (error) {
    // Too many aliases, or an alias inside its own value.
    throw new DocumentSyntaxError(
      (error as Error).message.split('\n', 1)[0]!,
      positionAt(0),
    )
  }
}

function find({ document, positionAt }: Tree, pointer: string): TextPosition {
  let node: unknown = document.contents
  let begin = document.contents?.range?.[0] ?? 0
  for (const segment of pointerSegments(pointer)) {
    if (isAlias(node)) node = node.resolve(document)
    const pair = isMap(node)
      ? node.items.findLast(
          ({ key }) => String(isScalar(key) ? key.value : key) === segment,
        )
      : undefined
    let child: unknown
    if (pair) child = pair.value
    else if (isCollection(node)) child = node.get(segment, true)
    const positioned = pair ? pair.key : child
    if (!isNode(positioned) || !positioned.range) break
    begin = positioned.range[0]
    node = child
  }
  return positionAt(begin)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const [, position] = /at position (\d+)/.exec(message) ?? []
    // Firefox reports only these.
    const [, line, column] = /at line (\d+) column (\d+)/.exec(message) ?? []
    const sentence = message
      .replace(/^JSON\.parse: /, '')
      .replace(/ at (position|line) .*| in JSON.*|, (\.\.\.)?"[\s\S]*/, '')
    if (line && column && !position)
      throw new DocumentSyntaxError(sentence, {
        line: Number(line),
        column: Number(column),
      })
    const index = position ? Number(position) : findUnexpected(text)
    throw new DocumentSyntaxError(sentence, positionAt(text, index))
  }
}

function positionAt(text: string, index: number): TextPosition {
  const before = text.slice(0, index)
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') }
}

/**
 * Returns the offset of the unexpected token, for which Node reports no position, or the end. Each
 * shorter text has another error.
 */
function findUnexpected(text: string): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hasUnexpected(text.slice(0, middle + 1))) high = middle
    else low = middle + 1
  }
  return low
}

function hasUnexpected(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return (error as Error).message.startsWith('Unexpected token')
  }
}
