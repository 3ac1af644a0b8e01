// One broadcast: its progress, its report, and its recipients with the reasons for those without a message.
import type { Broadcast, BroadcastRecipient, BroadcastReport } from '@botstead/contract'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { saveFile } from '../../parts/files/save-file.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { ChoiceFilter } from '../../parts/forms/filter-fields.tsx'
import { Filters } from '../../parts/forms/filters.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { Fact } from '../../parts/objects/fact.tsx'
import { ConversationLink, UserLink } from '../../parts/objects/object-links.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, RowList } from '../../parts/row-list.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { BroadcastState } from './broadcast-state.tsx'

const t = texts.broadcasts
type RecipientState = BroadcastRecipient['state']
const states = Object.keys(t.recipientStates) as RecipientState[]

export function BroadcastPage() {
  const { broadcastId = '' } = useParams({ strict: false })
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['broadcasts', botId, broadcastId],
    queryFn: ({ signal }) =>
      client.platform.getBroadcast({ params: { id: broadcastId } }, { signal }),
  })
  const broadcast = query.data?.broadcast
  return (
    <Page
      title={broadcast?.name ?? t.title}
      actions={broadcast && <Actions broadcast={broadcast} />}
      fills
    >
      <Loaded query={query}>
        {({ broadcast, report }) => (
          <>
            <Report broadcast={broadcast} report={report} />
            <Filters names={['state']}>
              <ChoiceFilter
                name="state"
                label={t.state}
                choices={states.map((value) => ({
                  value,
                  label: t.recipientStates[value],
                }))}
              />
            </Filters>
            <Recipients id={broadcast.id} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Actions({ broadcast }: { broadcast: Broadcast }) {
  const { client } = useBot()
  const params = { id: broadcast.id }
  const [isDeleting, setDeleting] = useState(false)
  const stop = useMutation({
    mutationFn: () => client.platform.stopBroadcast({ params, body: {} }),
    onSuccess: () => notifyDone(t.stopped),
    onError: notifyFailed,
  })
  const resume = useMutation({
    mutationFn: () => client.platform.resumeBroadcast({ params, body: {} }),
    onSuccess: () => notifyDone(t.resumed),
    onError: notifyFailed,
  })
  const download = useMutation({
    mutationFn: async () => {
      const parts: string[] = ['\ufeff']
      for (
        let nextToken: string | undefined, isFirst = true;
        isFirst || nextToken;
        isFirst = false
      ) {
        const query = nextToken ? { nextToken } : {}
        const page = await client.platform.exportBroadcastRecipients({ params, query })
        parts.push(page.csv)
        nextToken = page.meta.nextToken
      }
      return new Blob(parts, { type: 'text/csv' })
    },
    onSuccess: (content) => saveFile(t.file, content),
    onError: notifyFailed,
  })
  const mayWrite = useMay()('data.write')
  const isRunning = !['stopped', 'done', 'failed'].includes(broadcast.state)
  return (
    <>
      <Button
        variant="default"
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {t.export}
      </Button>
      {mayWrite && isRunning && (
        <Button color="red.8" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t.stop}
        </Button>
      )}
      {mayWrite && ['stopped', 'failed'].includes(broadcast.state) && (
        <Button loading={resume.isPending} onClick={() => resume.mutate()}>
          {t.resume}
        </Button>
      )}
      {mayWrite && !isRunning && (
        <Button variant="default" c="var(--bad)" onClick={() => setDeleting(true)}>
          {t.delete}
        </Button>
      )}
      {isDeleting && (
        <DeleteBroadcast broadcast={broadcast} onClose={() => setDeleting(false)} />
      )}
    </>
  )
}

function DeleteBroadcast({
  broadcast,
  onClose,
}: {
  broadcast: Broadcast
  onClose: () => void
}) {
  const { workspaceId, botId, client } = useBot()
  const navigate = useNavigate()
  const remove = async () => {
    await client.platform.deleteBroadcast({ params: { id: broadcast.id } })
    await navigate({
      to: '/w/$workspaceId/bots/$botId/broadcasts',
      params: { workspaceId, botId },
      replace: true,
    })
  }
  return (
    <Confirm title={t.delete} button={t.delete} onConfirm={remove} onClose={onClose}>
      {t.deleteEffect(broadcast.name)}
    </Confirm>
  )
}

function Report({
  broadcast,
  report,
}: {
  broadcast: Broadcast
  report: BroadcastReport
}) {
  const done = report.total - report.waiting
  const reasons = Object.entries(report.skipReasons)
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <BroadcastState state={broadcast.state} />
        <Text size="sm">{t.progress(done, report.total)}</Text>
        {broadcast.reason && (
          <Text size="sm" c="var(--bad)" className="foreign">
            {broadcast.reason}
          </Text>
        )}
      </Group>
      <Progress
        value={report.total === 0 ? 0 : (done / report.total) * 100}
        aria-label={t.progressLabel}
      />
      <Group gap="lg">
        {states.map((state) => (
          <Fact key={state} name={t.recipientStates[state]}>
            {toCount(report[state])}
          </Fact>
        ))}
      </Group>
      {reasons.map(([reason, count]) => (
        <Text key={reason} size="sm" c="dimmed">
          {texts.common.labelled(t.recipientStates.skipped, t.reasons[reason] ?? reason)}{' '}
          ({toCount(count)})
        </Text>
      ))}
      {report.unknownRows > 0 && (
        <Text size="sm" c="dimmed">
          {t.unknownRows(report.unknownRows)}
        </Text>
      )}
    </Stack>
  )
}

function Recipients({ id }: { id: string }) {
  const { botId, client } = useBot()
  const [chosen] = useFilter('state')
  const state = states.find((one) => one === chosen)
  const query = usePages(
    ['broadcasts', botId, id, 'recipients', state],
    (page, options) =>
      client.platform.listBroadcastRecipients(
        { params: { id }, query: { ...(state && { state }), ...page } },
        options,
      ),
    { keepsFormer: true },
  )
  return (
    <RowList
      label={t.recipients}
      query={query}
      getRows={getRows}
      getKey={({ userId }) => userId}
      columns={columns}
      empty={<Empty title={t.noRecipients} hint={t.noRecipientsHint} />}
    />
  )
}

const getRows = ({ recipients }: { recipients: BroadcastRecipient[] }) => recipients

const columns: Column<BroadcastRecipient>[] = [
  {
    title: t.user,
    width: 'minmax(0, 2fr)',
    cell: ({ userId, userName }) => (
      <Text size="sm" className="one-line" component="div">
        <UserLink id={userId}>{userName ?? userId}</UserLink>
      </Text>
    ),
  },
  { title: t.state, width: '110px', cell: ({ state }) => t.recipientStates[state] },
  {
    title: t.reason,
    width: 'minmax(0, 3fr)',
    fullLine: true,
    cell: ({ reason, detail }) =>
      reason && (
        <Text size="sm" className="one-line" title={detail}>
          {t.reasons[reason] ?? reason}
          {detail && <span className="foreign">{`: ${detail}`}</span>}
        </Text>
      ),
  },
  {
    title: t.sentAt,
    width: '150px',
    wideOnly: true,
    cell: ({ sentAt, conversationId, messageId }) =>
      sentAt &&
      conversationId && (
        <ConversationLink id={conversationId} messageId={messageId}>
          <Moment at={sentAt} />
        </ConversationLink>
      ),
  },
]
