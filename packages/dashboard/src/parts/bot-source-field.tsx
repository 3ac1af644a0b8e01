// Chooses the files of a bot: by dialogs for files and folders, or by dropping them.
import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { texts } from '../texts/texts.ts'
import { type BotSource, readBot, toBotFiles } from './bot-files.ts'
import { filesOfDrop } from './dropped-files.ts'
import { FileDrop } from './file-drop.tsx'
import { Failed } from './states.tsx'

const t = texts.bots.files

interface BotSourceFieldProps {
  value: BotSource | null
  onChange: (source: BotSource | null) => void
}

export function BotSourceField({ value, onChange }: BotSourceFieldProps) {
  const read = useMutation({
    mutationFn: async (files: File[] | Promise<File[]>) => readBot(toBotFiles(await files)),
    onMutate: () => onChange(null),
    onSuccess: onChange,
  })
  return (
    <>
      <FileDrop
        accept=".cjs,.js,.json,.yaml,.yml,.ts"
        isReading={read.isPending}
        onFiles={read.mutate}
        onDropped={(data) => read.mutate(filesOfDrop(data))}
      >
        <Text {...(value && { fw: 600, className: 'foreign' })}>{value ? value.file : t.drop}</Text>
        <Text size="sm" c="dimmed">
          {value ? describe(value) : t.hint}
        </Text>
      </FileDrop>
      {read.error && <Failed error={read.error} />}
    </>
  )
}

function describe({ content, codeFiles }: BotSource): string {
  if ('code' in content) return t.bundle(new Blob([content.code]).size)
  return codeFiles === 0 ? t.document : `${t.document} ${t.codeFiles(codeFiles)}`
}
