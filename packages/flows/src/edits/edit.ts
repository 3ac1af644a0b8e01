// Edits of a document: their type, and their effect on its value.
import { pointerSegments } from '../document/pointer.ts'

/**
 * An edit at a JSON pointer. `set` adds or replaces a value; the length of an array as index appends.
 * `insert` puts a value into an array before the index, or into an object as its last key. `move` takes
 * the value out first, so the index of `pointer` counts without it; to another key of the same object, it
 * renames the key, which keeps its position.
 */
export type DocumentEdit =
  | { op: 'set'; pointer: string; value: unknown }
  | { op: 'insert'; pointer: string; value: unknown }
  | { op: 'remove'; pointer: string }
  | { op: 'move'; from: string; pointer: string }

/** Thrown for an edit that does not fit the document, or that its text does not permit. */
export class DocumentEditError extends Error {
  readonly pointer: string
  constructor(pointer: string, message: string) {
    super(`${pointer || 'The document'} ${message}`)
    this.pointer = pointer
  }
}

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value with the edits applied in order. Throws DocumentEditError. */
export const applyEdits = (value: unknown, edits: DocumentEdit[]): unknown =>
  edits.reduce(applyEdit, value)

export function applyEdit(value: unknown, edit: DocumentEdit): unknown {
  if (edit.op === 'move') return applyMove(value, edit)
  const { pointer } = edit
  const path = pointerSegments(pointer)
  if (path.length === 0) {
    if (edit.op === 'remove') throw new DocumentEditError(pointer, 'cannot be removed')
    return edit.value
  }
  if (edit.op === 'remove') return change(value, path, pointer, removeFrom)
  const { op, value: added } = edit
  return change(value, path, pointer, (parent, key) =>
    Array.isArray(parent)
      ? parent.toSpliced(
          toIndex(parent, key, pointer, true),
          op === 'set' && Number(key) < parent.length ? 1 : 0,
          added,
        )
      : { ...parent, [key]: added },
  )
}

function applyMove(value: unknown, edit: DocumentEdit & { op: 'move' }): unknown {
  const { from, pointer } = edit
  if (from === pointer) {
    findValue(value, from)
    return value
  }
  if (`${pointer}/`.startsWith(`${from}/`))
    throw new DocumentEditError(pointer, 'is inside of the moved value')
  const renamed = renamedKey(edit)
  if (renamed && isObject(findValue(value, renamed.parent)))
    return change(value, pointerSegments(from), from, (parent, key) => {
      if (!Object.hasOwn(parent, key)) throw missing(from)
      return Object.fromEntries(
        Object.entries(parent)
          .filter(([name]) => name !== renamed.key)
          .map(([name, one]) => [name === key ? renamed.key : name, one]),
      )
    })
  const moved = findValue(value, from)
  return applyEdit(applyEdit(value, { op: 'remove', pointer: from }), {
    op: 'insert',
    pointer,
    value: moved,
  })
}

/** Returns the new key if both pointers have the same parent. */
export function renamedKey({ from, pointer }: DocumentEdit & { op: 'move' }) {
  const parent = from.slice(0, from.lastIndexOf('/'))
  if (parent !== pointer.slice(0, pointer.lastIndexOf('/'))) return null
  return { parent, key: pointerSegments(pointer).at(-1)! }
}

/** Throws DocumentEditError for a missing value. */
function findValue(value: unknown, pointer: string): unknown {
  let found = value
  for (const key of pointerSegments(pointer)) {
    if (Array.isArray(found)) found = found[toIndex(found, key, pointer, false)]
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key]
    else throw missing(pointer)
  }
  return found
}

type Parent = unknown[] | Json

/** Copies the parents of the changed one. */
function change(
  value: unknown,
  [key, ...rest]: string[],
  pointer: string,
  apply: (parent: Parent, key: string, pointer: string) => unknown,
): unknown {
  if (!Array.isArray(value) && !isObject(value)) throw missing(pointer)
  if (rest.length === 0) return apply(value, key!, pointer)
  if (Array.isArray(value)) {
    const index = toIndex(value, key!, pointer, false)
    return value.with(index, change(value[index], rest, pointer, apply))
  }
  if (!Object.hasOwn(value, key!)) throw missing(pointer)
  return { ...value, [key!]: change(value[key!], rest, pointer, apply) }
}

function removeFrom(parent: Parent, key: string, pointer: string): unknown {
  if (Array.isArray(parent))
    return parent.toSpliced(toIndex(parent, key, pointer, false), 1)
  if (!Object.hasOwn(parent, key)) throw missing(pointer)
  return Object.fromEntries(Object.entries(parent).filter(([name]) => name !== key))
}

function toIndex(
  parent: unknown[],
  key: string,
  pointer: string,
  isNew: boolean,
): number {
  const index = /^(0|[1-9]\d{0,9})$/.test(key) ? Number(key) : Number.NaN
  if (index < parent.length + (isNew ? 1 : 0)) return index
  throw new DocumentEditError(
    pointer,
    `is not in the document: the list has ${parent.length} items`,
  )
}

const missing = (pointer: string) =>
  new DocumentEditError(pointer, 'is not in the document')
