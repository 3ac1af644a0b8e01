// Replaces, inserts, removes and renames values in the text of a document.
import { DocumentEditError } from './edit.ts'
import type { SourceEntry, SourceNode } from './source-node.ts'
import {
  columnAt,
  indentationAt,
  isMultiline,
  type Style,
  shift,
  toBlock,
  toFlow,
  toKey,
} from './style.ts'

export interface Splice {
  from: number
  to: number
  text: string
}

export interface Source {
  text: string
  style: Style
  /** Whether new strings of several lines may be blocks of YAML. */
  hasBlocks: boolean
}

/** A value for a new place, with its text behind colon or dash in the old one if it may keep it. */
export interface Content {
  value: unknown
  moved?:
    | { text: string; kind: 'map' | 'list'; isFlow: boolean; column: number }
    | undefined
}

/** A place in the tree: the entries down to a value. */
export interface Location {
  node: SourceNode
  /** The entry of `node`, with the collection that contains it; null for the root. */
  entry: SourceEntry | null
  parent: SourceNode | null
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

export function replace(
  { node, entry, parent }: Location,
  value: unknown,
  source: Source,
): Splice {
  const { text, style, hasBlocks } = source
  if (!entry || !parent) return replaceRoot(node, value, source)
  if (parent.isFlow) {
    const isInline =
      node.kind !== 'scalar' && node.entries.length > 0 && !isMultiline(text, node)
    const isCompact = isInline || !isMultiline(text, parent)
    const indentation = isCompact ? null : indentationAt(text, entry.start)
    return {
      from: node.start,
      to: node.end,
      text: toFlow(value, style, indentation, node.type),
    }
  }
  if (node.isFlow && node.entries.length > 0 && isFilled(value))
    return { from: node.start, to: node.end, text: toFlow(value, style, null, node.type) }
  const column = columnAt(text, entry.start)
  const type = node.type
  const block = toBlock(value, parent.kind as 'map' | 'list', column, style, {
    type,
    hasBlocks,
  })
  const isInside = node.isFlow && node.end > node.start && !/\n/.test(block)
  if (isInside) {
    const end = text[node.end - 1] === '\n' ? style.eol : ''
    return { from: node.start, to: node.end, text: block.slice(1) + end }
  }
  // A block of text ends behind its line, the new value before the end of its last line.
  const end = text[entry.end - 1] === '\n' ? style.eol : ''
  return { from: entry.introEnd, to: entry.end, text: block + end }
}

function replaceRoot(
  node: SourceNode,
  value: unknown,
  { text, style, hasBlocks }: Source,
): Splice {
  const { start, end } = node
  if (style.format === 'JSON')
    return { from: start, to: end, text: toFlow(value, style, '') }
  const block = toBlock(value, 'list', -2, style, { hasBlocks }).trimStart()
  const isEnded = text[end - 1] === '\n'
  return { from: start, to: end, text: isEnded ? block + style.eol : block }
}

/** The value of a text without any. */
export function fillEmpty(value: unknown, { text, style, hasBlocks }: Source): Splice {
  const block = toBlock(value, 'list', -2, style, { hasBlocks }).trimStart()
  const isAtStart = text === '' || text.endsWith('\n')
  return {
    from: text.length,
    to: text.length,
    text: (isAtStart ? '' : style.eol) + block + style.eol,
  }
}

/** Inserts before the entry at the index; into a map, as the last key. */
export function insert(
  location: Location,
  index: number,
  key: string | null,
  content: Content,
  source: Source,
): Splice {
  const { node } = location
  if (node.entries.length === 0) return insertFirst(location, key, content, source)
  return node.isFlow
    ? insertInFlow(node, index, key, content, source)
    : insertInBlock(node, index, key, content, source)
}

function insertFirst(
  location: Location,
  key: string | null,
  { value }: Content,
  source: Source,
) {
  const { node, parent } = location
  const { text, style } = source
  const whole = key === null ? [value] : { [key]: value }
  if (style.format === 'YAML') return replace(location, whole, source)
  const isCompact = parent ? !isMultiline(text, parent) : !style.unit
  const indentation = isCompact ? null : indentationAt(text, node.start)
  return { from: node.start, to: node.end, text: toFlow(whole, style, indentation) }
}

function insertInFlow(
  node: SourceNode,
  index: number,
  key: string | null,
  content: Content,
  source: Source,
): Splice {
  const { text, style } = source
  const { entries } = node
  const next = entries[index]
  const indentation = isMultiline(text, node)
    ? indentationAt(text, entries[0]!.start)
    : null
  const neighbour = (entries[index - 1] ?? next)!
  const isInline =
    neighbour.value.entries.length > 0 && !isMultiline(text, neighbour.value)
  const type = neighbour.value.type
  const written =
    toMovedFlow(content, indentation) ??
    toFlow(content.value, style, isInline ? null : indentation, type)
  const added =
    key === null ? written : toKey(key, style) + toColon(neighbour, source) + written
  const blank = style.isSpaced ? ' ' : ''
  const gap = indentation === null ? blank : style.eol + indentation
  if (next) return { from: next.start, to: next.start, text: `${added},${gap}` }
  const { end } = entries.at(-1)!
  return { from: end, to: end, text: `,${gap}${added}` }
}

const toColon = ({ keyEnd, value }: SourceEntry, { text, style }: Source): string => {
  const found = text.slice(keyEnd, value.start)
  if (/^: *$/.test(found)) return found
  return style.isSpaced ? ': ' : ':'
}

function toMovedFlow({ moved }: Content, indentation: string | null): string | undefined {
  if (!moved?.isFlow) return undefined
  if (!moved.text.includes('\n')) return moved.text
  return indentation === null
    ? undefined
    : shift(moved.text, indentation.length - moved.column)
}

function insertInBlock(
  node: SourceNode,
  index: number,
  key: string | null,
  content: Content,
  source: Source,
): Splice {
  const { text, style, hasBlocks } = source
  const { entries } = node
  const kind = node.kind as 'map' | 'list'
  const column = columnAt(text, entries[0]!.start)
  const neighbour = (entries[index - 1] ?? entries[index])!
  const { moved } = content
  const { type } = neighbour.value
  const block =
    moved && !moved.isFlow && moved.kind === kind && hasBlocks
      ? shift(moved.text, column - moved.column)
      : toBlock(content.value, kind, column, style, { type, hasBlocks })
  const added = (key === null ? '-' : `${toKey(key, style)}:`) + block
  const indentation = ' '.repeat(column)
  if (index === 0) {
    const { start } = entries[0]!
    return { from: start, to: start, text: added + style.eol + indentation }
  }
  const at = lineEnd(text, entries[index - 1]!.end)
  return text[at - 1] === '\n'
    ? { from: at, to: at, text: indentation + added + style.eol }
    : { from: at, to: at, text: style.eol + indentation + added }
}

/** Returns the begin of the next line. */
function lineEnd(text: string, index: number): number {
  if (text[index - 1] === '\n') return index
  const end = text.indexOf('\n', index)
  return end === -1 ? text.length : end + 1
}

export function remove(location: Location, index: number, source: Source): Splice {
  const { node } = location
  if (node.entries.length === 1) return empty(location, source)
  return node.isFlow
    ? removeFromFlow(node, index, source)
    : removeFromBlock(node, index, source)
}

function empty({ node, entry }: Location, { text, style }: Source): Splice {
  const brackets = node.kind === 'map' ? '{}' : '[]'
  if (node.isFlow || !entry) {
    const isEnded = text[node.end - 1] === '\n'
    return {
      from: node.start,
      to: node.end,
      text: isEnded ? brackets + style.eol : brackets,
    }
  }
  const end = text[node.end - 1] === '\n' ? style.eol : ''
  return { from: entry.introEnd, to: node.end, text: ` ${brackets}${end}` }
}

function removeFromFlow(
  { entries }: SourceNode,
  index: number,
  { text }: Source,
): Splice {
  const entry = entries[index]!
  const next = entries[index + 1]
  const [from, to] = next
    ? [entry.start, next.start]
    : [entries[index - 1]!.end, entry.end]
  const around = next ? text.slice(entry.end, to) : text.slice(from, entry.start)
  if (!around.includes('#')) return { from, to, text: '' }
  if (!next) return { from: entry.start, to, text: '' }
  return { from, to: text.indexOf(',', entry.end) + 1, text: '' }
}

function removeFromBlock(
  { entries }: SourceNode,
  index: number,
  { text }: Source,
): Splice {
  const { start, end } = entries[index]!
  const next = entries[index + 1]
  const line = text.lastIndexOf('\n', start - 1) + 1
  const isFirstInLine = text.slice(line, start).trim() === ''
  if (isFirstInLine) {
    const to = lineEnd(text, end)
    // The last line of a text without a final line end.
    if (text[to - 1] !== '\n') return { from: entries[index - 1]!.end, to, text: '' }
    return { from: line, to, text: '' }
  }
  if (next && !text.slice(end, next.start).includes('#'))
    return { from: start, to: next.start, text: '' }
  const to = lineEnd(text, end)
  return { from: start, to: text[to - 1] === '\n' ? to - 1 : to, text: '' }
}

export function rename(
  { start, keyEnd }: SourceEntry,
  key: string,
  { style }: Source,
): Splice {
  return { from: start, to: keyEnd, text: toKey(key, style) }
}

/** Returns the text that a moved value keeps. */
export function takeMoved(
  { entry, parent, node }: Location,
  { text, style }: Source,
): Content['moved'] {
  if (!entry || !parent) return undefined
  const { isFlow } = parent
  if (isFlow && style.format === 'YAML') return undefined
  const taken = isFlow
    ? text.slice(node.start, node.end)
    : text.slice(entry.introEnd, lineEnd(text, entry.end)).replace(/\r?\n$/, '')
  const column = isFlow
    ? indentationAt(text, node.start).length
    : columnAt(text, entry.start)
  return { text: taken, kind: parent.kind as 'map' | 'list', isFlow, column }
}

/** Rejects edits of values that another place of the document shares. */
export function rejectShared(
  path: Location[],
  isRemoved: boolean,
  pointer: string,
): void {
  const last = path.at(-1)!
  const shares =
    path.slice(0, -1).some(({ node }) => node.isAlias || node.isShared) ||
    (isRemoved ? hasShared(last.node) : last.node.isAlias || last.node.isShared)
  if (shares)
    throw new DocumentEditError(
      pointer,
      'belongs to a value with an anchor (&) that another place repeats (*). Edit the text there',
    )
}

const hasShared = (node: SourceNode): boolean =>
  node.isShared === true || node.entries.some(({ value }) => hasShared(value))
