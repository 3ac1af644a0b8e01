// A dialog with a form: its fields, the error of its action, and the buttons.
import { Modal, type ModalProps, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failed } from '../states.tsx'
import { FormButtons } from './form-buttons.tsx'

interface DialogFormProps {
  /** A mutation. */
  action: { mutate: () => void; isPending?: boolean; error?: unknown }
  button: string
  isDangerous?: boolean
  /** False while a field has no valid value. */
  isReady?: boolean
  children: ReactNode
  onClose: () => void
}

/** The form alone, for dialogs that also show something else. */
export function DialogForm({ action, button, isReady = true, ...form }: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) action.mutate()
      }}
    >
      <Stack>
        {form.children}
        {action.error ? <Failed error={action.error} /> : null}
        <FormButtons
          onCancel={form.onClose}
          color={form.isDangerous ? 'red.8' : 'pine'}
          disabled={!isReady}
          loading={action.isPending ?? false}
        >
          {button}
        </FormButtons>
      </Stack>
    </form>
  )
}

interface FormModalProps extends DialogFormProps, Pick<ModalProps, 'size'> {
  title: string
}

export const FormModal = ({ title, size = 'md', ...form }: FormModalProps) => (
  <Modal opened onClose={form.onClose} title={title} size={size}>
    <DialogForm {...form} />
  </Modal>
)
