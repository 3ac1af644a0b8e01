// Creates a bot: from an example, from files, with an archive of its workspace, or empty.
import { Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useIsOperator } from '../../api/session.ts'
import type { BotSource } from '../../parts/files/bot-files.ts'
import { BotSourceField } from '../../parts/files/bot-source-field.tsx'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { DocsLink } from '../../parts/objects/docs-link.tsx'
import { CodedText } from '../../parts/texts/coded-text.tsx'
import { texts } from '../../texts/texts.ts'
import { Examples } from './examples.tsx'
import { useCreateBot } from './use-create-bot.ts'

const { newBot } = texts.bots
const origins = ['example', 'files', 'archive', 'empty'] as const
type Origin = (typeof origins)[number]
const ImportArchive = lazily(async () => (await import('./import-archive.tsx')).ImportArchive)

export function CreateBot({ onClose }: { onClose: () => void }) {
  const [origin, setOrigin] = useState<Origin>('example')
  const isOperator = useIsOperator()
  const offered = origins.filter((each) => each !== 'archive' || isOperator)
  const isPhone = useMediaQuery('(max-width: 640px)')
  return (
    <Modal opened onClose={onClose} title={newBot.title} size="lg">
      <Stack>
        <SegmentedControl
          aria-label={newBot.from}
          value={origin}
          onChange={(value) => setOrigin(value as Origin)}
          fullWidth
          orientation={isPhone ? 'vertical' : 'horizontal'}
          data={offered.map((value) => ({ value, label: newBot.sources[value] }))}
        />
        {origin === 'example' && <Examples />}
        {origin === 'archive' && <ImportArchive onClose={onClose} />}
        {(origin === 'files' || origin === 'empty') && (
          <OwnBot key={origin} isEmpty={origin === 'empty'} onClose={onClose} />
        )}
        <Text size="sm" c="dimmed">
          <CodedText text={newBot.atUrl} />{' '}
          <DocsLink page="hosting#bots-at-a-url">{newBot.atUrlLink}</DocsLink>
        </Text>
      </Stack>
    </Modal>
  )
}

function OwnBot({ isEmpty, onClose }: { isEmpty: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  const [source, setSource] = useState<BotSource | null>(null)
  const create = useCreateBot({ showsError: true })
  const name = typed ?? source?.name ?? ''
  const isReady = name.trim() !== '' && (isEmpty || source !== null)
  const submit = () =>
    create.mutate({ name: name.trim(), ...(source && { read: async () => source }) })
  return (
    <DialogForm
      action={{ ...create, mutate: submit }}
      button={texts.common.create}
      isReady={isReady}
      onClose={onClose}
    >
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          {newBot.emptyHint}
        </Text>
      ) : (
        <BotSourceField
          onChange={(chosen) => {
            setSource(chosen)
            create.reset()
          }}
        />
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
