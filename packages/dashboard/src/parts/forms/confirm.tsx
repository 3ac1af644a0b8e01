// A dialog before something that cannot be undone. With `name`, the user types it first.
import { Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
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
  const content = useStill({ title, children }, action.isPending || action.isSuccess)
  return (
    <FormModal
      title={content.title}
      action={action}
      button={button}
      isDangerous={!harmless}
      isReady={isReady && (name === undefined || typed.trim() === name.trim())}
      onClose={onClose}
    >
      {typeof content.children === 'string' ? (
        <Text>{content.children}</Text>
      ) : (
        content.children
      )}
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

/**
 * Returns the content as it was when the action began: the action changes the data from which a dialog is
 * made, and a person who still reads it must not see another question.
 */
function useStill<Content>(content: Content, isStill: boolean): Content {
  const before = useRef(content)
  if (!isStill) before.current = content
  return before.current
}
