// The progress of a job that a dialog has started, and the rows that it left out.
import { Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useBot } from '../../api/scope.ts'
import { texts } from '../../texts/texts.ts'
import { RejectedRows } from './import/rejected-rows.tsx'
import { isRunning, useTableJobs } from './jobs.ts'

const t = texts.tableViews.bulk

interface JobProgressProps {
  tableId: string
  jobId: string
  label: string
  /** After the job has ended well. */
  done: (changed: number) => string
  leftOutHint?: (count: number) => string
}

export function JobProgress({
  tableId,
  jobId,
  label,
  done,
  leftOutHint,
}: JobProgressProps) {
  const { botId } = useBot()
  const queries = useQueryClient()
  const job = useTableJobs(tableId).data?.jobs.find(({ id }) => id === jobId)
  const isEnded = job !== undefined && !isRunning(job)
  useEffect(() => {
    if (isEnded) void queries.invalidateQueries({ queryKey: ['tables', botId, tableId] })
  }, [isEnded, queries, botId, tableId])
  const leftOut = job?.leftOut ?? 0
  if (!job || !isEnded)
    return (
      <Stack>
        <Progress value={job?.progress ?? 0} aria-label={label} animated />
        <Text>{label}</Text>
        <Text size="sm" c="dimmed">
          {t.closable}
        </Text>
      </Stack>
    )
  return (
    <Stack>
      {job.failureReason ? (
        <Text role="alert" c="var(--bad)" className="foreign">
          {texts.common.labelled(t.failed, job.failureReason)}
        </Text>
      ) : (
        <Text role="status">{done(job.changed ?? 0)}</Text>
      )}
      {leftOut > 0 && (
        <RejectedRows
          tableId={tableId}
          jobId={jobId}
          hint={(leftOutHint ?? t.leftOut)(leftOut)}
        />
      )}
    </Stack>
  )
}
