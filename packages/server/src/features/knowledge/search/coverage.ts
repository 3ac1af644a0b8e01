// How much of a question a passage has: its words by their rarity, where the passage has them.
import type { Evidence } from './relevance.ts'
import type { Term } from './words/terms.ts'

export interface Hit {
  fileId: string
  position: number
  /** From 0 to 1: how likely the passage answers the question (relevance.ts). */
  score: number
  /** Of the merged list. */
  evidence?: Evidence
}

/** A passage that has words of the question. */
export interface WordHit extends Hit {
  /** Share of the question's words that the passage has, weighted by rarity. */
  coverage: number
  /** The positions in the question of the words that the passage has. */
  groups: number[]
}

/** What PostgreSQL counts. */
export interface Ranked {
  hits: {
    fileId: string
    position: number
    score: number
    has: number[]
    own: number[]
  }[]
  /** The number of searched passages with each term. */
  counts: number[]
  /** The number of the bot's passages. */
  passages: number
}

/** Share of a word that only the title or an outer heading has. */
const outerCounts = 0.8

/** Adds the share of the question that each passage has. */
export function withCoverage(
  terms: Term[],
  { hits, counts, passages }: Ranked,
): WordHit[] {
  const groups = listGroups(terms, counts, passages)
  const total = [...groups.values()].reduce((sum, { value }) => sum + value, 0) || 1
  return hits.map(({ has, own, ...hit }) => {
    const covered = [...groups].map(([group, { value, isCode }]) => {
      const outer = outerCounts * toShare(terms, has, group)
      const share = Math.max(outer, toShare(terms, own, group))
      return { group, share: isCode && share < outerCounts ? 0 : share, value }
    })
    const sum = covered.reduce((sum, { share, value }) => sum + share * value, 0)
    const found = covered.filter(({ share }) => share > 0)
    return { ...hit, coverage: sum / total, groups: found.map(({ group }) => group) }
  })
}

/** Weight of a code: no other word says as much. */
const codeCounts = 2
const weakest = 0.5

interface Group {
  /** What it counts: its rarity, by its weight. */
  value: number
  /** Only all of its parts together count. */
  isCode: boolean
}

function listGroups(
  terms: Term[],
  counts: number[],
  passages: number,
): Map<number, Group> {
  const toRarity = (count: number) =>
    Math.log(1 + (passages - count + 0.5) / (count + 0.5))
  const all = new Set(terms.map(({ group }) => group))
  return new Map(
    [...all].map((group) => {
      const own = terms.flatMap((term, n) =>
        term.group === group ? [{ ...term, count: counts[n]! }] : [],
      )
      const found = own
        .filter(({ count }) => count > 0)
        .map(({ count }) => toRarity(count))
      const weight = Math.max(...own.map((term) => term.weight))
      const isCode = own.some(({ word, isSpelling }) => isSpelling && /\p{N}/u.test(word))
      // a weak word that no passage has says nothing
      const ofMissing = weight < weakest ? 0 : toRarity(0)
      const rarity = found.length > 0 ? Math.max(...found) : ofMissing
      return [group, { value: (isCode ? codeCounts : 1) * weight * rarity, isCode }]
    }),
  )
}

/** Returns the share of a word that a passage has, from 0 to 1: the best variant of each part. */
function toShare(terms: Term[], has: number[], group: number): number {
  const own = terms.filter((term) => term.group === group)
  const best = new Map<string, number>()
  for (const { word, weight } of has
    .map((n) => terms[n]!)
    .filter((term) => own.includes(term)))
    best.set(word, Math.max(best.get(word) ?? 0, weight))
  const whole = Math.max(...own.map(({ weight }) => weight))
  const sum = [...best.values()].reduce((sum, weight) => sum + weight, 0)
  return Math.min(1, sum / whole)
}
