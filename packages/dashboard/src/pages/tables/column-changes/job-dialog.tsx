// A dialog with a form that starts a job of the table, then with the progress of the job.
import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ComponentProps } from 'react'
import { DialogForm } from '../../../parts/forms/form-modal.tsx'
import { texts } from '../../../texts/texts.ts'
import { JobProgress } from '../job-progress.tsx'

interface JobDialogProps extends Omit<ComponentProps<typeof DialogForm>, 'action'> {
  title: string
  size?: 'md' | 'lg'
  /** Starts the job; `data` is its id. */
  start: {
    mutate: () => void
    data: string | null | undefined
    error: Error | null
    isPending: boolean
  }
  progress: Omit<ComponentProps<typeof JobProgress>, 'jobId'>
}

export function JobDialog({
  title,
  size = 'md',
  start,
  progress,
  ...form
}: JobDialogProps) {
  const { onClose } = form
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      {start.data ? (
        <Stack>
          <JobProgress {...progress} jobId={start.data} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{texts.common.close}</Button>
          </Group>
        </Stack>
      ) : (
        <DialogForm {...form} action={start} />
      )}
    </Modal>
  )
}
