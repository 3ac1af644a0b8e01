// Creates a bot: from an example, from files, or empty.
import { Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BotSource } from '../../parts/bot-files.ts'
import { BotSourceField } from '../../parts/bot-source-field.tsx'
import { CodedText } from '../../parts/coded-text.tsx'
import { DocsLink } from '../../parts/docs-link.tsx'
import { DialogForm } from '../../parts/form-modal.tsx'
import { texts } from '../../texts/texts.ts'
import { Examples } from './examples.tsx'
import { useCreateBot } from './use-create-bot.ts'

const { newBot } = texts.bots
const origins = ['example', 'files', 'empty'] as const
type Origin = (typeof origins)[number]

export function CreateBot({ onClose }: { onClose: () => void }) {
  const [origin, setOrigin] = useState<Origin>('example')
  return (
    <Modal opened onClose={onClose} title={newBot.title} size="lg">
      <Stack>
        <SegmentedControl
          aria-label={newBot.from}
          value={origin}
          onChange={(value) => setOrigin(value as Origin)}
          data={origins.map((value) => ({ value, label: newBot.sources[value] }))}
        />
        {origin === 'example' ? (
          <Examples />
        ) : (
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
