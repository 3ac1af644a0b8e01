// Issues of a bot by status, and the latest occurrences of one.

import type { TrackedIssue } from '@botstead/contract'
import {
  Box,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useBotQuery } from '../../api/bot-query.ts'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { ConversationLink, UserLink } from '../../parts/objects/object-links.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { toBeginning } from '../../parts/texts/long-text.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { StackTrace } from '../../parts/traces/stack-trace.tsx'
import { TraceDialog } from '../../parts/traces/trace.tsx'
import { useTrace, useTraced } from '../../parts/traces/use-trace.ts'
import { texts } from '../../texts/texts.ts'
import { StaleIssues } from './stale-issues.tsx'

type Status = TrackedIssue['status']
const statuses: Status[] = ['open', 'resolved', 'muted']

export function IssuesPage() {
  const { botId, client } = useBot()
  const [chosen, setStatus] = useFilter('status')
  const status = statuses.find((one) => one === chosen) ?? 'open'
  const [shown, setShown] = useFilter('issue')
  const query = usePages(['issues', botId, 'list', status], (page, options) =>
    client.platform.listIssues({ query: { status, ...page } }, options),
  )
  const deployedAt = useBotQuery().data?.bot.deployedAt
  const choice = (
    <SegmentedControl
      aria-label={texts.issues.status}
      size="xs"
      value={status}
      onChange={setStatus}
      data={statuses.map((value) => ({ value, label: texts.issues.statuses[value] }))}
    />
  )
  return (
    <Page title={texts.issues.title} actions={choice} fills>
      {status === 'open' && <StaleIssues />}
      <RowList
        label={texts.issues.title}
        query={query}
        getRows={getRows}
        getKey={({ id }) => id}
        columns={columnsFor(deployedAt)}
        wrap={({ id }, cells, className) => (
          <button type="button" className={className} onClick={() => setShown(id)}>
            {cells}
          </button>
        )}
        empty={<Empty title={texts.issues.empty} hint={texts.issues.emptyHint} />}
      />
      {shown && <IssueDialog id={shown} onClose={() => setShown('')} />}
    </Page>
  )
}

const getRows = ({ issues }: { issues: TrackedIssue[] }) => issues

const columnsFor = (deployedAt: string | undefined): Column<TrackedIssue>[] => [
  {
    title: texts.issues.issue,
    width: 'minmax(0, 3fr)',
    cell: ({ title, description, lastMessage = description }) => (
      <>
        <Text size="sm" fw={600} className="one-line">
          {title}
        </Text>
        <Text size="sm" c="dimmed" className="foreign one-line">
          {lastMessage}
        </Text>
      </>
    ),
  },
  {
    title: texts.issues.count,
    width: '110px',
    wideOnly: true,
    cell: ({ eventsCount }) => toCount(eventsCount),
  },
  {
    title: texts.issues.seen,
    width: '150px',
    cell: ({ lastSeenAt }) => (
      <>
        <Moment at={lastSeenAt} />
        {deployedAt && lastSeenAt < deployedAt && (
          <Text size="xs" c="dimmed">
            {texts.issues.stale}, <Moment at={deployedAt} size="xs" />
          </Text>
        )}
      </>
    ),
  },
]

function IssueDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { botId, client } = useBot()
  const [traced, setTraced] = useTraced()
  const query = useQuery({
    queryKey: ['issues', botId, id],
    queryFn: ({ signal }) => client.platform.getIssue({ params: { id } }, { signal }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      // Escape closes the trace first.
      closeOnEscape={!traced}
      title={query.data?.issue.title ?? texts.issues.issue}
      size="lg"
    >
      <Loaded query={query}>
        {({ issue, occurrences }) => (
          <Stack>
            <Text className="foreign">{issue.lastMessage ?? issue.description}</Text>
            <Explanation code={issue.code} />
            <StatusButtons issue={issue} />
            <LoggedError eventId={occurrences.find(({ eventId }) => eventId)?.eventId} />
            <Title order={3} size="h6">
              {texts.issues.occurrences}
            </Title>
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {occurrences.map(
                ({
                  id,
                  createdAt,
                  message,
                  eventId,
                  conversationId,
                  messageId,
                  userId,
                }) => (
                  <Group component="li" key={id} gap="xs" align="baseline">
                    <Box w={84}>
                      <Moment at={createdAt} />
                    </Box>
                    <Text size="sm" className="foreign" style={{ flex: '1 1 200px' }}>
                      {message}
                    </Text>
                    <Group gap="xs" ml="auto">
                      {conversationId && (
                        <ConversationLink id={conversationId} messageId={messageId}>
                          {texts.issues.conversation}
                        </ConversationLink>
                      )}
                      {userId && <UserLink id={userId}>{texts.issues.user}</UserLink>}
                      {eventId && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          onClick={() => setTraced(eventId)}
                        >
                          {texts.issues.trace}
                        </Button>
                      )}
                    </Group>
                  </Group>
                ),
              )}
            </Stack>
          </Stack>
        )}
      </Loaded>
      <TraceDialog />
    </Modal>
  )
}

function Explanation({ code }: { code: string }) {
  const { explanations } = texts.issues
  if (!Object.hasOwn(explanations, code)) return null
  return (
    <Text size="sm" c="dimmed">
      <CodedText text={explanations[code]!} />
    </Text>
  )
}

/** The bot's answer often hides the error, which is then only in its log. */
function LoggedError({ eventId = '' }: { eventId: string | undefined }) {
  const lines = useTrace({ eventId }, eventId !== '').data?.trace?.logs ?? []
  const error = lines.find(({ level }) => level === 'error')
  if (!error) return null
  return (
    <>
      <Title order={3} size="h6">
        {texts.issues.logged}
      </Title>
      <StackTrace text={toBeginning(error.message)} />
    </>
  )
}

const targets: { status: Status; label: string }[] = [
  { status: 'resolved', label: texts.issues.resolve },
  { status: 'muted', label: texts.issues.mute },
  { status: 'open', label: texts.issues.reopen },
]

function StatusButtons({ issue }: { issue: TrackedIssue }) {
  const { client } = useBot()
  const isEditor = useMay()('bots.update')
  const change = useMutation({
    mutationFn: (status: Status) =>
      client.platform.updateIssue({ params: { id: issue.id }, body: { status } }),
    onSuccess: (_, status) =>
      notifyDone(texts.issues.changed(texts.issues.statuses[status])),
  })
  if (!isEditor) return null
  return (
    <Group gap="xs">
      {targets.map(({ status, label }) => (
        <Button
          key={status}
          size="compact-sm"
          variant="default"
          // Stays in its place: another button there would get the second click.
          disabled={status === issue.status}
          loading={change.isPending && change.variables === status}
          onClick={() => change.mutate(status)}
        >
          {label}
        </Button>
      ))}
      <Text size="xs" c="dimmed">
        {issue.resolvedByRedelivery && `${texts.issues.resolvedByRedelivery} `}
        {texts.issues.resolveHint}
      </Text>
      <ActionError error={change.error} />
    </Group>
  )
}
