// A dialog before something that cannot be undone. With `name`, the user types it first.
import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { FormButtons } from './form-buttons.tsx'
import { Failed } from './states.tsx'

interface ConfirmProps {
  title: string
  children?: ReactNode
  button: string
  name?: string
  /** For actions that delete nothing. */
  harmless?: boolean
  /** False while a choice above the buttons is missing. */
  isReady?: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

export function Confirm({
  title,
  children,
  button,
  name,
  harmless = false,
  isReady = true,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const [typed, setTyped] = useState('')
  const action = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  const isAllowed = isReady && (name === undefined || typed.trim() === name.trim())
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isAllowed) action.mutate()
        }}
      >
        <Stack>
          {typeof children === 'string' ? <Text>{children}</Text> : children}
          {name !== undefined && (
            <TextInput
              label={texts.common.typeToConfirm(name)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {action.error && <Failed error={action.error} />}
          <FormButtons
            onCancel={onClose}
            color={harmless ? 'pine' : 'red.8'}
            disabled={!isAllowed}
            loading={action.isPending}
          >
            {button}
          </FormButtons>
        </Stack>
      </form>
    </Modal>
  )
}
