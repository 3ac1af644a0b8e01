// Chooses the files of a bot: by dialogs for files and folders, or by dropping them.
import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { texts } from '../texts/texts.ts'
import { type BotSource, readBot, toBotFiles } from './bot-files.ts'
import { filesOfDrop } from './dropped-files.ts'
import { Failed } from './states.tsx'

const t = texts.bots.files

interface BotSourceFieldProps {
  value: BotSource | null
  onChange: (source: BotSource | null) => void
}

export function BotSourceField({ value, onChange }: BotSourceFieldProps) {
  const folder = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const read = useMutation({
    mutationFn: async (files: File[] | Promise<File[]>) => readBot(toBotFiles(await files)),
    onMutate: () => onChange(null),
    onSuccess: onChange,
  })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    read.mutate(filesOfDrop(event.dataTransfer))
  }
  return (
    <Stack
      gap="xs"
      p="md"
      align="center"
      ta="center"
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <div aria-live="polite">
        {value ? (
          <>
            <Text fw={600} className="foreign">
              {value.file}
            </Text>
            <Text size="sm" c="dimmed">
              {describe(value)}
            </Text>
          </>
        ) : (
          <>
            <Text>{t.drop}</Text>
            <Text size="sm" c="dimmed">
              {t.hint}
            </Text>
          </>
        )}
      </div>
      <Group gap="xs" justify="center">
        <FileButton
          multiple
          accept=".cjs,.js,.json,.yaml,.yml,.ts"
          onChange={(files) => files.length > 0 && read.mutate(files)}
        >
          {(props) => (
            <Button {...props} variant="default" loading={read.isPending}>
              {t.chooseFiles}
            </Button>
          )}
        </FileButton>
        <Button variant="default" onClick={() => folder.current?.click()}>
          {t.chooseFolder}
        </Button>
        <input
          ref={folder}
          type="file"
          hidden
          aria-label={t.chooseFolder}
          {...{ webkitdirectory: '' }}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])]
            currentTarget.value = ''
            if (files.length > 0) read.mutate(files)
          }}
        />
      </Group>
      {read.error && <Failed error={read.error} />}
    </Stack>
  )
}

function describe({ content, codeFiles }: BotSource): string {
  if ('code' in content) return t.bundle(new Blob([content.code]).size)
  return codeFiles === 0 ? t.document : `${t.document} ${t.codeFiles(codeFiles)}`
}
