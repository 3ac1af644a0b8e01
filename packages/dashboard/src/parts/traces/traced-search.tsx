// The passages that a bot found in its knowledge, and a link to the explanation of the search.
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { BotLink } from '../objects/bot-link.tsx'
import { FileLink } from '../objects/object-links.tsx'
import { scoreText } from '../texts/score.ts'
import { TracePart } from './trace-parts.tsx'

/** As the flow engine writes it (packages/flows/src/tracing/trace.ts); bots could write anything. */
interface Search {
  query: string
  limit?: number
  minScore?: number
  /** False for the default; traces of earlier versions have none. */
  hasOwnMinScore?: boolean
  knowledgeBases: string[]
  passages: {
    fileId: string
    fileKey: string
    page?: number
    score: number
    minScore?: number
  }[]
}

const isSearch = (value: unknown): value is Search => {
  const { query, knowledgeBases, passages } = (value ?? {}) as Partial<Search>
  return (
    typeof query === 'string' &&
    Array.isArray(knowledgeBases) &&
    Array.isArray(passages) &&
    passages.every(
      (passage) =>
        typeof passage?.fileKey === 'string' && typeof passage.score === 'number',
    )
  )
}

/** Above the steps: the passages explain an answer better than the cards that led to them. */
export function TracedSearches({ steps }: { steps: Record<string, unknown>[] }) {
  const mayRead = useMay()('knowledge.read')
  const searches = steps.map(({ search }) => search).filter(isSearch)
  if (!mayRead) return null
  return (
    <TracePart title={texts.trace.found} count={searches.length}>
      {searches.map((search, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: searches have no id and keep their order
        <TracedSearch key={index} search={search} />
      ))}
    </TracePart>
  )
}

function TracedSearch({ search }: { search: Search }) {
  const {
    query: q,
    limit,
    minScore,
    hasOwnMinScore = true,
    knowledgeBases,
    passages,
  } = search
  const min = hasOwnMinScore && minScore !== undefined ? { min: String(minScore) } : {}
  const [base, ...others] = knowledgeBases.map(String)
  // Without a single knowledge base, the explanation searches all files: the limit could omit these.
  const one =
    base && others.length === 0
      ? { base, ...(limit && { limit: String(limit) }) }
      : undefined
  return (
    <Group gap="xs">
      <Text size="sm" className="foreign wrapped" w="100%">
        {q}
      </Text>
      {passages.length === 0 && <NonePassed query={q} {...one} />}
      {passages.map(
        ({ fileId, fileKey, page, score, minScore: least = minScore }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several passages of a file keep their order
          <FileLink key={index} id={String(fileId)}>
            {texts.trace.passage(
              fileKey.slice(fileKey.lastIndexOf('/') + 1),
              page,
              scoreText(score, least),
              least !== undefined && score < least ? least : null,
            )}
          </FileLink>
        ),
      )}
      <BotLink page="knowledge/search" search={{ q, ...one, ...min }}>
        {texts.trace.explainSearch}
      </BotLink>
    </Group>
  )
}

/**
 * Says whether a minimum score has left out all passages. The trace does not have these, so the same
 * search explains it.
 */
function NonePassed({
  query,
  base,
  limit,
}: {
  query: string
  base?: string
  limit?: string
}) {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['fileSearch', botId, 'nonePassed', query, base, limit],
    queryFn: ({ signal }) =>
      client.platform.explainSearch(
        {
          query: {
            query,
            ...(base && { knowledgeBaseId: base }),
            limit: Number(limit ?? 1),
          },
        },
        { signal },
      ),
  })
  const best = data?.passages[0]
  return (
    <Text size="xs">
      {best?.minScore !== undefined && best.score < best.minScore
        ? texts.trace.nonePassed(scoreText(best.score, best.minScore), best.minScore)
        : texts.trace.noPassages}
    </Text>
  )
}
