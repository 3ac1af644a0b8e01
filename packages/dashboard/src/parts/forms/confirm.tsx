// A dialog before something that cannot be undone. With `name`, the user types it first.
import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { texts } from '../../texts/texts.ts'
import { FormModal } from './form-modal.tsx'

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
  return (
    <FormModal
      title={title}
      action={action}
      button={button}
      isDangerous={!harmless}
      isReady={isReady && (name === undefined || typed.trim() === name.trim())}
      onClose={onClose}
    >
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
    </FormModal>
  )
}
