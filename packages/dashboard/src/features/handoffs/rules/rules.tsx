// The rules by which the server hands conversations over, in a dialog.
import type { HandoffRules } from '@botstead/contract'
import { Checkbox, NumberInput, TagsInput, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { DialogForm } from '../../../parts/forms/form-modal.tsx'
import { DocsLink } from '../../../parts/objects/docs-link.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { newHours, OpeningHours } from './opening-hours.tsx'

const t = texts.inbox.rules
const maxLength = 2_000

interface Draft {
  keywords: string[]
  afterFailures: number | undefined
  relays: boolean
  message: string
  hours: HandoffRules['hours'] | undefined
}

export function StoredRules({ onDone }: { onDone: () => void }) {
  const { botId, client } = useBot()
  const query = useQuery({
    queryKey: ['bots', botId, 'handoff-rules'],
    queryFn: ({ signal }) => client.platform.getHandoffRules({}, { signal }),
    gcTime: 0,
  })
  return (
    <Loaded query={query}>
      {({ rules }) => <RulesForm stored={rules} onDone={onDone} />}
    </Loaded>
  )
}

function RulesForm({ stored, onDone }: { stored: HandoffRules; onDone: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [rules, setRules] = useState<Draft>({
    keywords: stored.keywords ?? [],
    afterFailures: stored.afterFailures,
    relays: stored.botReceives === 'everything',
    message: stored.message ?? '',
    hours: stored.hours,
  })
  const change = (changes: Partial<Draft>) => setRules({ ...rules, ...changes })
  const { keywords, afterFailures, relays, message, hours } = rules
  const save = useMutation({
    mutationFn: () => client.platform.setHandoffRules({ body: withoutEmpty(rules) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['bots', botId, 'handoff-rules'] })
      onDone()
    },
  })
  return (
    <DialogForm action={save} button={texts.common.save} onClose={onDone}>
      <TagsInput
        data-autofocus
        label={t.keywords}
        description={t.keywordsHint}
        value={keywords}
        maxTags={100}
        maxLength={100}
        acceptValueOnBlur
        onChange={(words) => change({ keywords: words })}
      />
      <NumberInput
        label={t.failures}
        description={t.failuresHint}
        value={afterFailures ?? ''}
        min={1}
        max={20}
        allowDecimal={false}
        clampBehavior="strict"
        onChange={(count) => change({ afterFailures: Number(count) || undefined })}
      />
      <div>
        <Text size="sm" fw={600}>
          {t.unanswered}
        </Text>
        <Text size="xs" c="dimmed">
          {t.unansweredHint}{' '}
          <DocsLink page="handoffs#in-flows">{t.unansweredLink}</DocsLink>
        </Text>
      </div>
      <Checkbox
        label={t.relays}
        description={t.relaysHint}
        checked={relays}
        onChange={(event) => change({ relays: event.currentTarget.checked })}
      />
      <Textarea
        label={t.message}
        description={t.messageHint}
        autosize
        maxLength={maxLength}
        value={message}
        onChange={(event) => change({ message: event.currentTarget.value })}
      />
      <Checkbox
        label={t.hasHours}
        description={t.hoursHint}
        checked={hours !== undefined}
        onChange={(event) =>
          change({ hours: event.currentTarget.checked ? newHours() : undefined })
        }
      />
      {hours && (
        <OpeningHours hours={hours} onChange={(changed) => change({ hours: changed })} />
      )}
    </DialogForm>
  )
}

const withoutEmpty = ({
  keywords,
  afterFailures,
  relays,
  message,
  hours,
}: Draft): HandoffRules => ({
  ...(keywords.length > 0 && { keywords }),
  ...(afterFailures && { afterFailures }),
  ...(relays && { botReceives: 'everything' }),
  ...(message.trim() && { message }),
  ...(hours && { hours }),
})
