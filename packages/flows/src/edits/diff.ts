import { escapePointer } from '../document/pointer.ts'
import { align } from './alignment.ts'
import { type DocumentEdit, isObject, type Json } from './edit.ts'
import { isEqual } from './equality.ts'

/**
 * Returns the edits that turn one value of JSON into another: of as few and as small values as possible.
 * Items of lists correspond by `id`, `name` or equality, and otherwise by `type` between these. The order
 * of keys does not count.
 */
export const diffDocuments = (before: unknown, after: unknown): DocumentEdit[] =>
  diff(before, after, '')

function diff(before: unknown, after: unknown, pointer: string): DocumentEdit[] {
  if (isEqual(before, after)) return []
  if (isObject(before) && isObject(after)) return diffObjects(before, after, pointer)
  if (Array.isArray(before) && Array.isArray(after))
    return diffLists(before, after, pointer)
  return [{ op: 'set', pointer, value: after }]
}

function diffObjects(before: Json, after: Json, pointer: string): DocumentEdit[] {
  const at = (key: string) => `${pointer}/${escapePointer(key)}`
  const renamed = findRenamed(before, after)
  const newNames = new Set(renamed.values())
  return [
    ...[...renamed].map(
      ([from, to]): DocumentEdit => ({ op: 'move', from: at(from), pointer: at(to) }),
    ),
    ...Object.keys(before).flatMap((key): DocumentEdit[] => {
      if (renamed.has(key)) return []
      return Object.hasOwn(after, key)
        ? diff(before[key], after[key], at(key))
        : [{ op: 'remove', pointer: at(key) }]
    }),
    ...Object.keys(after).flatMap((key): DocumentEdit[] =>
      Object.hasOwn(before, key) || newNames.has(key)
        ? []
        : [{ op: 'set', pointer: at(key), value: after[key] }],
    ),
  ]
}

/** Returns the new keys of collections that kept their content. */
function findRenamed(before: Json, after: Json): Map<string, string> {
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  const renamed = new Map<string, string>()
  for (const [key, value] of Object.entries(before)) {
    if (Object.hasOwn(after, key) || typeof value !== 'object' || value === null) continue
    const index = added.findIndex((name) => isEqual(after[name], value))
    if (index !== -1) renamed.set(key, added.splice(index, 1)[0]!)
  }
  return renamed
}

function diffLists(before: unknown[], after: unknown[], pointer: string): DocumentEdit[] {
  const edits: DocumentEdit[] = []
  const { before: origins, isFixed } = align(before, after)
  const kept = new Set(origins)
  // The index of each item before, or of each new one as a negative number.
  const now = [...before.keys()].filter((i) => kept.has(i))
  for (const i of [...before.keys()].reverse())
    if (!kept.has(i)) edits.push({ op: 'remove', pointer: `${pointer}/${i}` })
  let previous = -1
  for (const [j, value] of after.entries()) {
    const origin = origins[j]!
    if (origin === -1) {
      now.splice(previous + 1, 0, -1 - j)
      edits.push({ op: 'insert', pointer: `${pointer}/${previous + 1}`, value })
      previous++
    } else if (isFixed[j]) previous = now.indexOf(origin, previous + 1)
    else {
      const from = now.indexOf(origin)
      now.splice(from, 1)
      if (from <= previous) previous--
      now.splice(++previous, 0, origin)
      if (from !== previous)
        edits.push({
          op: 'move',
          from: `${pointer}/${from}`,
          pointer: `${pointer}/${previous}`,
        })
    }
  }
  const nested = after.flatMap((value, j) =>
    origins[j] === -1 ? [] : diff(before[origins[j]!], value, `${pointer}/${j}`),
  )
  return [...edits, ...nested]
}
