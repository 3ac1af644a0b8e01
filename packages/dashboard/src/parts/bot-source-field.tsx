// Chooses the files of a bot: by dialogs for files and folders, or by dropping them.
import { Anchor, Code, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useExamples } from '../api/examples.ts'
import { useWorkspace } from '../api/scope.ts'
import { useMay } from '../api/session.ts'
import { texts } from '../texts/texts.ts'
import { type BotSource, readBot, toBotFiles } from './bot-files.ts'
import { filesOfDrop } from './dropped-files.ts'
import { FileDrop } from './file-drop.tsx'
import { notifyFailed } from './notify.ts'
import { saveFile } from './save-file.ts'
import { Failed } from './states.tsx'

const t = texts.bots.files

interface BotSourceFieldProps {
  value: BotSource | null
  onChange: (source: BotSource | null) => void
}

export function BotSourceField({ value, onChange }: BotSourceFieldProps) {
  const mayCreate = useMay()('bots.create')
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
      <Text size="sm" c="dimmed">
        {t.sdkHint} <Code>{t.sdkCommand}</Code> {t.sdkThen} <Code>{t.sdkBundle}</Code>.
      </Text>
      {mayCreate && <ExampleFiles />}
      {read.error && <Failed error={read.error} />}
    </>
  )
}

const examples = {
  document: { example: 'greeting-bot', path: 'bot.json', name: 'bot.json' },
  bundle: { example: 'echo-bot', path: 'bot.cjs', name: 'echo-bot.cjs' },
}

/** Links that download files which can be deployed as they are. */
function ExampleFiles() {
  const { client } = useWorkspace()
  const offered = useExamples().data?.examples ?? []
  const sizeOf = (example: string) => offered.find(({ name }) => name === example)?.size
  const save = useMutation({
    mutationFn: async (kind: keyof typeof examples) => {
      const { example: id, path, name } = examples[kind]
      const { example } = await client.platform.getExample({ params: { example: id } })
      saveFile(name, new Blob([example.files[path]!]))
    },
    onError: notifyFailed,
  })
  return (
    <Group gap="xs">
      <Text size="sm">{t.examples}</Text>
      {(['document', 'bundle'] as const).map((kind) => (
        <Anchor
          key={kind}
          component="button"
          type="button"
          size="sm"
          onClick={() => save.mutate(kind)}
        >
          {t.exampleFiles[kind](sizeOf(examples[kind].example))}
        </Anchor>
      ))}
    </Group>
  )
}

function describe({ content, codeFiles }: BotSource): string {
  if ('code' in content) return t.bundle(new Blob([content.code]).size)
  return codeFiles === 0 ? t.document : `${t.document} ${t.codeFiles(codeFiles)}`
}
