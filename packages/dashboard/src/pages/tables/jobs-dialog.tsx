// Imports and exports of a table with their progress; results of finished ones.
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { notifyFailed } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { Moment } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'
import { RejectedRows } from './import/rejected-rows.tsx'
import { isRunning, type Job, useTableJobs } from './jobs.ts'

const t = texts.tables.jobs

export function JobsDialog({
  tableId,
  onClose,
}: {
  tableId: string
  onClose: () => void
}) {
  const query = useTableJobs(tableId)
  return (
    <Modal opened onClose={onClose} title={t.title} size="lg">
      <Loaded query={query}>
        {({ jobs }) => (
          <Stack>
            {!jobs.some(isListed) && <Text c="dimmed">{t.empty}</Text>}
            {jobs.filter(isListed).map((job) => (
              <JobEntry key={job.id} job={job} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}

/** A step of other changes. It matters while later jobs wait for it, and after a failure. */
const isListed = ({ type, status }: Job) =>
  type !== 'clear_column' || status !== 'completed'

export function JobEntry({ job }: { job: Job }) {
  const [isOpen, setOpen] = useState(false)
  const leftOut = job.leftOut ?? 0
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {texts.common.labelled(t.types[job.type], t.states[job.status])}
          {job.changed !== undefined && ` · ${t.changed(job.changed)}`}
          {job.fileName && <span className="foreign"> · {job.fileName}</span>}
        </Text>
        <Group gap="xs" ml="auto">
          <Moment at={job.createdAt} />
          {job.outputFileId && <Download fileId={job.outputFileId} />}
          {leftOut > 0 && (
            <Button size="compact-sm" variant="default" onClick={() => setOpen(!isOpen)}>
              {t.leftOut(job.type, leftOut)}
            </Button>
          )}
        </Group>
      </Group>
      {isRunning(job) && (
        <Progress value={job.progress ?? 0} aria-label={t.types[job.type]} />
      )}
      {job.failureReason && (
        <Text size="sm" c="var(--bad)" className="foreign">
          {job.failureReason}
        </Text>
      )}
      {isOpen && <RejectedRows tableId={job.tableId} jobId={job.id} />}
    </Stack>
  )
}

/** Older files have the id of the job in their names. */
const toName = (key: string) =>
  key
    .split('/')
    .at(-1)
    ?.replace(/-tabjob_\w+/, '')

function Download({ fileId }: { fileId: string }) {
  const { client } = useBot()
  const mayRead = useMay()('files.read')
  const download = async () => {
    const { file } = await client.files.getFile({ params: { id: fileId } })
    const link = document.createElement('a')
    Object.assign(link, { href: file.url, download: toName(file.key) })
    link.click()
  }
  if (!mayRead) return null
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => void download().catch(notifyFailed)}
    >
      {t.download}
    </Button>
  )
}
