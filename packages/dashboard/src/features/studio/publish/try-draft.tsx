// The emulator beside the flows: it talks to the draft, before it is published.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { OtherBot, useBot } from '../../../api/scope.ts'
import { lazily } from '../../../parts/lazily.tsx'
import { Failed, Loading } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import styles from '../studio.module.css'

const Emulator = lazily(
  async () => (await import('../../../pages/emulator/emulator.tsx')).Emulator,
  <Loading />,
)

interface TryDraftProps {
  onClose: () => void
}

export function TryDraft({ onClose }: TryDraftProps) {
  const { botId, client } = useBot()
  const { store, value } = useStudio()
  const [tried, setTried] = useState<string | null>(null)
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      await store.flush()
      const { revision } = store.getSnapshot().draft
      return client.platform.tryBotDraft({ params: { botId }, body: { revision } })
    },
    onSuccess: (answer) => setTried(answer.botId),
  })
  // Each change of the draft reaches the bot that is tried.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed document is tried again
  useEffect(() => {
    const timer = setTimeout(mutate, tried ? pauseMs : 0)
    return () => clearTimeout(timer)
  }, [value, mutate])
  let content: ReactNode = <Loading />
  if (error) content = <Failed error={error} retry={() => mutate()} />
  else if (tried)
    content = (
      <OtherBot value={tried}>
        <Emulator key={tried} onClose={onClose} />
      </OtherBot>
    )
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

const pauseMs = 1_500
