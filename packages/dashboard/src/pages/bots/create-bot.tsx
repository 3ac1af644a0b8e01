// Creates a bot: from an example, files or another builder, with an archive of its workspace, or empty.
import { Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { useIsOperator } from '../../api/session.ts'
import { type BotSource, fromTexts, readBot } from '../../parts/files/bot-files.ts'
import { BotSourceField } from '../../parts/files/bot-source-field.tsx'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { InputError } from '../../parts/forms/input-error.ts'
import { lazily } from '../../parts/lazily.tsx'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import { readConversion } from './convert-bot.ts'
import { Examples } from './examples.tsx'
import { useCreateBot } from './use-create-bot.ts'

const { newBot } = texts.bots
const origins = ['example', 'scratch', 'files', 'builder', 'archive', 'empty'] as const
type Origin = (typeof origins)[number]
const ImportArchive = lazily(
  async () => (await import('./import-archive.tsx')).ImportArchive,
)

const ImportBot = lazily(async () => (await import('./import-bot.tsx')).ImportBot)

export function CreateBot({ onClose }: { onClose: () => void }) {
  const [origin, setOrigin] = useState<Origin>('example')
  /** Chosen where another kind of file belongs. */
  const [passed, setPassed] = useState<File | null>(null)
  const { client } = useWorkspace()
  const open = (next: Origin, file: File | null) => {
    setPassed(file)
    setOrigin(next)
  }
  const passOn = async (file: File) => {
    if (isArchive(file))
      throw new InputError(newBot.isArchive(file.name), newBot.isArchiveHint)
    const isExport = await readConversion(client, file).then(
      () => true,
      () => false,
    )
    if (isExport) open('builder', file)
    return isExport
  }
  const isOperator = useIsOperator()
  const offered = origins.filter((each) => each !== 'archive' || isOperator)
  const isPhone = useMediaQuery('(max-width: 640px)')
  return (
    <Modal opened onClose={onClose} title={newBot.title} size="xl">
      <Stack>
        <SegmentedControl
          aria-label={newBot.from}
          value={origin}
          onChange={(value) => open(value as Origin, null)}
          fullWidth
          orientation={isPhone ? 'vertical' : 'horizontal'}
          data={offered.map((value) => ({ value, label: newBot.sources[value] }))}
        />
        {origin === 'example' && <Examples />}
        {origin === 'builder' && (
          <ImportBot
            file={passed}
            onBot={(file) => open('files', file)}
            onClose={onClose}
          />
        )}
        {origin === 'archive' && <ImportArchive onClose={onClose} />}
        {(origin === 'files' || origin === 'empty' || origin === 'scratch') && (
          <OwnBot
            key={origin}
            origin={origin}
            file={passed}
            passOn={passOn}
            onClose={onClose}
          />
        )}
        <Text size="sm" c="dimmed">
          <CodedText text={newBot.atUrl} />{' '}
          <DocsLink page="hosting#bots-at-a-url">{newBot.atUrlLink}</DocsLink>
        </Text>
      </Stack>
    </Modal>
  )
}

interface OwnBotProps {
  origin: 'files' | 'empty' | 'scratch'
  file: File | null
  passOn: (file: File) => Promise<boolean>
  onClose: () => void
}

/** Of the page Archives. */
const isArchive = ({ name }: File) => name.endsWith('.botstead')

function OwnBot({ origin, file, passOn, onClose }: OwnBotProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [source, setSource] = useState<BotSource | null>(null)
  const create = useCreateBot({
    showsError: true,
    page: origin === 'scratch' ? 'flows' : undefined,
  })
  const name = typed ?? source?.name ?? ''
  const isReady = name.trim() !== '' && (origin !== 'files' || source !== null)
  const submit = () => {
    const read = origin === 'scratch' ? readGreetingBot : source && (async () => source)
    create.mutate({ name: name.trim(), ...(read && { read }) })
  }
  return (
    <DialogForm
      action={{ ...create, mutate: submit }}
      button={texts.common.create}
      isReady={isReady}
      onClose={onClose}
    >
      {origin === 'files' ? (
        <BotSourceField
          file={file}
          passOn={passOn}
          onChange={(chosen) => {
            setSource(chosen)
            create.reset()
          }}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {origin === 'scratch' ? newBot.scratchHint : newBot.emptyHint}
        </Text>
      )}
      <TextInput
        label={newBot.name}
        placeholder={newBot.namePlaceholder}
        value={name}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={200}
        required
      />
    </DialogForm>
  )
}

/** The smallest bot that says something. */
const readGreetingBot = () => {
  const cards = [{ type: 'send', message: newBot.greeting }]
  const document = {
    kind: 'bot',
    version: 2,
    flows: { main: { nodes: { start: { type: 'start', cards } } } },
  }
  return readBot(fromTexts({ 'bot.json': `${JSON.stringify(document, null, 2)}\n` }))
}
