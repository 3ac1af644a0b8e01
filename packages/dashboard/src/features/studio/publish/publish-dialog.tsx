// Publishes the draft as a version: its changes in words and as text, and a message.
import { Alert, Checkbox, Modal, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { DialogForm } from '../../../parts/forms/form-modal.tsx'
import { lazily } from '../../../parts/lazily.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { Loaded, Loading } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { ChangeList } from '../../versions/change-list.tsx'
import { splitIntoParts } from '../../versions/document-changes.ts'
import { useChecks } from '../checks/checks.tsx'
import { useStudio } from '../draft/use-draft.tsx'
import type { Json } from '../flows/bot-document.ts'
import { changesInWords } from './changes-in-words.ts'
import { explainRejection } from './rejection.ts'

const t = texts.studio
const Differences = lazily(
  async () => (await import('../../versions/version-comparison.tsx')).Differences,
  <Loading />,
)

export function PublishDialog({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['versions', botId, 'published'],
    queryFn: ({ signal }) =>
      client.admin.getBotJson({ params: { id: botId } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Modal opened onClose={onClose} title={t.publishTitle} size="xl">
      <Loaded query={query}>
        {(published) => <PublishForm published={published as Json} onClose={onClose} />}
      </Loaded>
    </Modal>
  )
}

/** Publishes the stored draft, with a description of the version. */
function usePublish(message: string, onPublished: () => void) {
  const { botId, client } = useBot()
  const { store, value } = useStudio()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await store.flush()
      const { draft: stored, unsaved } = store.getSnapshot()
      if (unsaved > 0) throw new Error(t.notStored)
      const text = message.trim()
      const answer = await client.platform
        .publishBotDraft({
          params: { botId },
          body: { revision: stored.revision, ...(text && { message: text }) },
        })
        .catch((error) => explainRejection(error, value))
      store.replace(answer.draft)
      await queries.invalidateQueries({ queryKey: ['versions', botId] })
      await queries.invalidateQueries({ queryKey: ['bots', botId] })
      notifyDone(t.published)
    },
    onSuccess: onPublished,
  })
}

function PublishForm({ published, onClose }: { published: Json; onClose: () => void }) {
  const { value, draft } = useStudio()
  const { problems, warnings, isCurrent } = useChecks()
  const [message, setMessage] = useState('')
  const [isAccepted, setAccepted] = useState(false)
  const [view, setView] = useState('words')
  const field = useRef<HTMLTextAreaElement>(null)
  // The dialog opened before its form, and gave the focus to its button.
  useEffect(() => field.current?.focus(), [])
  const publish = usePublish(message, onClose)
  const isReady =
    isCurrent && problems.length === 0 && (warnings.length === 0 || isAccepted)
  // The server adds what the document leaves out, such as derived states.
  const before = Object.fromEntries(
    Object.entries(published).filter(([name]) => name in value),
  )
  return (
    <DialogForm action={publish} button={t.publish} isReady={isReady} onClose={onClose}>
      {problems.length > 0 && (
        <Alert color="red" title={t.problems(problems.length)}>
          {t.publishBlocked}
        </Alert>
      )}
      <SegmentedControl
        aria-label={t.changesAs}
        value={view}
        onChange={setView}
        data={[
          { value: 'words', label: t.inWords },
          { value: 'text', label: t.asText },
        ]}
      />
      {view === 'words' ? (
        <Words before={before} after={value} hasChanges={draft.hasChanges} />
      ) : (
        <Differences
          part="definition"
          left={splitIntoParts(before).definition}
          right={splitIntoParts(value).definition}
          name={t.publishedState}
        />
      )}
      <Textarea
        label={t.message}
        description={t.messageHint}
        value={message}
        maxLength={200}
        autosize
        ref={field}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      {warnings.length > 0 && (
        <Checkbox
          label={t.acceptWarnings(warnings.length)}
          checked={isAccepted}
          onChange={(event) => setAccepted(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  )
}

function Words({
  before,
  after,
  hasChanges,
}: {
  before: Json
  after: Json
  hasChanges: boolean
}) {
  const changes = changesInWords(before, after)
  if (changes.length === 0)
    return <Text size="sm">{hasChanges ? t.onlyLayout : t.noChanges}</Text>
  return <ChangeList title={t.changed} changes={changes} />
}
