// Edits of a document: their inverse, and their place after a change by others.
import type { DocumentEdit } from '@botstead/flows/document-edits'

export type Edit = DocumentEdit
type Json = Record<string, unknown>

/** Thrown for an edit of a part that no longer exists. */
export class MissingPart extends Error {
  override name = 'MissingPart'
}

export const toPointer = (...names: (string | number)[]) =>
  names
    .map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')

export const toSegments = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the value at the pointer; undefined if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const name of toSegments(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined
    value = (value as Json)[name]
  }
  return value
}

interface Applied {
  value: unknown
  /** Restores the former value, in this order. */
  inverse: Edit[]
}

/** Applies edits in order with `apply`, which throws MissingPart. */
export function applyWithInverse(
  document: unknown,
  edits: Edit[],
  apply: (value: unknown, edits: Edit[]) => unknown,
): Applied {
  let value = document
  const inverse: Edit[] = []
  for (const edit of edits) {
    inverse.unshift(invert(value, edit))
    value = apply(value, [edit])
  }
  return { value, inverse }
}

const toParent = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'))

function invert(document: unknown, edit: Edit): Edit {
  const { pointer } = edit
  if (edit.op === 'move') return { op: 'move', from: pointer, pointer: edit.from }
  const isInList = Array.isArray(valueAt(document, toParent(pointer)))
  const former = valueAt(document, pointer)
  if (former === undefined || (edit.op === 'insert' && isInList))
    return { op: 'remove', pointer }
  return {
    op: edit.op === 'remove' && isInList ? 'insert' : 'set',
    pointer,
    value: former,
  }
}

/**
 * Returns the pointer of the same part after a change by others, who may have inserted or removed elements of
 * lists before it.
 */
function rebasePointer(pointer: string, before: unknown, after: unknown): string {
  const names: string[] = []
  let [old, current] = [before, after]
  for (const name of toSegments(pointer)) {
    let found = name
    if (Array.isArray(old) && Array.isArray(current))
      found = findElement(old, current, name)
    names.push(found)
    old = (old as Json | undefined)?.[name]
    current = (current as Json | undefined)?.[found]
  }
  return toPointer(...names)
}

function findElement(old: unknown[], current: unknown[], name: string): string {
  const index = Number(name)
  const element = old[index]
  if (element === undefined || element === current[index]) {
    // The end of the list moves with it.
    return index === old.length ? String(current.length) : name
  }
  const text = JSON.stringify(element)
  if (text === JSON.stringify(current[index])) return name
  const found = current.findIndex((each) => JSON.stringify(each) === text)
  return found < 0 ? name : String(found)
}

export function rebaseEdit(edit: Edit, before: unknown, after: unknown): Edit {
  const pointer = rebasePointer(edit.pointer, before, after)
  if (edit.op !== 'move') return { ...edit, pointer }
  return { ...edit, pointer, from: rebasePointer(edit.from, before, after) }
}

/** Returns `after` with the parts of `before` that are equal, so that views of these need no update. */
export function shareParts(before: unknown, after: unknown): unknown {
  if (before === after || typeof before !== 'object' || typeof after !== 'object')
    return after
  if (before === null || after === null || Array.isArray(before) !== Array.isArray(after))
    return after
  const [old, current] = [before as Json, after as Json]
  const names = Object.keys(current)
  const shared = names.map(
    (name) => [name, shareParts(old[name], current[name])] as const,
  )
  const isSame =
    names.join('\n') === Object.keys(old).join('\n') &&
    shared.every(([name, value]) => value === old[name])
  if (isSame) return before
  return Array.isArray(after)
    ? shared.map(([, value]) => value)
    : Object.fromEntries(shared)
}
