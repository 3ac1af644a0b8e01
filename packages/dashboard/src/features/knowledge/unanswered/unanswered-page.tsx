// Questions that the bot could not answer well, and what to do about each.
import type { ExplainedPassage, MissedQuestion } from '@botstead/contract'
import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Group,
  Menu,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { useRefreshOnMessages } from '../../../api/live.tsx'
import { usePages } from '../../../api/pages.ts'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { IconDots } from '../../../icons/icons.tsx'
import { lazily } from '../../../parts/lazily.tsx'
import { notifyDone, notifyFailed } from '../../../parts/notify.ts'
import { ConversationLink, FileLink } from '../../../parts/objects/object-links.tsx'
import { Page } from '../../../parts/page.tsx'
import { type Column, RowList } from '../../../parts/row-list.tsx'
import { Empty } from '../../../parts/states.tsx'
import { Moment } from '../../../parts/texts/moment.tsx'
import { scoreText } from '../../../parts/texts/score.ts'
import { texts } from '../../../texts/texts.ts'
import { toName, useFileLists } from '../bases.ts'
import { AnswerForm } from '../curated/later-answer-form.ts'

const t = texts.unanswered
const PassageDialog = lazily(
  async () => (await import('./passage-dialog.tsx')).PassageDialog,
)
const AddFiles = lazily(async () => (await import('../add-files.tsx')).AddFiles)

/** The server searches the best passage of each. */
const pageSize = 20
const maxQuestionLength = 300

/** A listing searches the best passage of each question. */
const pauseMs = 5_000

export function UnansweredPage() {
  const { botId, client } = useBot()
  const [answered, setAnswered] = useState<Answered | null>(null)
  const [read, setRead] = useState<MissedQuestion | null>(null)
  const [isAdding, setAdding] = useState(false)
  const mayWrite = useMay()('knowledge.write')
  useFileLists()
  useRefreshOnMessages(botId, 'fileLists', { part: 'missed', pauseMs })
  const query = usePages(
    ['fileLists', botId, 'missed'],
    (page, options) =>
      client.platform.listMissedQuestions({ query: { pageSize, ...page } }, options),
    { keepsFormer: true, refetchOnFocus: true },
  )
  const minScore = query.data?.pages[0]?.defaultMinScore ?? 0
  const facts = toFacts(minScore, setRead)
  const columns = mayWrite
    ? [...facts, toActions({ onAnswer: setAnswered, onDocument: () => setAdding(true) })]
    : facts
  return (
    <Page title={t.title} docs="files-and-knowledge" fills>
      <Text size="sm" c="dimmed">
        {t.hint}
      </Text>
      <RowList
        label={t.title}
        query={query}
        getRows={getQuestions}
        getKey={({ key }) => key}
        columns={columns}
        empty={<Empty title={t.empty} hint={t.emptyHint} />}
      />
      {answered && (
        <AnswerForm
          answer={null}
          questions={toQuestions(answered.question)}
          text={answered.text}
          passage={answered.question.best?.content}
          onClose={() => setAnswered(null)}
        />
      )}
      {read?.best && (
        <PassageDialog
          passage={read.best}
          score={toScore(read.best, minScore)}
          onUse={mayWrite ? (text) => setAnswered({ question: read, text }) : undefined}
          onClose={() => setRead(null)}
        />
      )}
      {isAdding && <AddFiles dropped={null} onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** A question with the answer that the user writes. */
interface Answered {
  question: MissedQuestion
  text: string
}

const getQuestions = ({ missedQuestions }: { missedQuestions: MissedQuestion[] }) =>
  missedQuestions

const toQuestions = ({ wordings }: MissedQuestion) =>
  wordings.map((wording) =>
    wording.replace(/\s+/g, ' ').trim().slice(0, maxQuestionLength),
  )

const toFacts = (
  minScore: number,
  onRead: (question: MissedQuestion) => void,
): Column<MissedQuestion>[] => [
  {
    title: t.question,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: ({
      question,
      wordings,
      conversationId,
      messageId,
      mailRequests,
      isAnswered,
    }) => (
      <>
        <Text size="sm" lineClamp={2} title={question} component="div">
          <ConversationLink id={conversationId} messageId={messageId}>
            {question}
          </ConversationLink>
        </Text>
        {wordings.length > 1 && (
          <Text
            size="xs"
            c="dimmed"
            className="foreign"
            title={wordings.slice(1).join('\n')}
          >
            {t.wordings(wordings.length - 1)}
          </Text>
        )}
        {mailRequests && <Wanted requests={mailRequests} question={question} />}
        {isAnswered && (
          <Badge variant="light" title={t.answeredHint}>
            {t.answered}
          </Badge>
        )}
      </>
    ),
  },
  {
    title: t.best,
    width: 'minmax(0, 3fr)',
    wideOnly: true,
    cell: (question) => (
      <Best passage={question.best} minScore={minScore} onRead={() => onRead(question)} />
    ),
  },
  {
    title: t.count,
    width: '110px',
    cell: ({ count, rated }) => (
      <>
        <Text size="sm">{t.times(count)}</Text>
        {rated > 0 && (
          <Text size="xs" c="var(--bad)">
            {t.rated(rated)}
          </Text>
        )}
      </>
    ),
  },
  {
    title: t.last,
    width: '100px',
    wideOnly: true,
    cell: ({ lastAt }) => <Moment at={lastAt} />,
  },
]

/** People who wait for an answer by e-mail. */
function Wanted({ requests, question }: WantedProps) {
  const emails = [...new Set(requests.map(({ email }) => email))]
  return (
    <Text size="xs" className="foreign" c="var(--bad)">
      {t.wantsMail}{' '}
      {emails.map((email, at) => (
        <Fragment key={email}>
          {at > 0 && texts.common.comma}
          <Anchor size="xs" href={toMailLink(email, question)}>
            {email}
          </Anchor>
        </Fragment>
      ))}
    </Text>
  )
}

interface WantedProps {
  requests: MailRequests
  question: string
}
type MailRequests = NonNullable<MissedQuestion['mailRequests']>

const toMailLink = (email: string, question: string) =>
  `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(question.slice(0, maxQuestionLength))}`

/** Returns the score and the one that it needs. */
function toScore({ score, minScore }: ExplainedPassage, usualMinScore: number): string {
  const least = minScore ?? usualMinScore
  return t.score(scoreText(score, least), least, score >= least)
}

interface BestProps {
  passage: ExplainedPassage | undefined
  /** Of passages without another one. */
  minScore: number
  onRead: () => void
}

function Best({ passage, minScore, onRead }: BestProps) {
  if (!passage)
    return (
      <Text size="sm" c="dimmed">
        {t.noPassage}
      </Text>
    )
  const name = toName(passage.fileKey)
  return (
    <>
      <Group gap="xs">
        <FileLink id={passage.fileId}>{name}</FileLink>
        <Text size="xs" c="dimmed">
          {toScore(passage, minScore)}
        </Text>
      </Group>
      <UnstyledButton onClick={onRead} title={t.read(name)} w="100%">
        <Text size="xs" c="dimmed" className="foreign" lineClamp={1} td="underline">
          {passage.content}
        </Text>
      </UnstyledButton>
    </>
  )
}

interface ActionsProps {
  onAnswer: (answered: Answered) => void
  onDocument: () => void
}

const toActions = ({ onAnswer, onDocument }: ActionsProps): Column<MissedQuestion> => ({
  title: texts.knowledge.actions,
  width: '190px',
  cell: (question) => (
    <Group gap={4} wrap="nowrap" justify="end">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t.addAnswerTo(question.question)}
        onClick={() => onAnswer({ question, text: '' })}
      >
        {t.addAnswer}
      </Button>
      <QuestionMenu question={question} onDocument={onDocument} />
    </Group>
  ),
})

interface QuestionMenuProps {
  question: MissedQuestion
  onDocument: () => void
}

function QuestionMenu({ question, onDocument }: QuestionMenuProps) {
  const { workspaceId, botId, client } = useBot()
  const queries = useQueryClient()
  const dismiss = useMutation({
    mutationFn: () =>
      client.platform.dismissMissedQuestion({ body: { key: question.key } }),
    onSuccess: async () => {
      notifyDone(t.dismissed)
      await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
    },
    onError: notifyFailed,
  })
  const mayDelete = useMay()('tables.write')
  const answerMail = useMutation({
    mutationFn: () =>
      client.tables.deleteTableRows({
        params: { table: 'OpenQuestionsTable' },
        body: { ids: mailRequests.map(({ rowId }) => rowId) },
      }),
    onSuccess: async () => {
      notifyDone(t.mailedDone)
      await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
    },
    onError: notifyFailed,
  })
  const { conversationId, messageId, mailRequests = [] } = question
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size={34}
          aria-label={t.others(question.question)}
          c="var(--mantine-color-text)"
        >
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onDocument}>{t.addDocument}</Menu.Item>
        {mailRequests.length > 0 && mayDelete && (
          <Menu.Item onClick={() => answerMail.mutate()}>{t.mailed}</Menu.Item>
        )}
        <Menu.Item onClick={() => dismiss.mutate()}>{t.dismiss}</Menu.Item>
        <Menu.Item
          component={Link}
          to={`/w/${workspaceId}/bots/${botId}/conversations/${conversationId}`}
          search={{ message: messageId } as never}
        >
          {t.open}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
