// The positions of all values in the text of a document.
import {
  type Alias,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Scalar,
} from 'yaml'
import { parseText, parseTree, type TextFormat } from '../document-text.ts'
import { readJsonTree } from './json-tree.ts'
import type { SourceEntry, SourceNode } from './source-node.ts'

export interface SourceTree {
  value: unknown
  /** Null for an empty text of YAML. */
  root: SourceNode | null
}

/** Throws DocumentSyntaxError. */
export function readTree(text: string, format: TextFormat): SourceTree {
  if (format === 'JSON')
    return { value: parseText(text, format).value, root: readJsonTree(text) }
  const { document, value } = parseTree(text)
  const contents = document.contents as unknown
  if (isEmpty(contents)) return { value, root: null }
  return { value, root: toNode(contents, findAliases(text, document)) }
}

/** Returns the names of anchors to which aliases refer. */
function findAliases(text: string, document: Document.Parsed): Set<string> {
  const names = new Set<string>()
  if (!text.includes('*')) return names
  const collect = (node: unknown): void => {
    if (isAlias(node)) names.add((node as Alias).source)
    else if (isSeq(node)) node.items.forEach(collect)
    else if (isMap(node))
      for (const { key, value } of node.items) {
        collect(key)
        collect(value)
      }
  }
  collect(document.contents)
  return names
}

const isEmpty = (node: unknown) =>
  node === null ||
  node === undefined ||
  (isScalar(node) && node.value === null && !node.source)

function toNode(node: unknown, aliases: Set<string>): SourceNode {
  const { range, anchor } = node as { range: [number, number, number]; anchor?: string }
  const positions = { start: range[0], end: range[1], entries: [] }
  const isShared = anchor !== undefined && aliases.has(anchor)
  if (isAlias(node)) return { kind: 'scalar', isFlow: true, ...positions, isAlias: true }
  if (isMap(node) || isSeq(node)) {
    const isFlow = node.flow === true
    const entries = isMap(node) ? toPairs(node, aliases) : toItems(node, aliases)
    // The range of a block ends behind comments and blank lines.
    const end = isFlow ? range[1] : (entries.at(-1)?.end ?? range[1])
    const start = isFlow ? range[0] : (entries[0]?.start ?? range[0])
    return { kind: isMap(node) ? 'map' : 'list', isFlow, start, end, entries, isShared }
  }
  const { type } = node as Scalar
  return {
    kind: 'scalar',
    isFlow: true,
    ...positions,
    isShared,
    type: type as Scalar.Type,
  }
}

type Collection = { items: unknown[]; srcToken?: unknown; flow?: boolean }

function toPairs(map: Collection, aliases: Set<string>): SourceEntry[] {
  return map.items.map((item) => {
    const { key, value, srcToken } = item as {
      key: Scalar
      value: unknown
      srcToken?: Item
    }
    const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind')
    const [start, keyEnd] = key.range as [number, number, number]
    const introEnd = colon ? colon.offset + 1 : keyEnd
    const node = toEntryValue(value, introEnd, aliases)
    const name = isScalar(key) ? String(key.value ?? '') : ''
    return {
      key: name,
      start,
      keyEnd,
      introEnd,
      end: Math.max(introEnd, node.end),
      value: node,
    }
  })
}

type Item = { start: CST.SourceToken[]; sep?: CST.SourceToken[] }

function toItems(list: Collection, aliases: Set<string>): SourceEntry[] {
  const { items } = list.srcToken as { items: Item[] }
  const dashes = items.flatMap(({ start }) =>
    start.filter(({ type }) => type === 'seq-item-ind'),
  )
  return list.items.map((item, i) => {
    const dash = list.flow ? undefined : dashes[i]
    const introEnd = dash ? dash.offset + 1 : ((item as Scalar).range?.[0] ?? 0)
    const node = toEntryValue(item, introEnd, aliases)
    const start = dash ? dash.offset : introEnd
    return {
      start,
      keyEnd: introEnd,
      introEnd,
      end: Math.max(introEnd, node.end),
      value: node,
    }
  })
}

/** A value that the text leaves out is null. */
const toEntryValue = (
  value: unknown,
  introEnd: number,
  aliases: Set<string>,
): SourceNode =>
  isEmpty(value)
    ? { kind: 'scalar', isFlow: true, start: introEnd, end: introEnd, entries: [] }
    : toNode(value, aliases)
