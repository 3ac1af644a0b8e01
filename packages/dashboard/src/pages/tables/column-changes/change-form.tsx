// The dialog of a change of a column: its effect, and the button that applies it.
import { Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FormButtons } from '../../../parts/form-buttons.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { Failed } from '../../../parts/states.tsx'

/** Refetches the table after a change, and closes the dialog. */
export function useTableChange(
  change: () => Promise<unknown>,
  { done, onClose }: { done: string; onClose: () => void },
) {
  const { botId } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['tables', botId] })
      notifyDone(done)
      onClose()
    },
  })
}

interface ChangeFormProps {
  title: string
  change: { mutate: () => void; isPending: boolean; error: unknown }
  button: string
  isDangerous?: boolean
  isReady?: boolean
  children: ReactNode
  onClose: () => void
}

export function ChangeForm({
  title,
  change,
  button,
  isDangerous = false,
  isReady = true,
  children,
  onClose,
}: ChangeFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) change.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          {change.error ? <Failed error={change.error} /> : null}
          <FormButtons
            onCancel={onClose}
            color={isDangerous ? 'red.8' : 'pine'}
            disabled={!isReady}
            loading={change.isPending}
          >
            {button}
          </FormButtons>
        </Stack>
      </form>
    </Modal>
  )
}
