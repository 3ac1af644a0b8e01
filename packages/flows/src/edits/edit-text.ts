import { escapePointer, pointerSegments } from '../document/pointer.ts'
import type { TextFormat } from '../document-text.ts'
import {
  applyEdit,
  applyEdits,
  type DocumentEdit,
  DocumentEditError,
  renamedKey,
} from './edit.ts'
import { isEqual } from './equality.ts'
import type { SourceNode } from './source-node.ts'
import { readTree, type SourceTree } from './source-tree.ts'
import {
  type Content,
  fillEmpty,
  insert,
  type Location,
  rejectShared,
  remove,
  rename,
  replace,
  type Source,
  type Splice,
  takeMoved,
} from './splices.ts'
import { readStyle } from './style.ts'

/**
 * Returns the text with the edits applied in order; without any, the same text. Lines outside of the changed
 * values stay as they are. Throws DocumentSyntaxError for an invalid text, and DocumentEditError for an
 * edit of a missing value, or of one that an alias of YAML repeats.
 */
export function editDocument(
  text: string,
  format: TextFormat,
  edits: DocumentEdit[],
): string {
  let edited = text
  let tree = edits.length > 0 ? readTree(text, format) : null
  for (const batch of inBatches(edits)) {
    const next = applyBatch({ text: edited, format, tree: tree! }, batch)
    edited = next.text
    tree = next.tree
  }
  return edited
}

interface Parsed {
  text: string
  format: TextFormat
  tree: SourceTree
}

/** Edits that set values at unrelated pointers need only one parse of the text. */
function inBatches(edits: DocumentEdit[]): DocumentEdit[][] {
  const batches: DocumentEdit[][] = []
  const own = new Set<string>()
  const above = new Set<string>()
  for (const edit of edits) {
    const parents = listParents(edit.pointer)
    const isRelated =
      above.has(edit.pointer) || [edit.pointer, ...parents].some((one) => own.has(one))
    const [first] = batches.at(-1) ?? []
    if (first?.op === 'set' && edit.op === 'set' && !isRelated) batches.at(-1)!.push(edit)
    else {
      batches.push([edit])
      own.clear()
      above.clear()
    }
    own.add(edit.pointer)
    for (const parent of parents) above.add(parent)
  }
  return batches
}

const listParents = (pointer: string): string[] =>
  [...pointer.matchAll(/\//g)].map(({ index }) => pointer.slice(0, index))

function applyBatch(
  parsed: Parsed,
  edits: DocumentEdit[],
): { text: string; tree: SourceTree } {
  const { tree, format } = parsed
  const value = applyEdits(tree.value, edits)
  if (edits.length > 1 && !edits.every(({ pointer }) => hasValue(tree, pointer)))
    return applySingly(parsed, edits)
  for (const attempt of attempts(parsed, edits, value)) {
    const next = toSpliced(parsed.text, attempt())
    const read = tryRead(next, format)
    if (read && isEqual(read.value, value)) return { text: next, tree: read }
  }
  if (edits.length > 1) return applySingly(parsed, edits)
  throw new DocumentEditError(
    edits[0]!.pointer,
    'is in a part of the text that only its author can edit, because of its comments or layout',
  )
}

function applySingly(parsed: Parsed, edits: DocumentEdit[]) {
  let { text, tree } = parsed
  for (const edit of edits)
    ({ text, tree } = applyBatch({ ...parsed, text, tree }, [edit]))
  return { text, tree }
}

/** Yields texts until one has the expected value. */
function* attempts(
  { text, format, tree }: Parsed,
  edits: DocumentEdit[],
  value: unknown,
): Generator<() => Splice[]> {
  const style = readStyle(text, format, tree)
  const source = { text, style, hasBlocks: true }
  yield () => edits.flatMap((edit) => toSplices(tree, edit, source))
  if (format === 'JSON' || edits.length > 1) return
  const quoted = { ...source, hasBlocks: false }
  yield () => toSplices(tree, edits[0]!, quoted)
  // Writes the nearest parent as a whole, if that loses no comment.
  const edit = edits[0]!
  const common = edit.op === 'move' ? commonParent(edit.from, edit.pointer) : edit.pointer
  for (let path = pointerSegments(common); tree.root; path = path.slice(0, -1)) {
    const found = findLocation(tree.root, path)?.at(-1)
    const rewritten =
      found && text.slice(found.entry?.introEnd ?? found.node.start, found.node.end)
    if (rewritten !== undefined && !/(^|\s)[#&*!]/.test(rewritten))
      yield () => [replace(found!, valueAt(value, path), quoted)]
    if (path.length === 0) return
  }
}

function toSplices(tree: SourceTree, edit: DocumentEdit, source: Source): Splice[] {
  const { root, value } = tree
  if (!root) return [fillEmpty(applyEdit(value, edit), source)]
  if (edit.op === 'move') return move(tree, root, edit, source)
  const path = pointerSegments(edit.pointer)
  const existing = findLocation(root, path)
  if (edit.op === 'remove') {
    rejectShared(existing!, true, edit.pointer)
    return removeEntries(existing!, source)
  }
  const replaced =
    existing && (edit.op === 'set' || existing.at(-1)!.parent?.kind !== 'list')
  if (replaced) {
    rejectShared(existing, true, edit.pointer)
    return [replace(existing.at(-1)!, edit.value, source)]
  }
  return [insertAt(root, path, { value: edit.value }, edit.pointer, source)]
}

function insertAt(
  root: SourceNode,
  path: string[],
  content: Content,
  pointer: string,
  source: Source,
): Splice {
  const parents = findLocation(root, path.slice(0, -1))!
  rejectShared(parents, false, pointer)
  const parent = parents.at(-1)!
  const key = path.at(-1)!
  return parent.node.kind === 'list'
    ? insert(parent, Number(key), null, content, source)
    : insert(parent, parent.node.entries.length, key, content, source)
}

/** Removes a key as often as JSON repeats it. */
function removeEntries(path: Location[], source: Source): Splice[] {
  const { entry } = path.at(-1)!
  const parent = path.at(-2)!
  const { entries } = parent.node
  const same = entries.filter(
    (one) => one === entry || (entry!.key !== undefined && one.key === entry!.key),
  )
  if (same.length === 1) return [remove(parent, entries.indexOf(entry!), source)]
  const node = { ...parent.node, entries: entries.filter((one) => !same.includes(one)) }
  const kept = node.entries
    .map(({ start, end }) => source.text.slice(start, end))
    .join(', ')
  return [{ from: node.start + 1, to: node.end - 1, text: kept }]
}

function move(
  tree: SourceTree,
  root: SourceNode,
  edit: DocumentEdit & { op: 'move' },
  source: Source,
): Splice[] {
  if (edit.from === edit.pointer) return []
  const path = findLocation(root, pointerSegments(edit.from))!
  rejectShared(path, true, edit.from)
  const renamed = renamedKey(edit)
  const parent = path.at(-2)!.node
  if (
    renamed &&
    parent.kind === 'map' &&
    !parent.entries.some(({ key }) => key === renamed.key)
  )
    return [rename(path.at(-1)!.entry!, renamed.key, source)]
  // The second half of the move sees the text after the first.
  const value = valueAt(tree.value, pointerSegments(edit.from))
  const moved = source.hasBlocks ? takeMoved(path.at(-1)!, source) : undefined
  const { format } = source.style
  const removal = { op: 'remove', pointer: edit.from } as const
  const without = applyBatch({ text: source.text, format, tree }, [removal])
  const target = pointerSegments(edit.pointer)
  const after = { ...source, text: without.text }
  const existing = findLocation(without.tree.root!, target)
  const isReplaced = existing && existing.at(-1)!.parent?.kind !== 'list'
  const splice = isReplaced
    ? replace(existing.at(-1)!, value, after)
    : insertAt(without.tree.root!, target, { value, moved }, edit.pointer, after)
  return [{ from: 0, to: source.text.length, text: toSpliced(without.text, [splice]) }]
}

/** Returns the places from the root to the value; null for a missing one. */
function findLocation(root: SourceNode, path: string[]): Location[] | null {
  const found: Location[] = [{ node: root, entry: null, parent: null }]
  for (const key of path) {
    const { node } = found.at(-1)!
    const entry =
      node.kind === 'list'
        ? node.entries[Number(key)]
        : node.entries.findLast((one) => one.key === key)
    if (!entry) return null
    found.push({ node: entry.value, entry, parent: node })
  }
  return found
}

const hasValue = ({ root }: SourceTree, pointer: string): boolean =>
  root !== null && findLocation(root, pointerSegments(pointer)) !== null

const valueAt = (value: unknown, path: string[]): unknown =>
  path.reduce((found, key) => (found as Record<string, unknown>)[key], value)

function commonParent(one: string, other: string): string {
  const others = pointerSegments(other)
  const path = pointerSegments(one)
  const end = path.findIndex((key, i) => key !== others[i] || i >= others.length - 1)
  return path
    .slice(0, end)
    .map((key) => `/${escapePointer(key)}`)
    .join('')
}

function tryRead(text: string, format: TextFormat): SourceTree | null {
  try {
    return readTree(text, format)
  } catch {
    return null
  }
}

function toSpliced(text: string, splices: Splice[]): string {
  const sorted = splices.toSorted((a, b) => a.from - b.from)
  let at = 0
  const parts = sorted.flatMap(({ from, to, text: added }) => {
    const kept = text.slice(at, from)
    at = to
    return [kept, added]
  })
  return [...parts, text.slice(at)].join('')
}
