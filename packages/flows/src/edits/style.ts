// Writes values in the style of a document.
import { type Scalar, stringify, type ToStringOptions } from 'yaml'
import type { TextFormat } from '../document-text.ts'
import type { SourceNode } from './source-node.ts'
import type { SourceTree } from './source-tree.ts'

export interface Style {
  format: TextFormat
  /** Ends each line. */
  eol: string
  /** One level of indentation; empty for JSON in one line. */
  unit: string
  /** Whether blanks follow colons and commas in one line. */
  isSpaced: boolean
  /** Whether lists of YAML are indented below their key. */
  isListIndented: boolean
}

export function readStyle(text: string, format: TextFormat, { root }: SourceTree): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n'
  const [unit, isListIndented] =
    format === 'JSON'
      ? [jsonUnit(text, root), true]
      : [yamlUnit(text, root), hasIndentedLists(text, root)]
  const isSpaced =
    format === 'YAML' || unit !== '' || /^[^\n"]*"(?:[^"\\]|\\.)*": /.test(text)
  return { format, eol, unit, isSpaced, isListIndented }
}

const jsonUnit = (text: string, root: SourceNode | null): string => {
  const outer = root && indentationAt(text, root.start)
  const first = root?.entries[0]
  if (!first || !isMultiline(text, root)) return isMultiline(text, root) ? '  ' : ''
  return indentationAt(text, first.start).slice(outer!.length) || '  '
}

function yamlUnit(text: string, root: SourceNode | null): string {
  for (const { outer, inner } of nestedBlocks(root, 'map')) {
    const depth = columnAt(text, inner.start) - columnAt(text, outer.start)
    if (depth > 0) return ' '.repeat(depth)
  }
  return '  '
}

function hasIndentedLists(text: string, root: SourceNode | null): boolean {
  for (const { outer, inner } of nestedBlocks(root, 'list'))
    return columnAt(text, inner.start) > columnAt(text, outer.start)
  return true
}

/** Yields the blocks that are values in a map of block style, with this map. */
function* nestedBlocks(
  node: SourceNode | null,
  kind: 'map' | 'list',
): Generator<{ outer: SourceNode; inner: SourceNode }> {
  if (!node || node.isFlow) return
  for (const { value } of node.entries) {
    if (
      node.kind === 'map' &&
      value.kind === kind &&
      !value.isFlow &&
      value.entries.length
    )
      yield { outer: node, inner: value }
    yield* nestedBlocks(value, kind)
  }
}

/** Whether the entries of a collection with brackets have lines for themselves. */
export const isMultiline = (text: string, node: SourceNode | null): boolean => {
  if (!node) return false
  const to = node.entries[0]?.start ?? node.end
  return text.slice(node.start, to).includes('\n')
}

/** Returns the blanks at the begin of the line. */
export function indentationAt(text: string, index: number): string {
  const line = text.lastIndexOf('\n', index - 1) + 1
  return /^[ \t]*/.exec(text.slice(line, index))![0]
}

export const columnAt = (text: string, index: number): number =>
  index - (text.lastIndexOf('\n', index - 1) + 1)

/** Returns a value for a place inside of brackets. With `indentation`, on several lines that begin with it. */
export function toFlow(
  value: unknown,
  style: Style,
  indentation: string | null,
  type?: Scalar.Type,
): string {
  if (style.format === 'YAML') {
    const options = { ...inOneLine, ...stringStyle(type) }
    return stringify([value], options).trimEnd().slice(1, -1)
  }
  if (indentation === null || !style.unit) return toOneLine(value, style.isSpaced)
  return JSON.stringify(value, null, style.unit).replaceAll('\n', style.eol + indentation)
}

export const toKey = (key: string, style: Style): string =>
  style.format === 'JSON'
    ? JSON.stringify(key)
    : stringify({ [key]: 0 }, { ...inOneLine, simpleKeys: true }).slice(1, -5)

function toOneLine(value: unknown, isSpaced: boolean): string {
  if (!isSpaced || typeof value !== 'object' || value === null)
    return JSON.stringify(value)
  if (Array.isArray(value))
    return `[${value.map((one) => toOneLine(one, true)).join(', ')}]`
  const all = Object.entries(value)
  if (all.length === 0) return '{}'
  const pairs = all.map(([key, one]) => `${JSON.stringify(key)}: ${toOneLine(one, true)}`)
  return `{ ${pairs.join(', ')} }`
}

const unfolded = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  aliasDuplicateObjects: false,
} as const
const inOneLine = {
  ...unfolded,
  collectionStyle: 'flow',
  flowCollectionPadding: false,
} as const

function stringStyle(type: Scalar.Type | undefined): ToStringOptions {
  if (type === 'BLOCK_FOLDED') return { blockQuote: 'folded' }
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE')
    return { defaultStringType: type, defaultKeyType: 'PLAIN' }
  return {}
}

/**
 * Returns a value behind a colon (`map`) or dash (`list`) at a column, with the blank or line end before
 * it. Without `hasBlocks`, strings of several lines are quoted.
 */
export function toBlock(
  value: unknown,
  kind: 'map' | 'list',
  column: number,
  style: Style,
  { type, hasBlocks }: { type?: Scalar.Type | undefined; hasBlocks: boolean },
): string {
  const options = {
    ...unfolded,
    indent: style.unit.length,
    indentSeq: style.isListIndented,
    ...(hasBlocks ? {} : { blockQuote: false as const }),
    ...stringStyle(type),
  }
  const lines = stringify(kind === 'map' ? { k: value } : [value], options).replace(
    /\n$/,
    '',
  )
  return shift(lines.slice(kind === 'map' ? 2 : 1), column).replaceAll('\n', style.eol)
}

/** Indents all lines but the first by a number of columns, which may be negative. */
export const shift = (lines: string, columns: number): string =>
  columns >= 0
    ? lines.replace(/\n(?=[^\r\n])/g, `\n${' '.repeat(columns)}`)
    : lines.replace(new RegExp(`\\n {1,${-columns}}`, 'g'), '\n')
