// The field for a message to the bot, with files.
import { ActionIcon, Box, FileButton, Group, Textarea } from '@mantine/core'
import { getHotkeyHandler } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { IconPaperclip, IconSend } from '../../icons/icons.tsx'
import { uploadFile } from '../../parts/files/upload.ts'
import { notifyFailed } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'

interface ComposerProps {
  isEnabled: boolean
  onSend: (payload: Record<string, unknown>) => Promise<void>
  onTyped: (text: string) => void
}

export function Composer({ isEnabled, onSend, onTyped }: ComposerProps) {
  const { client } = useBot()
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isEnabled) field.current?.focus({ preventScroll: true })
  }, [isEnabled])
  const upload = useMutation({
    mutationFn: async (file: File) => onSend(await uploadFile(client, file, 'emulator')),
    onError: notifyFailed,
  })
  const write = (written: string) => {
    setText(written)
    onTyped(written)
  }
  const send = () => {
    const trimmed = text.trim()
    if (trimmed === '' || !isEnabled) return
    write('')
    void onSend({ type: 'text', text: trimmed })
  }
  return (
    <Box component="form" p="xs" onSubmit={(event) => event.preventDefault()}>
      <Group gap={6} align="flex-end" wrap="nowrap">
        <FileButton onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <ActionIcon
              {...props}
              variant="subtle"
              color="gray"
              size="lg"
              loading={upload.isPending}
              aria-label={texts.emulator.attach}
            >
              <IconPaperclip size={18} aria-hidden="true" />
            </ActionIcon>
          )}
        </FileButton>
        <Textarea
          ref={field}
          flex={1}
          autosize
          minRows={1}
          maxRows={6}
          radius="lg"
          aria-label={texts.emulator.message}
          placeholder={texts.emulator.placeholder}
          value={text}
          disabled={!isEnabled}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={getHotkeyHandler([['Enter', send]])}
        />
        <ActionIcon
          size="lg"
          radius="xl"
          onClick={send}
          disabled={text.trim() === '' || !isEnabled}
          aria-label={texts.emulator.send}
        >
          <IconSend size={18} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </Box>
  )
}
