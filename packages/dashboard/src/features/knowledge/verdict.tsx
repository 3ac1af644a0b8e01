// What the bot does with the question of a search, before the reasons.
import type { FoundAnswer, SearchExplanation } from '@botstead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useExamples } from '../../api/examples.ts'
import type { Filters as Search } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { scoreText } from '../../parts/texts/score.ts'
import { texts } from '../../texts/texts.ts'
import { toName } from './bases.ts'
import { AnswerForm } from './curated/later-answer-form.ts'

const t = texts.knowledge.query.verdict

interface VerdictProps {
  query: string
  base: string | undefined
  found: SearchExplanation
}

export function Verdict({ query, base, found }: VerdictProps) {
  const { botId, client } = useBot()
  const { min }: Search = useSearch({ strict: false })
  const { data: examples } = useExamples()
  const answers = useQuery({
    queryKey: ['fileSearch', botId, 'answers', query, base, min],
    queryFn: ({ signal }) =>
      client.platform.findAnswers(
        {
          query: {
            query,
            ...(base && { tags: JSON.stringify({ kbId: [base] }) }),
            ...(min && { minScore: Number(min) }),
          },
        },
        { signal },
      ),
    staleTime: 0,
  })
  const least = Number(min ?? found.defaultMinScore)
  return (
    <Section title={t.title} link={<AddAnswer query={query} found={found} />}>
      <Loaded query={answers}>
        {({ answers }) => (
          <Outcome
            answers={answers}
            found={found}
            usualMinScore={least}
            hasModel={examples?.hasModel ?? false}
          />
        )}
      </Loaded>
    </Section>
  )
}

interface OutcomeProps {
  answers: FoundAnswer[]
  found: SearchExplanation
  usualMinScore: number
  hasModel: boolean
}

/** The card `answer` gives a model at most this number of passages by default. */
const maxPassages = 5

function Outcome({
  answers,
  found: { passages },
  usualMinScore,
  hasModel,
}: OutcomeProps) {
  const [best] = passages
  const used = passages.filter(({ score, minScore = usualMinScore }) => score >= minScore)
  if (hasModel && used.length > 0)
    return <Text size="sm">{t.model(Math.min(used.length, maxPassages))}</Text>
  if (answers.length > 0)
    return (
      <Stack gap="xs" role="status">
        <Text size="sm">{answers.length > 1 ? t.chooses : t.answers}</Text>
        {answers.map((answer) => (
          <Answer key={`${answer.fileId} ${answer.text}`} answer={answer} />
        ))}
      </Stack>
    )
  if (!best) return <Text size="sm">{t.nothing}</Text>
  const least = best.minScore ?? usualMinScore
  const isLow = best.score < least
  return (
    <Text size="sm">
      {isLow ? t.low(scoreText(best.score, least), least) : t.lacking}
    </Text>
  )
}

const Answer = ({ answer: { text, title, fileKey } }: { answer: FoundAnswer }) => (
  <div>
    <Text size="sm" className="foreign wrapped" fw={600}>
      {text}
    </Text>
    <Text size="xs" c="dimmed" className="foreign">
      {t.source(title ?? toName(fileKey))}
    </Text>
  </div>
)

function AddAnswer({ query, found }: Pick<VerdictProps, 'query' | 'found'>) {
  const mayWrite = useMay()('knowledge.write')
  const [isOpen, { open, close }] = useDisclosure(false)
  if (!mayWrite) return null
  return (
    <Group>
      <Button size="compact-sm" variant="default" onClick={open}>
        {texts.unanswered.addAnswer}
      </Button>
      {isOpen && (
        <AnswerForm
          answer={null}
          questions={[query.slice(0, maxQuestionLength)]}
          passage={found.passages[0]?.content}
          onClose={close}
        />
      )}
    </Group>
  )
}

const maxQuestionLength = 300
