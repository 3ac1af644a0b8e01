// The emulator beside the flows: it talks to the draft, before it is published.
import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useFilter } from '../../../api/filters.ts'
import { OtherBot, useBot } from '../../../api/scope.ts'
import type { Entry } from '../../../pages/emulator/use-chat.ts'
import { lazily } from '../../../parts/lazily.tsx'
import { Failed, Loading, toReason } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { toObject } from '../flows/bot-document.ts'
import { TracedPath } from '../path/path.tsx'
import styles from '../studio.module.css'
import { explainRejection } from './rejection.ts'

const Emulator = lazily(
  async () => (await import('../../../pages/emulator/emulator.tsx')).Emulator,
  <Loading />,
)

const SaveTest = lazily(async () => (await import('../tests/save-test.tsx')).SaveTest)

interface TryDraftProps {
  onClose: () => void
}

export function TryDraft({ onClose }: TryDraftProps) {
  const { botId, client } = useBot()
  const { store, value } = useStudio()
  const [language] = useFilter('language')
  const [tried, setTried] = useState<{ botId: string; revision: number } | null>(null)
  const latest = useRef(tried)
  const [messages, setMessages] = useState<Entry[]>([])
  const { mutate, mutateAsync, error } = useMutation({
    // One after the other: a later one finds that its revision runs already, or brings the newest.
    scope: { id: `try ${botId}` },
    mutationFn: async () => {
      await store.flush()
      const { draft, value } = store.getSnapshot()
      if (draft.revision === latest.current?.revision) return
      latest.current = await client.platform
        .tryBotDraft({ params: { botId }, body: { revision: draft.revision } })
        .catch((reason) => explainRejection(reason, value))
      setTried(latest.current)
    },
  })
  // A message is answered by the draft as it was when the member sent it. Without a draft that runs, the one
  // before answers, which the panel says.
  const runNewest = useCallback(() => mutateAsync().catch(() => {}), [mutateAsync])
  const isRunning = tried !== null
  // Each change of the draft reaches the bot that is tried.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed document is tried again
  useEffect(() => {
    const timer = setTimeout(mutate, isRunning ? pauseMs : 0)
    return () => clearTimeout(timer)
  }, [value, mutate])
  const hasTables = Object.keys(toObject(value.tables)).length > 0
  let content: ReactNode = <Loading />
  if (tried)
    content = (
      <OtherBot value={tried.botId}>
        {error && (
          <Text size="xs" c="var(--bad)" px="md" pt="xs" role="status">
            {texts.studio.triesBefore} {toReason(error)}
          </Text>
        )}
        {hasTables && (
          <Text size="xs" c="dimmed" px="md" pt="xs">
            {texts.studio.ownTables}
          </Text>
        )}
        <TracedPath messageIds={messages.slice(-maxTraced).map(({ id }) => id)} />
        {messages.length > 0 && <SaveButton messages={messages} />}
        <Emulator
          key={tried.botId}
          title={texts.studio.tryDraft}
          language={language}
          onClose={onClose}
          onMessages={setMessages}
          beforeSend={runNewest}
        />
      </OtherBot>
    )
  else if (error) content = <Failed error={error} retry={() => mutate()} />
  return (
    <aside
      className={`${styles.panel} ${styles.emulator}`}
      aria-label={texts.studio.tryDraft}
      data-emulator
    >
      {content}
    </aside>
  )
}

/** Messages of which the path shows the turns. */
const maxTraced = 10

function SaveButton({ messages }: { messages: Entry[] }) {
  const [isSaving, setSaving] = useState(false)
  return (
    <>
      <Button
        mx="md"
        mt={4}
        size="compact-xs"
        variant="subtle"
        style={{ flex: 'none', alignSelf: 'flex-start' }}
        onClick={() => setSaving(true)}
      >
        {texts.studio.tests.save}
      </Button>
      {isSaving && <SaveTest messages={messages} onClose={() => setSaving(false)} />}
    </>
  )
}

const pauseMs = 150
