// Aligns the items of two lists: by identity, then the changed ones by likeness.
import { isObject } from './edit.ts'

interface Alignment {
  /** For each item after, the index of its item before, or -1. */
  before: number[]
  /** Whether the item after kept its place among the others. */
  isFixed: boolean[]
}

/** Beyond, items of the middle are compared only at the same index. */
const maxComparisons = 4_000_000

/** With `isExact`, an item that changed has no item before, unless its `id` or `name` is the same. */
export function align(before: unknown[], after: unknown[], isExact = false): Alignment {
  const [ids, newIds] = toIdentities(before, after)
  const found = new Array<number>(after.length).fill(-1)
  const isFixed = new Array<boolean>(after.length).fill(false)
  const taken = new Set<number>()
  const join = (i: number, j: number, fixed: boolean) => {
    found[j] = i
    isFixed[j] = fixed
    taken.add(i)
  }
  for (const [i, j] of commonItems(ids, newIds, (one, other) => one === other))
    join(i, j, true)
  // Items that moved.
  const places = new Map<string, number[]>()
  ids.forEach((id, i) => {
    if (!taken.has(i)) places.set(id, [...(places.get(id) ?? []), i])
  })
  newIds.forEach((id, j) => {
    const i = found[j] === -1 ? places.get(id)?.shift() : undefined
    if (i !== undefined) join(i, j, false)
  })
  if (!isExact) joinChanged(before, after, { found, isFixed, taken, join })
  return { before: found, isFixed }
}

interface Joined {
  found: number[]
  isFixed: boolean[]
  taken: Set<number>
  join: (i: number, j: number, fixed: boolean) => void
}

/** Joins items between two fixed ones that look like each other. */
function joinChanged(before: unknown[], after: unknown[], joined: Joined): void {
  const { found, isFixed, taken, join } = joined
  let [fromI, fromJ] = [0, 0]
  const fixed = [...found.keys()].filter((j) => isFixed[j])
  for (const j of [...fixed, after.length]) {
    const i = j === after.length ? before.length : found[j]!
    const left = range(fromI, i).filter((one) => !taken.has(one))
    const right = range(fromJ, j).filter((one) => found[one] === -1)
    const pairs = commonItems(left, right, (a, b) => isAlike(before[a], after[b]))
    for (const [a, b] of pairs) join(left[a]!, right[b]!, true)
    ;[fromI, fromJ] = [i + 1, j + 1]
  }
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

function isAlike(one: unknown, other: unknown): boolean {
  if (isObject(one) && isObject(other))
    return one.type === other.type && toId(one) === null && toId(other) === null
  return Array.isArray(one) === Array.isArray(other) && isObject(one) === isObject(other)
}

const toId = (item: unknown): string | null => {
  if (!isObject(item)) return null
  const { id, name } = item
  if (typeof id === 'string') return `id ${id}`
  return typeof name === 'string' ? `name ${name}` : null
}

/** An id or name identifies an item only if no other item of its list has it. */
function toIdentities(before: unknown[], after: unknown[]): [string[], string[]] {
  const repeated = new Set([...findRepeated(before), ...findRepeated(after)])
  const toIdentity = (item: unknown) => {
    const id = toId(item)
    return id !== null && !repeated.has(id) ? id : `value ${toStableText(item)}`
  }
  return [before.map(toIdentity), after.map(toIdentity)]
}

function findRepeated(items: unknown[]): string[] {
  const ids = items.map(toId).filter((id) => id !== null)
  const seen = new Set<string>()
  return ids.filter((id) => seen.size === seen.add(id).size)
}

const toStableText = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    isObject(one)
      ? Object.fromEntries(Object.entries(one).toSorted(byKey).map(prefixed))
      : one,
  )

const byKey = ([one]: [string, unknown], [other]: [string, unknown]) =>
  one < other ? -1 : 1

/** Otherwise, JavaScript would sort keys like "1" before others. */
const prefixed = ([key, value]: [string, unknown]): [string, unknown] => [
  `_${key}`,
  value,
]

/** Returns the pairs of indexes of a longest common subsequence, in order. */
export function commonItems<T>(
  left: T[],
  right: T[],
  isSame: (one: T, other: T) => boolean,
): [number, number][] {
  let start = 0
  const shorter = Math.min(left.length, right.length)
  while (start < shorter && isSame(left[start]!, right[start]!)) start++
  let end = 0
  while (
    end < shorter - start &&
    isSame(left[left.length - 1 - end]!, right[right.length - 1 - end]!)
  )
    end++
  const middle = commonInMiddle(
    left.slice(start, left.length - end),
    right.slice(start, right.length - end),
    isSame,
  )
  return [
    ...range(0, start).map((i): [number, number] => [i, i]),
    ...middle.map(([i, j]): [number, number] => [i + start, j + start]),
    ...range(0, end).map((i): [number, number] => [
      left.length - end + i,
      right.length - end + i,
    ]),
  ]
}

function commonInMiddle<T>(left: T[], right: T[], isSame: (one: T, other: T) => boolean) {
  const [rows, columns] = [left.length, right.length]
  const pairs: [number, number][] = []
  if (rows * columns > maxComparisons) {
    for (let i = 0; i < Math.min(rows, columns); i++)
      if (isSame(left[i]!, right[i]!)) pairs.push([i, i])
    return pairs
  }
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[i * width + j] = isSame(left[i]!, right[j]!)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  for (let [i, j] = [0, 0]; i < rows && j < columns; ) {
    if (isSame(left[i]!, right[j]!)) pairs.push([i++, j++])
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++
    else j++
  }
  return pairs
}
