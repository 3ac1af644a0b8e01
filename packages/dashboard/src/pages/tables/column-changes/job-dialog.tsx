// A dialog with a form that starts a job of the table, then with the progress of the job.
import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { FormButtons } from '../../../parts/form-buttons.tsx'
import { Failed } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { JobProgress } from '../job-progress.tsx'

interface JobDialogProps {
  title: string
  size?: 'lg'
  /** Starts the job; `data` is its id. */
  start: {
    mutate: () => void
    data: string | null | undefined
    error: Error | null
    isPending: boolean
  }
  progress: Omit<ComponentProps<typeof JobProgress>, 'jobId'>
  button: Omit<ComponentProps<typeof FormButtons>, 'onCancel' | 'loading'>
  children: ReactNode
  onClose: () => void
}

export function JobDialog(props: JobDialogProps) {
  const { title, size, start, progress, button, children, onClose } = props
  return (
    <Modal opened onClose={onClose} title={title} {...(size && { size })}>
      {start.data ? (
        <Stack>
          <JobProgress {...progress} jobId={start.data} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{texts.common.close}</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            start.mutate()
          }}
        >
          <Stack>
            {children}
            {start.error && <Failed error={start.error} />}
            <FormButtons {...button} onCancel={onClose} loading={start.isPending} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}
