// Looks things up in the knowledge bases that the document names. They are the server's, found by their names: files are tagged with their ids.
import type { EventKnowledge, KnowledgeResult } from './event.ts'
import type { Json } from './platform.ts'
import type { Turn } from './turn.ts'

interface Found {
  content: string
  score: number
  file: { id: string; key: string; tags: Record<string, string> }
}

/** `names` as the document has them; all of them, unless said. Throws TypeError for one that the server does not have. */
export async function searchKnowledge(
  turn: Turn,
  query: string,
  names: string[] | undefined,
  limit: number,
): Promise<EventKnowledge> {
  const declared = turn.engine.program.document.knowledgeBases ?? {}
  const included = (names ?? Object.keys(declared)).map((name) => declared[name]?.name ?? name)
  const ids = await idsOf(turn, included)
  const words = query.trim().slice(0, longestQuery)
  if (ids.size === 0 || words === '') return { included, results: [] }
  // One of these ids is what a list asks for.
  const asked = new URLSearchParams({
    query: words,
    limit: String(limit),
    tags: JSON.stringify({ kbId: [...ids.keys()] }),
  })
  const search = turn.engine.platform({
    method: 'GET',
    path: `/v1/files/search?${asked}`,
    cause: turn.told.id,
  })
  const { passages } = (await turn.trace.call(`search knowledge: ${words}`, search)) as { passages: Found[] }
  return { included, results: passages.map((passage) => resultOf(passage, ids)) }
}

const longestQuery = 1_000

const resultOf = (
  { content, score, file: { id, key, tags } }: Found,
  ids: Map<string, string>,
): KnowledgeResult => {
  const knowledgeBase = tags.kbId === undefined ? undefined : ids.get(tags.kbId)
  return {
    content,
    score,
    fileId: id,
    fileKey: key,
    ...(tags.title !== undefined && { title: tags.title }),
    ...(knowledgeBase !== undefined && { knowledgeBase }),
  }
}

/** Name by id. */
async function idsOf({ engine }: Turn, names: string[]): Promise<Map<string, string>> {
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
  if (missing.length) throw new TypeError(`There is no knowledge base "${missing[0]}" on the server`)
  return found
}
