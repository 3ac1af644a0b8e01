// How many passages questions find by meaning, or why none.
import type { MeaningProgress } from '@botstead/contract'
import { Text } from '@mantine/core'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { texts } from '../../texts/texts.ts'
import { useFileCounts } from './file-counts.ts'

const t = texts.knowledge.meaning

export function Meaning({
  base,
  isKnowledge,
}: {
  base: string | undefined
  isKnowledge: boolean
}) {
  const { data } = useFileCounts(isKnowledge, base)
  if (!data || data.meaning.passages === 0) return null
  const { model, wordsOnly } = data.meaning
  return (
    <Text size="sm" role="status">
      {toText(data.meaning)}
      {(model === null || wordsOnly > 0) && (
        <>
          {' '}
          <DocsLink page="files-and-knowledge#embeddings">{t.about}</DocsLink>
        </>
      )}
    </Text>
  )
}

function toText({
  model,
  state,
  passages,
  embedded,
  wordsOnly,
}: MeaningProgress): string {
  if (model === null) return state === 'notInstalled' ? t.notInstalled : t.disabled
  if (state === 'unavailable') return t.unavailable(model)
  if (embedded + wordsOnly < passages) return t.progress(embedded + wordsOnly, passages)
  return wordsOnly > 0 ? t.partly(embedded, passages) : t.complete(passages)
}
