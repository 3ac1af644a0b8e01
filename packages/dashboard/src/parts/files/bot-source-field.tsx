// Chooses the files of a bot: by dialogs for files and folders, or by dropping them.
import { Alert, Anchor, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useExamples } from '../../api/examples.ts'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { notifyFailed } from '../notify.ts'
import { Failed } from '../states.tsx'
import { CodedText } from '../texts/coded-text.tsx'
import { type BotSource, readBot, toBotFiles } from './bot-files.ts'
import { toBytes } from './bytes.ts'
import { checkDocument, type DocumentCheck } from './document-check.ts'
import { DocumentProblems } from './document-problems.tsx'
import { filesOfDrop } from './dropped-files.ts'
import { FileDrop } from './file-drop.tsx'
import { saveFile } from './save-file.ts'

const t = texts.bots.files

interface BotSourceFieldProps {
  /** With null while there is no bot that can be deployed. */
  onChange: (source: BotSource | null) => void
  /** Takes a file that is no bot, such as one of another builder. Returns whether it did. */
  passOn?: (file: File) => Promise<boolean>
  /** Chosen already. */
  file?: File | null
}

export function BotSourceField({ onChange, passOn, file }: BotSourceFieldProps) {
  const { client } = useWorkspace()
  const mayCreate = useMay()('bots.create')
  const read = useMutation({
    mutationFn: async (files: File[] | Promise<File[]>) => {
      const chosen = await files
      const isPassedOn = async () =>
        chosen.length === 1 && passOn !== undefined && (await passOn(chosen[0]!))
      try {
        const source = await readBot(toBotFiles(chosen))
        const check = await checkDocument(client, source)
        return check?.problems.length && (await isPassedOn()) ? null : { source, check }
      } catch (error) {
        if (await isPassedOn()) return null
        throw error
      }
    },
    onMutate: () => onChange(null),
  })
  // Files that are chosen or dropped meanwhile replace these.
  const choose = (files: File[] | Promise<File[]>) =>
    read.mutate(files, {
      onSuccess: (found) =>
        onChange(!found || found.check?.problems.length ? null : found.source),
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the file once
  useEffect(() => {
    if (file) choose([file])
  }, [file])
  const { source = null, check = null } = read.data ?? {}
  return (
    <>
      <FileDrop
        accept=".cjs,.js,.json,.yaml,.yml,.ts"
        isReading={read.isPending}
        onFiles={choose}
        onDropped={(data) => choose(filesOfDrop(data))}
      >
        <Text {...(source && { fw: 600, className: 'foreign' })}>
          {source ? source.file : t.drop}
        </Text>
        <Text size="sm" c="dimmed">
          {source ? describe(source) : t.hint}
        </Text>
      </FileDrop>
      {source && check && <Checked file={source.file} check={check} />}
      <Text size="sm" c="dimmed">
        <CodedText text={t.sdkHint} />
      </Text>
      {mayCreate && <ExampleFiles />}
      {read.error && <Failed error={read.error} />}
    </>
  )
}

/** Problems prevent the deployment; warnings do not. */
function Checked({ file, check }: { file: string; check: DocumentCheck }) {
  const { problems, warnings, isPartial } = check
  if (problems.length > 0)
    return (
      <Alert
        role="alert"
        color="red"
        title={t.problems(file, problems.length)}
        className="foreign"
      >
        <Text size="sm">{isPartial ? t.correctPartly : t.correct}</Text>
        <DocumentProblems problems={problems} />
      </Alert>
    )
  if (warnings.length === 0) return null
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      title={
        <Text span inherit c="var(--mantine-color-text)">
          {t.warnings(file, warnings.length)}
        </Text>
      }
      className="foreign"
    >
      <Text size="sm">{t.warningsHint}</Text>
      <DocumentProblems problems={warnings} />
    </Alert>
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
  const findSize = (example: string) => {
    const { size } = offered.find(({ name }) => name === example) ?? {}
    return size ? toBytes(size) : ''
  }
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
          {t.exampleFiles[kind](findSize(examples[kind].example))}
        </Anchor>
      ))}
    </Group>
  )
}

function describe({ content, codeFiles }: BotSource): string {
  if ('code' in content) return t.bundle(toBytes(new Blob([content.code]).size))
  return codeFiles === 0 ? t.document : `${t.document} ${t.codeFiles(codeFiles)}`
}
