// Searches the knowledge bases of the document. The server knows them by name and tags their files
// with their ids.
import type { EventKnowledge, KnowledgeResult } from './event.ts'
import type { Json } from './platform.ts'
import type { TracedSearch } from './trace.ts'
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
  /** Passages with a lower score are not used; 0 by default. */
  minScore?: number | undefined
  /** Passages before and after each that are part of its content; 1 by default. */
  neighbours?: number
}

/** Placeholders of personal data, as `packages/server/src/infra/lib/redaction.ts` writes them. */
const placeholders = /\[(?:e-mail|phone|card|iban|redacted)\]/g

/** Searches files. Throws TypeError for a knowledge base that does not exist on the server. */
export async function searchKnowledge(
  turn: Turn,
  { query, names, tags, limit, minScore = 0, neighbours = 1 }: KnowledgeSearch,
): Promise<EventKnowledge> {
  const declared = turn.engine.program.document.knowledgeBases ?? {}
  const bases = tags ? [] : (names ?? Object.keys(declared))
  const included = bases.map((name) => declared[name]?.name ?? name)
  const ids = await idsOf(turn, included)
  const words = query.replace(placeholders, ' ').trim().slice(0, maxQueryLength)
  if ((!tags && ids.size === 0) || words === '') return { included, results: [] }
  const parameters = new URLSearchParams({
    query: words,
    limit: String(limit),
    contextDepth: String(neighbours),
    // A list matches files with any of these ids.
    tags: JSON.stringify(tags ?? { kbId: [...ids.keys()] }),
  })
  const search = turn.engine.platform({
    method: 'GET',
    path: `/v1/files/search?${parameters}`,
    cause: turn.delivered.id,
  }) as Promise<{ passages: Found[] }>
  const { passages } = await turn.trace.call(`search knowledge: ${words}`, search, (found) =>
    toTracedSearch({ query: words, limit, minScore }, [...ids.keys()], found.passages),
  )
  const used = passages.filter(({ score }) => score >= minScore)
  return { included, results: used.map((passage) => resultOf(passage, ids)) }
}

/** Passages that the trace shows. */
const maxTraced = 10

const toTracedSearch = (
  search: Pick<TracedSearch, 'query' | 'limit' | 'minScore'>,
  knowledgeBases: string[],
  passages: Found[],
): TracedSearch => ({
  ...search,
  knowledgeBases: knowledgeBases.slice(0, maxTraced),
  passages: passages.slice(0, maxTraced).map(({ score, meta, file }) => ({
    ...{ fileId: file.id, fileKey: file.key.slice(0, maxTracedKey), score },
    ...(meta?.pageNumber !== undefined && { page: meta.pageNumber }),
  })),
})

const maxTracedKey = 300

const maxQueryLength = 1_000

const resultOf = (
  { content, score, meta, file: { id, key, tags } }: Found,
  ids: Map<string, string>,
): KnowledgeResult => {
  const knowledgeBase = tags.kbId === undefined ? undefined : ids.get(tags.kbId)
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
const isWebAddress = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\/[^\s<>]+$/i.test(text)

/** Returns the names of the knowledge bases by id. */
async function idsOf({ engine }: Turn, names: string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const found = new Map<string, string>()
  let nextToken: string | undefined
  do {
    const page = (await engine.platform({
      method: 'GET',
      path: `/v1/files/knowledge-bases${nextToken ? `?${new URLSearchParams({ nextToken })}` : ''}`,
    })) as Json
    for (const { id, name } of page.knowledgeBases as { id: string; name: string }[])
      if (names.includes(name)) found.set(id, name)
    nextToken = (page.meta as { nextToken?: string } | undefined)?.nextToken
  } while (nextToken)
  const missing = names.filter((name) => ![...found.values()].includes(name))
  if (missing.length)
    throw new TypeError(
      `The server has no knowledge base "${missing[0]}". Create it, or deploy with the command line`,
    )
  return found
}
