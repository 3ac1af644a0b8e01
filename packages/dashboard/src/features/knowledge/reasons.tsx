// Why a search found these passages, or none.
import type { File, SearchExplanation } from '@botstead/contract'
import { Text } from '@mantine/core'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { Section } from '../../parts/section.tsx'
import { texts } from '../../texts/texts.ts'
import { findAlike, toWritten } from './written-words.ts'

const t = texts.knowledge.query

interface ReasonsProps {
  found: SearchExplanation
  query: string
  base: string | undefined
}

export function Reasons({ found, query, base }: ReasonsProps) {
  const failed = countFiles(found, 'indexing_failed') + countFiles(found, 'upload_failed')
  const hasNone = found.passages.length === 0
  return (
    <Section title={hasNone ? t.nothing : t.why}>
      <ul className="problems">
        {toReasons(found, query).map((reason) => (
          <Text key={reason} component="li" size="sm" className="foreign">
            {reason}
          </Text>
        ))}
        {!found.usesVectors && found.files.length > 0 && (
          <Text component="li" size="sm">
            {t.wordsOnly}{' '}
            <DocsLink page="files-and-knowledge#embeddings">{t.embeddings}</DocsLink>
          </Text>
        )}
        {failed > 0 && (
          <Text component="li" size="sm">
            {t.failed(failed)} <FailedLink base={base} />
          </Text>
        )}
      </ul>
    </Section>
  )
}

const countFiles = ({ files }: SearchExplanation, status: File['status']) =>
  files.find((each) => each.status === status)?.count ?? 0

function toReasons(found: SearchExplanation, query: string): string[] {
  const { passages, terms, files, usesVectors, usesReranking } = found
  const asWritten = toWritten(query)
  const known = terms.filter(({ isFound }) => isFound).map(({ word }) => asWritten(word))
  const replaced = terms.filter(({ replacedBy }) => replacedBy.length > 0)
  const missing = terms.filter(
    ({ isFound, replacedBy }) => !isFound && replacedBy.length === 0,
  )
  const pending =
    countFiles(found, 'indexing_pending') + countFiles(found, 'upload_pending')
  const ready = countFiles(found, 'indexing_completed')
  const hasNone = passages.length === 0
  if (files.length === 0) return [t.noFiles]
  return [
    ready === 0 && t.noneReady,
    pending > 0 && t.pending(pending),
    ready > 0 && terms.length === 0 && t.noTerms,
    known.length > 0 && t.matched(known),
    ...replaced.map(({ word, replacedBy }) =>
      t.replaced(asWritten(word), findAlike(replacedBy, passages)),
    ),
    missing.length > 0 && t.missing(missing.map(({ word }) => asWritten(word))),
    hasNone && ready > 0 && terms.length > 0 && t.rephrase,
    usesVectors && t.withVectors,
    usesReranking && t.withReranking,
  ].filter((reason) => typeof reason === 'string')
}

const FailedLink = ({ base }: { base: string | undefined }) => (
  <BotLink page="knowledge" search={{ status: 'indexing_failed', ...(base && { base }) }}>
    {t.showFailed}
  </BotLink>
)
