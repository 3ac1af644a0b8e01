// The files that a bot found in its knowledge, and a link to the explanation of the search.
import { Group, Text } from '@mantine/core'
import { useMay } from '../api/session.ts'
import { texts } from '../texts/texts.ts'
import { BotLink } from './bot-link.tsx'
import { FileLink } from './object-links.tsx'

/** As the flow engine writes it (packages/flows/src/trace.ts); bots could write anything. */
interface Search {
  query: string
  knowledgeBases: string[]
  passages: { fileId: string; fileKey: string; page?: number; score: number }[]
}

const isSearch = (value: unknown): value is Search => {
  const { query, knowledgeBases, passages } = (value ?? {}) as Partial<Search>
  return (
    typeof query === 'string' &&
    Array.isArray(knowledgeBases) &&
    Array.isArray(passages) &&
    passages.every(
      (passage) => typeof passage?.fileKey === 'string' && typeof passage.score === 'number',
    )
  )
}

export function TracedSearch({ search }: { search: unknown }) {
  const mayRead = useMay()('files.read')
  if (!mayRead || !isSearch(search)) return null
  const { query: q, knowledgeBases, passages } = search
  const [base, ...others] = knowledgeBases.map(String)
  return (
    <Group gap="xs" ps={80}>
      {passages.length === 0 && <Text size="xs">{texts.trace.noPassages}</Text>}
      {passages.map(({ fileId, fileKey, page, score }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several passages of a file keep their order
        <FileLink key={index} id={String(fileId)}>
          {texts.trace.found(fileKey.slice(fileKey.lastIndexOf('/') + 1), page, score)}
        </FileLink>
      ))}
      <BotLink page="knowledge/search" search={{ q, ...(base && others.length === 0 && { base }) }}>
        {texts.trace.explainSearch}
      </BotLink>
    </Group>
  )
}
