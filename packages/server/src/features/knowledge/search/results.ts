// Builds search results: passages with their context, individually or merged by file.
import type { FoundPassage } from '@botstead/contract'
import type { Subtype } from '@botstead/extraction'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import type { FileFilter } from '../../../core/files/index.ts'
import type { Hit } from './coverage.ts'
import { noEmbedder } from './embedder.ts'
import { findHits, type Rankers } from './fusion.ts'
import { findMinScores } from './knowledge-bases.ts'
import type { PassageRow } from './passages.ts'

interface PassageSearch {
  query: string
  /** The viewer: an integration's alias, or null for the bot and people. */
  viewer?: string | null
  tags?: FileFilter['tags']
  /** Number of passages, 20 by default. */
  limit?: number | undefined
  /** Number of neighbours on either side, 1 by default. */
  contextDepth?: number | undefined
  consolidate?: boolean | undefined
  includeBreadcrumb?: boolean | undefined
  withContext?: boolean | undefined
}

/**
 * Returns the best passages first, by words and, if there is an embedding source, by vectors. Leaves out
 * those below the minimum score of their knowledge base.
 */
export async function searchPassages(
  db: Db,
  botId: string,
  search: PassageSearch,
  rankers: Rankers = { embedder: noEmbedder },
): Promise<FoundPassage[]> {
  const { query, viewer = null, tags = [], limit = 20 } = search
  const minScores = await findMinScores(db, botId)
  const wide = minScores.size > 0 ? Math.max(limit, minCandidates) : limit
  const hits = await findHits(db, botId, { query, viewer, tags, limit: wide }, rankers)
  if (minScores.size === 0) return shown(db, botId, hits, search)
  const used = await aboveMinimum(db, botId, hits, minScores)
  return shown(db, botId, used.slice(0, limit), search)
}

/** Passages of a knowledge base with a lower minimum may follow those that are left out. */
const minCandidates = 50

async function aboveMinimum(
  db: Db,
  botId: string,
  hits: Hit[],
  minScores: Map<string, number>,
) {
  const files = await findFiles(db, botId, hits)
  const getMinScore = ({ fileId }: Hit) =>
    minScores.get(files.get(fileId)?.tags.kbId ?? '') ?? 0
  return hits.filter((hit) => hit.score >= getMinScore(hit))
}

type Neighbour = PassageRow & { hit: number; away: number }
type Found = FoundPassage['file']

async function shown(
  db: Db,
  botId: string,
  hits: Hit[],
  search: PassageSearch,
): Promise<FoundPassage[]> {
  if (hits.length === 0) return []
  const [neighbours, files] = await Promise.all([
    findNeighbours(db, botId, hits, search.contextDepth ?? 1),
    findFiles(db, botId, hits),
  ])
  const found = hits.flatMap((hit, n) => {
    const around = neighbours.get(n + 1) ?? []
    const file = files.get(hit.fileId)
    // the file was indexed again or deleted in the meantime
    return file && around.some(({ away }) => away === 0) ? [{ hit, around, file }] : []
  })
  return search.consolidate
    ? consolidated(found, search)
    : found.map((one) => alone(one, search))
}

interface FoundHit {
  hit: Hit
  around: Neighbour[]
  file: Found
}

function alone(
  { hit, around, file }: FoundHit,
  { includeBreadcrumb, withContext }: PassageSearch,
): FoundPassage {
  const { subtype, page, position, headings } = around.find(({ away }) => away === 0)!
  const above = includeBreadcrumb ? around[0]!.headings : []
  return {
    content: [...above, ...around.map(({ content }) => content)].join('\n\n'),
    score: hit.score,
    meta: { type: 'chunk', ...toMeta({ subtype, page, position }) },
    file,
    ...(withContext && { context: toContext(includeBreadcrumb ? headings : [], around) }),
  }
}

export const toMeta = ({
  subtype,
  page,
  position,
}: {
  subtype: Subtype
  page: number | null
  position: number
}) => ({
  subtype,
  position,
  ...(page !== null && { pageNumber: page }),
})

function toContext(
  headings: string[],
  around: Neighbour[],
): NonNullable<FoundPassage['context']> {
  const breadcrumb = headings.map((text) => ({ text, type: 'breadcrumb' as const }))
  const passages = around.map(({ id, content, away }) => ({
    id,
    text: content,
    offset: away,
    type: contextType(away),
  }))
  return [...breadcrumb, ...passages]
}

function contextType(away: number): 'preceding' | 'subsequent' | 'current' {
  if (away < 0) return 'preceding'
  return away > 0 ? 'subsequent' : 'current'
}

/** Merges the passages of each file in document order, without duplicates, under their headings. */
function consolidated(
  found: FoundHit[],
  { includeBreadcrumb }: PassageSearch,
): FoundPassage[] {
  const byFile = grouped(found, ({ hit }) => hit.fileId)
  return [...byFile.values()].map((ones) => {
    const { file, hit } = ones[0]!
    const all = new Map(
      ones.flatMap(({ around }) => around.map((one) => [one.position, one] as const)),
    )
    const inOrder = [...all.values()].sort((a, b) => a.position - b.position)
    return {
      content: underHeadings(inOrder, includeBreadcrumb !== false),
      score: hit.score,
      meta: { type: 'consolidated' as const },
      file,
    }
  })
}

function underHeadings(passages: PassageRow[], withHeadings: boolean): string {
  const seen = new Set<string>()
  return passages
    .flatMap(({ headings, content }) => {
      const fresh = withHeadings ? headings.filter((heading) => !seen.has(heading)) : []
      for (const heading of [...headings, content.split('\n', 1)[0]!]) seen.add(heading)
      return [...fresh, content]
    })
    .join('\n\n')
}

async function findNeighbours(
  db: Db,
  botId: string,
  hits: Hit[],
  depth: number,
): Promise<Map<number, Neighbour[]>> {
  const { rows } = await sql<Neighbour>`
    select hit.n::int as hit, p.position - hit.position as away, p.id, p.file_id, p.position, p.subtype,
      p.page, p.headings, p.content, p.body_start
    from unnest(${hits.map(({ fileId }) => fileId)}::text[], ${hits.map(({ position }) => position)}::int[])
      with ordinality hit (file_id, position, n)
    join passage p on p.bot_id = ${botId} and p.file_id = hit.file_id and p.position between hit.position -
      ${depth}::int and hit.position + ${depth}::int
    order by hit.n, p.position`.execute(db)
  return grouped(rows, ({ hit }) => hit)
}

async function findFiles(
  db: Db,
  botId: string,
  hits: Hit[],
): Promise<Map<string, Found>> {
  if (hits.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .select(['id', 'key', 'content_type', 'metadata', 'tags', 'created_at', 'updated_at'])
    .where('bot_id', '=', botId)
    .where('id', 'in', [...new Set(hits.map(({ fileId }) => fileId))])
    .execute()
  return new Map(
    rows.map(({ id, key, content_type, metadata, tags, created_at, updated_at }) => [
      id,
      {
        id,
        key,
        metadata,
        tags,
        contentType: content_type,
        createdAt: created_at.toISOString(),
        updatedAt: updated_at.toISOString(),
      },
    ]),
  )
}

function grouped<Row, Key>(rows: Row[], getKey: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(getKey(row))
    if (group) group.push(row)
    else groups.set(getKey(row), [row])
  }
  return groups
}
