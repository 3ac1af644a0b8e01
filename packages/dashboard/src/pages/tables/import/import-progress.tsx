// The progress of an import and its result, with the rows that were left out.
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useBot } from '../../../api/scope.ts'
import { Failed, Loading } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { isRunning, useTableJobs } from '../jobs.ts'
import { RejectedRows } from './rejected-rows.tsx'

const t = texts.tables.import

interface ImportProgressProps {
  tableId: string
  jobId: string
  /** Whether the result links to the table. */
  opens: boolean
  onClose: () => void
}

export function ImportProgress({ tableId, jobId, opens, onClose }: ImportProgressProps) {
  const { workspaceId, botId, client } = useBot()
  const navigate = useNavigate()
  const jobs = useTableJobs(tableId)
  const job = jobs.data?.jobs.find(({ id }) => id === jobId)
  const total = useQuery({
    queryKey: ['tables', botId, tableId, 'imported', jobId],
    queryFn: ({ signal }) =>
      client.tables.getTable({ params: { table: tableId } }, { signal }),
    enabled: job !== undefined && !isRunning(job),
  })
  const open = async () => {
    onClose()
    await navigate({
      to: '/w/$workspaceId/bots/$botId/tables/$tableId',
      params: { workspaceId, botId, tableId },
    })
  }
  if (jobs.error) return <Failed error={jobs.error} retry={() => void jobs.refetch()} />
  if (!job) return <Loading />
  const openButton = opens && <Button onClick={() => void open()}>{t.open}</Button>
  if (isRunning(job))
    return (
      <Stack role="status">
        <Text>{t.running}</Text>
        <Progress value={job.progress ?? 0} aria-label={t.running} size="lg" />
        <Text size="sm" c="dimmed">
          {t.closable}
        </Text>
        <Group justify="flex-end">{openButton}</Group>
      </Stack>
    )
  const leftOut = job.leftOut ?? 0
  return (
    <Stack>
      <Text role="status" fw={600}>
        {job.status === 'failed'
          ? t.failed
          : t.done(job.changed ?? 0, total.data?.rows, leftOut)}
      </Text>
      {job.failureReason && (
        <Text c="var(--bad)" className="foreign">
          {job.failureReason}
        </Text>
      )}
      {leftOut > 0 && <RejectedRows tableId={tableId} jobId={jobId} />}
      <Group justify="flex-end">
        <Button variant={opens ? 'default' : 'filled'} onClick={onClose}>
          {texts.common.close}
        </Button>
        {openButton}
      </Group>
    </Stack>
  )
}
