// Merges two changes of one document: objects by key, lists by the identity of their items.
import { escapePointer } from '../document/pointer.ts'
import { parseText, type TextFormat } from '../document-text.ts'
import { align } from './alignment.ts'
import { diffDocuments } from './diff.ts'
import { DocumentEditError, isObject, type Json } from './edit.ts'
import { editDocument } from './edit-text.ts'
import { isEqual } from './equality.ts'
import { mergeLines } from './merge-lines.ts'

export interface DocumentVersion {
  text: string
  format: TextFormat
}

/** A value of theirs that one of mine replaced, at a JSON pointer into the merged document. */
export interface Overwritten {
  pointer: string
  theirs: unknown
}

export interface MergedText extends DocumentVersion {
  overwritten: Overwritten[]
}

interface Versions<T> {
  base: T
  mine: T
  theirs: T
}

/**
 * Returns theirs with the changes from base to mine. A value that both changed becomes that of mine; one that
 * one deleted and the other changed stays. Keeps comments and layout of theirs, and those of mine if no
 * line has changed in both. A new format is that of mine. Throws DocumentSyntaxError for an invalid text,
 * and DocumentEditError if aliases of YAML prevent the merge.
 */
export function mergeTexts({
  base,
  mine,
  theirs,
}: Versions<DocumentVersion>): MergedText {
  const isSame = (one: DocumentVersion, other: DocumentVersion) =>
    one.text === other.text && one.format === other.format
  if (isSame(mine, base) || isSame(mine, theirs)) return { ...theirs, overwritten: [] }
  const mineValue = parseText(mine.text, mine.format).value
  if (isSame(base, theirs)) return { ...mine, overwritten: [] }
  const theirsValue = parseText(theirs.text, theirs.format).value
  const baseValue = parseText(base.text, base.format).value
  const { value, overwritten } = merge({
    base: baseValue,
    mine: mineValue,
    theirs: theirsValue,
  })
  const edit = (version: DocumentVersion, from: unknown): MergedText => ({
    format: version.format,
    text: editDocument(version.text, version.format, diffDocuments(from, value)),
    overwritten,
  })
  if (mine.format !== base.format) return edit(mine, mineValue)
  const lines = mergeByLines({ base, mine, theirs }, value)
  if (lines !== null) return { text: lines, format: theirs.format, overwritten }
  try {
    return edit(theirs, theirsValue)
  } catch (error) {
    if (!(error instanceof DocumentEditError) || mine.format !== theirs.format)
      throw error
    return edit(mine, mineValue)
  }
}

/** Returns null unless the lines merge to the text of the value. */
function mergeByLines({ base, mine, theirs }: Versions<DocumentVersion>, value: unknown) {
  if (theirs.format !== mine.format) return null
  const text = mergeLines(base.text, mine.text, theirs.text)
  if (text === null) return null
  try {
    return isEqual(parseText(text, mine.format).value, value) ? text : null
  } catch {
    return null
  }
}

interface Merged {
  value: unknown
  overwritten: Overwritten[]
}

/** A missing value is undefined. */
function merge(versions: Versions<unknown>): Merged {
  const { base, mine, theirs } = versions
  if (isEqual(base, mine) || isEqual(mine, theirs))
    return { value: theirs, overwritten: [] }
  if (isEqual(base, theirs) || theirs === undefined)
    return { value: mine, overwritten: [] }
  if (mine === undefined) return { value: theirs, overwritten: [] }
  if (isObject(mine) && isObject(theirs))
    return mergeObjects({ base: isObject(base) ? base : {}, mine, theirs })
  if (Array.isArray(mine) && Array.isArray(theirs))
    return mergeLists({ base: Array.isArray(base) ? base : [], mine, theirs })
  return { value: mine, overwritten: [{ pointer: '', theirs }] }
}

function mergeObjects({ base, mine, theirs }: Versions<Json>): Merged {
  const get = (all: Json, key: string) => (Object.hasOwn(all, key) ? all[key] : undefined)
  const keys = new Set([...Object.keys(theirs), ...Object.keys(mine)])
  const merged = [...keys].map((key) => ({
    key,
    ...merge({ base: get(base, key), mine: get(mine, key), theirs: get(theirs, key) }),
  }))
  return {
    value: Object.fromEntries(
      merged
        .filter(({ value }) => value !== undefined)
        .map(({ key, value }) => [key, value]),
    ),
    overwritten: merged.flatMap(({ key, overwritten }) => within(key, overwritten)),
  }
}

const within = (key: string | number, overwritten: Overwritten[]): Overwritten[] =>
  overwritten.map(({ pointer, theirs }) => ({
    pointer: `/${escapePointer(String(key))}${pointer}`,
    theirs,
  }))

/** An item of the merged list, by its index in each version. */
interface Item {
  base?: number | undefined
  mine?: number | undefined
  theirs?: number
}

function mergeLists(versions: Versions<unknown[]>): Merged {
  const { base, mine, theirs } = versions
  const at = (list: unknown[], index: number | undefined) =>
    index === undefined ? undefined : list[index]
  const merged = mergeOrder(versions).map((item) =>
    merge({
      base: at(base, item.base),
      mine: at(mine, item.mine),
      theirs: at(theirs, item.theirs),
    }),
  )
  return {
    value: merged.map(({ value }) => value),
    overwritten: merged.flatMap(({ overwritten }, i) => within(i, overwritten)),
  }
}

/** Returns the items in the order of theirs, with those that mine added or moved behind the item before them. */
function mergeOrder({ base, mine, theirs }: Versions<unknown[]>): Item[] {
  const own = align(base, mine)
  const items = joinItems({ base, mine, theirs }, own.before)
  let previous = -1
  for (const j of mine.keys()) {
    const origin = own.before[j]!
    const now = items.findIndex((item) => item.mine === j)
    if (now !== -1 && (own.isFixed[j] || origin === -1)) {
      previous = now
      continue
    }
    const isDeleted = now === -1 && origin !== -1 && isEqual(base[origin], mine[j])
    if (isDeleted) continue
    const item =
      now === -1 ? { mine: j, ...(origin !== -1 && { base: origin }) } : items[now]!
    if (now !== -1) items.splice(now, 1)
    if (now !== -1 && now <= previous) previous--
    items.splice(++previous, 0, item)
  }
  return items
}

/** Returns the items of theirs with those of mine, without those that mine deleted. */
function joinItems({ base, mine, theirs }: Versions<unknown[]>, own: number[]): Item[] {
  const others = align(base, theirs).before
  const byBase = new Map(own.map((origin, j) => [origin, j]))
  const [added, alsoAdded] = [own, others].map((origins) =>
    [...origins.keys()].filter((i) => origins[i] === -1),
  ) as [number[], number[]]
  const common = align(
    added.map((j) => mine[j]),
    alsoAdded.map((i) => theirs[i]),
    true,
  ).before
  const twins = new Map(alsoAdded.map((i, n) => [i, added[common[n]!]]))
  return others.flatMap((origin, i): Item[] => {
    if (origin === -1) return [{ mine: twins.get(i), theirs: i }]
    const mineIndex = byBase.get(origin)
    const isDeleted = mineIndex === undefined && isEqual(base[origin], theirs[i])
    return isDeleted ? [] : [{ base: origin, mine: mineIndex, theirs: i }]
  })
}
