// The state of an import on the page of its table: while it runs, and its result after that.
import { Button, Group, Modal, Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { texts } from '../../../texts/texts.ts'
import { isRunning, useTableJobs } from '../jobs.ts'
import { ImportProgress } from './import-progress.tsx'

const t = texts.tables.import

export function ImportBanner({ tableId }: { tableId: string }) {
  const { botId } = useBot()
  const queries = useQueryClient()
  const [seen, setSeen] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const imports =
    useTableJobs(tableId).data?.jobs.filter(({ type }) => type === 'import') ?? []
  // The oldest one runs; the list begins with the newest.
  const running = imports.findLast(isRunning)
  const job = running ?? imports.find(({ id }) => id === seen)
  if (running && running.id !== seen) setSeen(running.id)
  const isEnded = job !== undefined && !running
  useEffect(() => {
    if (isEnded) void queries.invalidateQueries({ queryKey: ['tables', botId, tableId] })
  }, [isEnded, queries, botId, tableId])
  if (!job) return null
  const percent = Math.floor(job.progress ?? 0)
  const result =
    job.status === 'failed'
      ? t.failed
      : t.done(job.changed ?? 0, undefined, job.leftOut ?? 0)
  const label = running ? t.runningNow(percent) : result
  const hide = () => {
    setSeen(null)
    setOpen(false)
  }
  return (
    <Group gap="md">
      <Text size="sm" fw={600} role="status">
        {label}
      </Text>
      {running && <Progress flex={1} miw={80} value={percent} aria-label={t.running} />}
      {isEnded && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
            {t.showResult}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={hide}>
            {t.hideResult}
          </Button>
        </>
      )}
      {isOpen && (
        <Modal opened onClose={hide} title={t.result} size="xl">
          <ImportProgress tableId={tableId} jobId={job.id} opens={false} onClose={hide} />
        </Modal>
      )}
    </Group>
  )
}
