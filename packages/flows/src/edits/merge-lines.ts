import { commonItems } from './alignment.ts'

/** Returns theirs with the changed lines from base to mine; null if both changed the same lines. */
export function mergeLines(base: string, mine: string, theirs: string): string | null {
  const [from, own, other] = [base, mine, theirs].map(toLines) as [
    string[],
    string[],
    string[],
  ]
  const toMine = new Map(commonItems(from, own, isSame))
  const toTheirs = new Map(commonItems(from, other, isSame))
  const merged: string[] = []
  let [atBase, atMine, atTheirs] = [0, 0, 0]
  for (let i = 0; i <= from.length; i++) {
    const isLast = i === from.length
    const [j, k] = isLast ? [own.length, other.length] : [toMine.get(i), toTheirs.get(i)]
    if (j === undefined || k === undefined) continue
    const chunk = mergeChunk(
      from.slice(atBase, i).join(''),
      own.slice(atMine, j).join(''),
      other.slice(atTheirs, k).join(''),
    )
    if (chunk === null) return null
    merged.push(chunk, isLast ? '' : from[i]!)
    ;[atBase, atMine, atTheirs] = [i + 1, j + 1, k + 1]
  }
  return merged.join('')
}

const isSame = (one: string, other: string) => one === other

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function mergeChunk(base: string, mine: string, theirs: string): string | null {
  if (mine === base || mine === theirs) return theirs
  return theirs === base ? mine : null
}
