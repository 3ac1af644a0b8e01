// Searches the knowledge bases of the document. The server knows them by name and tags their files
// with their ids.

import type { FoundAnswers } from '@botstead/contract'
import type { TracedSearch } from '../tracing/trace.ts'
import type { EventKnowledge, KnowledgeResult } from './event-types.ts'
import { defaultMinScore } from './min-score.ts'
import type { Json } from './platform.ts'
import type { Turn } from './turn.ts'

interface Found {
  content: string
  score: number
  meta?: { pageNumber?: number }
  file: { id: string; key: string; tags: Record<string, string> }
}

interface KnowledgeSearch {
  query: string
  /** Knowledge bases by their names in the document; by default all of them. */
  names?: string[] | undefined
  /** Tags of the files to search, in place of knowledge bases. */
  tags?: Record<string, string> | undefined
  limit: number
  /**
   * Passages with a lower score are not used. The server applies minimum scores of knowledge bases,
   * which replace this one.
   */
  minScore?: number | undefined
  /** Passages before and after each that are part of its content; 1 by default. */
  neighbours?: number
}

/** Placeholders of personal data, as `packages/server/src/core/compute/text/redaction.ts` writes them. */
const placeholders = /\[(?:e-mail|phone|card|iban|redacted)\]/g

/** Searches files. Throws TypeError for a knowledge base that does not exist on the server. */
export async function searchKnowledge(
  turn: Turn,
  { query, names, tags, limit, minScore: own, neighbours = 1 }: KnowledgeSearch,
): Promise<EventKnowledge> {
  const { included, known, words, filter } = await findScope(turn, { query, names, tags })
  const minScore = own ?? defaultMinScore
  if (filter === null) return { included, results: [] }
  const parameters = new URLSearchParams({
    query: words,
    limit: String(limit),
    contextDepth: String(neighbours),
    tags: filter,
  })
  const search = turn.engine.platform({
    method: 'GET',
    path: `/v1/files/search?${parameters}`,
    cause: turn.delivered.id,
  }) as Promise<{ passages: Found[] }>
  const { passages } = await turn.trace.call(
    `search knowledge: ${words}`,
    search,
    (found) =>
      toTracedSearch(
        { query: words, limit, minScore, hasOwnMinScore: own !== undefined },
        known,
        found.passages,
      ),
  )
  const used = passages.filter(
    (passage) => passage.score >= (findBase(known, passage)?.minScore ?? minScore),
  )
  return { included, results: used.map((passage) => toResult(passage, known)) }
}

type Scope = Pick<KnowledgeSearch, 'query' | 'names' | 'tags'>

/** Returns the known knowledge bases, and the words and tags to search for; `filter` is null if there are none. */
async function findScope(turn: Turn, { query, names, tags }: Scope) {
  const declared = turn.engine.program.document.knowledgeBases ?? {}
  const bases = tags ? [] : (names ?? Object.keys(declared))
  const included = bases.map((name) => declared[name]?.name ?? name)
  const known = await findBases(turn, included)
  const words = query.replace(placeholders, ' ').trim().slice(0, maxQueryLength)
  const isEmpty = (!tags && known.size === 0) || words === ''
  // A list matches files with any of these ids.
  const filter = isEmpty ? null : JSON.stringify(tags ?? { kbId: [...known.keys()] })
  return { included, known, words, filter }
}

const noAnswers: FoundAnswers = {
  answers: [],
  suggestions: [],
  language: 'simple',
  bestScore: 0,
}

/** Finds answers without a model. Throws TypeError for a knowledge base that does not exist. */
export async function findAnswers(
  turn: Turn,
  { minScore, ...scope }: Scope & Pick<KnowledgeSearch, 'minScore'>,
): Promise<FoundAnswers> {
  const { words, filter } = await findScope(turn, scope)
  if (filter === null) return noAnswers
  const parameters = new URLSearchParams({
    query: words,
    tags: filter,
    ...(minScore !== undefined && { minScore: String(minScore) }),
  })
  return (await turn.engine.platform({
    method: 'GET',
    path: `/v1/platform/files/answers?${parameters}`,
    cause: turn.delivered.id,
  })) as unknown as FoundAnswers
}

/** Passages that the trace shows. */
const maxTraced = 10

const toTracedSearch = (
  search: Omit<TracedSearch, 'knowledgeBases' | 'passages'>,
  known: Bases,
  passages: Found[],
): TracedSearch => ({
  ...search,
  knowledgeBases: [...known.keys()].slice(0, maxTraced),
  passages: passages
    .slice(0, maxTraced)
    .map((passage) => toTracedPassage(passage, known)),
})

function toTracedPassage(passage: Found, known: Bases): TracedSearch['passages'][number] {
  const { score, meta, file } = passage
  const minScore = findBase(known, passage)?.minScore
  return {
    fileId: file.id,
    fileKey: file.key.slice(0, maxTracedKey),
    score,
    ...(meta?.pageNumber !== undefined && { page: meta.pageNumber }),
    ...(minScore !== undefined && { minScore }),
  }
}

const maxTracedKey = 300

const maxQueryLength = 1_000

interface Base {
  name: string
  minScore?: number
}

/** Knowledge bases by id. */
type Bases = Map<string, Base>

const findBase = (known: Bases, { file: { tags } }: Found): Base | undefined =>
  tags.kbId === undefined ? undefined : known.get(tags.kbId)

const toResult = (passage: Found, known: Bases): KnowledgeResult => {
  const { content, score, meta, file } = passage
  const { id, key, tags } = file
  const knowledgeBase = findBase(known, passage)?.name
  return {
    content,
    score,
    fileId: id,
    fileKey: key,
    ...(tags.title !== undefined && { title: tags.title }),
    ...(isWebAddress(tags.url) && { url: tags.url }),
    ...(meta?.pageNumber !== undefined && { page: meta.pageNumber }),
    ...(knowledgeBase !== undefined && { knowledgeBase }),
  }
}

/** Tags may contain anything; only web addresses become links. */
export const isWebAddress = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\/[^\s<>]+$/i.test(text)

async function findBases({ engine }: Turn, names: string[]): Promise<Bases> {
  if (names.length === 0) return new Map()
  const found: Bases = new Map()
  let nextToken: string | undefined
  do {
    const page = (await engine.platform({
      method: 'GET',
      path: `/v1/files/knowledge-bases${nextToken ? `?${new URLSearchParams({ nextToken })}` : ''}`,
    })) as Json
    for (const base of page.knowledgeBases as ListedBase[])
      if (names.includes(base.name)) found.set(base.id, toBase(base))
    nextToken = (page.meta as { nextToken?: string } | undefined)?.nextToken
  } while (nextToken)
  const foundNames = new Set([...found.values()].map(({ name }) => name))
  const missing = names.filter((name) => !foundNames.has(name))
  if (missing.length)
    throw new TypeError(
      `The server has no knowledge base "${missing[0]}". Create it, or deploy with the command line`,
    )
  return found
}

interface ListedBase {
  id: string
  name: string
  tags?: Record<string, string>
}

/** Its minimum score is a tag, which the server has checked. */
const toBase = ({ name, tags }: ListedBase): Base => ({
  name,
  ...(tags?.minScore !== undefined && { minScore: Number(tags.minScore) }),
})
