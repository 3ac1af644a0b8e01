// A search as the bot does it: passages with their scores and matched words, and the reasons for a
// missed answer.
import type {
  CuratedMatch,
  ExplainedPassage,
  SearchExplanation,
} from '@botstead/contract'
import {
  Badge,
  Button,
  Group,
  Paper,
  Progress,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Filters as Search } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { lazily } from '../../parts/lazily.tsx'
import { MarkedText } from '../../parts/messages/marked-text.tsx'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { FileLink } from '../../parts/objects/object-links.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { scoreText } from '../../parts/texts/score.ts'
import { texts } from '../../texts/texts.ts'
import { type Base, findBase, toName, useBases } from './bases.ts'
import { Reasons } from './reasons.tsx'

const t = texts.knowledge.query
const EditMinScore = lazily(
  async () => (await import('./edit-min-score.tsx')).EditMinScore,
)
const Verdict = lazily(async () => (await import('./verdict.tsx')).Verdict)

export function SearchPage() {
  const { q, base, limit }: Search = useSearch({ strict: false })
  return (
    <Page title={t.title}>
      <Question key={`${q} ${base}`} />
      {q && <CardLimits />}
      {q ? (
        <Results query={q} base={base} limit={Number(limit) || usualLimit} />
      ) : (
        <Empty title={t.title} hint={t.hint} />
      )}
    </Page>
  )
}

function Question() {
  const { q = '', base }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data: bases = [] } = useBases()
  const mayWrite = useMay()('knowledge.write')
  const target = findBase(bases, base)
  const [typed, setTyped] = useState(q)
  const ask = (changes: Search) =>
    void navigate({ to: '.', search: (before: Search) => ({ ...before, ...changes }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask({ q: typed.trim() || undefined })
  }
  return (
    <Group align="end" gap="xs">
      <form onSubmit={submit} style={{ flex: '1 1 auto' }}>
        <Group align="end" gap="xs">
          <TextInput
            label={t.question}
            placeholder={t.placeholder}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            type="search"
            maxLength={1000}
            flex="1 1 280px"
            autoFocus={q === ''}
          />
          <Select
            label={texts.knowledge.base}
            placeholder={t.all}
            data={bases.map(({ id, name }) => ({ value: id, label: name }))}
            value={base ?? null}
            onChange={(id) =>
              ask({ base: id ?? undefined, q: typed.trim() || undefined })
            }
            limit={200}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t.all }}
          />
          <Button type="submit">{t.submit}</Button>
        </Group>
      </form>
      {mayWrite && target && <MinScore key={target.id} base={target} />}
    </Group>
  )
}

/** The settings of the card that searched, after "Explain this search" in a trace. */
function CardLimits() {
  const { limit, min }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  if (limit === undefined && min === undefined) return null
  const clear = () =>
    void navigate({
      to: '.',
      search: ({ limit: _, min: __, ...others }: Search) => others,
    })
  return (
    <Group gap="xs" role="note">
      <Text size="sm" className="foreign">
        {t.cardLimits(limit, min)}
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={clear}>
        {t.clearLimits}
      </Button>
    </Group>
  )
}

function MinScore({ base }: { base: Base }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const minScore = base.tags.minScore ?? texts.knowledge.bases.noMinScore
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        aria-label={t.minScoreOf(base.name, minScore)}
      >
        {t.minScore(minScore)}
      </Button>
      {isOpen && <EditMinScore base={base} onClose={close} />}
    </>
  )
}

/** As the server's. The explanation of an answer has the limit of its card. */
const usualLimit = 10

interface ResultsProps {
  query: string
  base: string | undefined
  limit: number
}

function Results({ query: text, base, limit }: ResultsProps) {
  const { botId, client } = useBot()
  const query = useQuery({
    // Not refreshed while an import runs: the results would move while someone reads them.
    queryKey: ['fileSearch', botId, text, base, limit],
    queryFn: ({ signal }) =>
      client.platform.explainSearch(
        { query: { query: text, limit, ...(base && { knowledgeBaseId: base }) } },
        { signal },
      ),
    staleTime: 0,
  })
  return (
    <Loaded query={query}>
      {(found) => (
        <>
          {found.curatedAnswer ? (
            <Curated match={found.curatedAnswer} />
          ) : (
            <Verdict query={text} base={base} found={found} />
          )}
          <Reasons found={found} query={text} base={base} />
          <Passages found={found} />
        </>
      )}
    </Loaded>
  )
}

const Curated = ({ match }: { match: CuratedMatch }) => (
  <Section title={texts.curated.found} hint={texts.curated.foundHint(match)}>
    <Text size="sm" className="foreign wrapped">
      {match.text}
    </Text>
    <BotLink page="knowledge/answers" search={{ search: match.question }}>
      {texts.curated.title}
    </BotLink>
  </Section>
)

function Passages({ found }: { found: SearchExplanation }) {
  const { passages, elsewhere, defaultMinScore } = found
  if (passages.length === 0 && !elsewhere) return null
  const shown = elsewhere ? [elsewhere] : passages
  return (
    <Section title={t.results} {...(elsewhere && { hint: t.elsewhere })}>
      {shown.map((passage) => (
        <FoundPassage
          key={`${passage.fileId} ${passage.position}`}
          passage={passage}
          usualMinScore={defaultMinScore}
        />
      ))}
    </Section>
  )
}

interface FoundPassageProps {
  passage: ExplainedPassage
  /** Without one of the knowledge base or the card. */
  usualMinScore: number
}

function FoundPassage({ passage, usualMinScore }: FoundPassageProps) {
  const { data: bases = [] } = useBases()
  const { min }: Search = useSearch({ strict: false })
  const minScore = passage.minScore ?? Number(min ?? usualMinScore)
  const { fileId, fileKey, knowledgeBaseId, pageNumber, headings, score, matched } =
    passage
  const base = bases.find(({ id }) => id === knowledgeBaseId)?.name
  const place = [base, pageNumber && texts.knowledge.file.page(pageNumber), ...headings]
  const isMarked = (word: string) => matched.includes(word)
  return (
    <Paper component="article" className="panel" p="sm" aria-label={toName(fileKey)}>
      <Group justify="space-between" gap="xs" align="start">
        <Stack gap={0} miw={0} flex="1 1 260px">
          <FileLink id={fileId}>{toName(fileKey)}</FileLink>
          <Text size="xs" c="dimmed" className="foreign">
            <MarkedText text={place.filter(Boolean).join(' › ')} isMarked={isMarked} />
          </Text>
        </Stack>
        {score < minScore && (
          <Badge variant="default" title={t.lowHint}>
            {t.low(minScore, minScoreOwner(passage, min))}
          </Badge>
        )}
      </Group>
      <Scores passage={passage} minScore={minScore} />
      <Text size="xs" c="dimmed" className="foreign">
        {t.inWords({ ...passage, minScore })}
      </Text>
      <Text size="sm" className="foreign wrapped" component="div">
        <MarkedText text={passage.content} isMarked={isMarked} />
      </Text>
    </Paper>
  )
}

const minScoreOwner = ({ minScore }: ExplainedPassage, ofCard: string | undefined) => {
  if (minScore !== undefined) return 'base'
  return ofCard === undefined ? 'usual' : 'card'
}

function Scores({ passage, minScore }: { passage: ExplainedPassage; minScore: number }) {
  const { score, wordScore, vectorScore, mergedScore, rerankScore, matched } = passage
  const parts = [
    // Words that are spelt alike count a little, and match none of the passage.
    [t.wordScore, matched.length > 0 ? wordScore : undefined],
    [t.vectorScore, vectorScore],
    [t.mergedScore, mergedScore],
    [t.rerankScore, rerankScore],
  ] as const
  const known = parts.flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  )
  return (
    <Group gap="md" my={6}>
      <Score name={t.score} value={score} minScore={minScore} isMain />
      {known.length > 1 && known.map((each) => <Score key={each.name} {...each} />)}
    </Group>
  )
}

interface ScoreProps {
  name: string
  value: number
  minScore?: number
  isMain?: boolean
}

const Score = ({ name, value, minScore, isMain }: ScoreProps) => (
  <Group gap={6} wrap="nowrap">
    <Text size="xs" {...(isMain ? { fw: 600 } : { c: 'dimmed' })}>
      {name} {scoreText(value, minScore)}
    </Text>
    <Progress
      value={Math.min(100, Math.max(0, value * 100))}
      w={64}
      size="sm"
      aria-label={`${name} ${scoreText(value, minScore)}`}
    />
  </Group>
)
