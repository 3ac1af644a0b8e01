// The dialog that creates a broadcast, after a dry run.
import type { BroadcastPreview } from '@botstead/contract'
import {
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Select,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { ActionError } from '../../parts/action-error.tsx'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { TimezoneField } from '../../parts/forms/timezone-field.tsx'
import { toCount } from '../../parts/texts/amounts.ts'
import { texts } from '../../texts/texts.ts'
import {
  type Draft,
  isComplete,
  newDraft,
  newQuietHours,
  tagError,
  toBroadcast,
  toPreview,
} from './draft.ts'

const t = texts.broadcasts
/** Of most integrations. */
const usualChannel = 'channel'

export function CreateBroadcast({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(newDraft)
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const isReady = isComplete(draft)
  const create = useMutation({
    mutationFn: () => client.platform.createBroadcast({ body: toBroadcast(draft) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['broadcasts', botId] })
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={t.add} size="lg">
      <DialogForm action={create} button={t.create} isReady={isReady} onClose={onClose}>
        <TextInput
          label={t.name}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          maxLength={200}
          data-autofocus
        />
        <Textarea
          label={t.text}
          description={t.textHint}
          autosize
          minRows={3}
          maxLength={5_000}
          value={draft.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        <Audience draft={draft} change={change} />
        <Times draft={draft} change={change} />
        <Preview draft={draft} isReady={isReady} />
        <Text size="xs" c="dimmed">
          {t.createHint}
        </Text>
      </DialogForm>
    </Modal>
  )
}

interface PartProps {
  draft: Draft
  change: (changes: Partial<Draft>) => void
}

function Audience({ draft, change }: PartProps) {
  const { data } = useBotQuery()
  const error = tagError(draft)
  return (
    <>
      <Group grow align="flex-start">
        <Select
          label={t.integration}
          data={Object.keys(data?.bot.integrations ?? {})}
          value={draft.integration || null}
          onChange={(integration) =>
            change({
              integration: integration ?? '',
              channel: draft.channel || usualChannel,
            })
          }
        />
        <TextInput
          label={t.channel}
          value={draft.channel}
          onChange={(event) => change({ channel: event.currentTarget.value })}
          maxLength={200}
        />
      </Group>
      <TagsInput
        label={t.userTags}
        description={t.tagsHint}
        value={draft.userTags}
        error={error}
        maxTags={20}
        acceptValueOnBlur
        onChange={(userTags) => change({ userTags })}
      />
      <TagsInput
        label={t.conversationTags}
        description={t.tagsHint}
        value={draft.conversationTags}
        maxTags={20}
        acceptValueOnBlur
        onChange={(conversationTags) => change({ conversationTags })}
      />
      <Group grow align="flex-end">
        <TextInput
          label={t.table}
          placeholder={t.tableHint}
          value={draft.table}
          onChange={(event) => change({ table: event.currentTarget.value })}
          maxLength={100}
        />
        <TextInput
          label={t.column}
          value={draft.column}
          onChange={(event) => change({ column: event.currentTarget.value })}
          maxLength={100}
        />
      </Group>
    </>
  )
}

function Times({ draft, change }: PartProps) {
  const { quietHours } = draft
  return (
    <>
      <Group grow align="flex-end">
        <TextInput
          label={t.startAt}
          description={t.startAtHint}
          type="datetime-local"
          value={draft.startAt}
          onChange={(event) => change({ startAt: event.currentTarget.value })}
        />
        <NumberInput
          label={t.perMinute}
          value={draft.perMinute}
          min={1}
          max={30_000}
          allowDecimal={false}
          onChange={(count) => change({ perMinute: Number(count) || newDraft.perMinute })}
        />
      </Group>
      <Checkbox
        label={t.hasQuietHours}
        description={t.quietHint}
        checked={quietHours !== undefined}
        onChange={(event) =>
          change({
            quietHours: event.currentTarget.checked ? newQuietHours() : undefined,
          })
        }
      />
      {quietHours && <QuietHoursFields draft={draft} change={change} />}
    </>
  )
}

function QuietHoursFields({ draft, change }: PartProps) {
  const hours = draft.quietHours ?? newQuietHours()
  const { timezoneTag = '', ...others } = hours
  const set = (changes: Partial<typeof hours>) =>
    change({ quietHours: { ...hours, ...changes } })
  return (
    <Group grow align="flex-end">
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          label={t[name]}
          type="time"
          value={hours[name]}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
      <TimezoneField
        label={t.timezone}
        value={hours.timezone}
        onChange={(timezone) => set({ timezone })}
      />
      <TextInput
        label={t.timezoneTag}
        value={timezoneTag}
        onChange={({ currentTarget: { value } }) =>
          change({ quietHours: value === '' ? others : { ...hours, timezoneTag: value } })
        }
      />
    </Group>
  )
}

function Preview({ draft, isReady }: { draft: Draft; isReady: boolean }) {
  const { client } = useBot()
  const preview = useMutation({
    mutationFn: () => client.platform.previewBroadcast({ body: toPreview(draft) }),
  })
  return (
    <>
      <Group>
        <Button
          variant="default"
          disabled={!isReady}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          {t.preview}
        </Button>
      </Group>
      <ActionError error={preview.error} />
      {preview.data && <Result preview={preview.data} />}
    </>
  )
}

const Result = ({ preview }: { preview: BroadcastPreview }) => (
  <div role="status">
    <Text size="sm" fw={600}>
      {t.previewResult(preview.recipients, preview.skipped)}
    </Text>
    {preview.hasMore && <Text size="sm">{t.atLeast}</Text>}
    {Object.entries(preview.skipReasons).map(([reason, count]) => (
      <Text key={reason} size="sm" c="dimmed">
        {texts.common.labelled(t.reasons[reason] ?? reason, toCount(count))}
      </Text>
    ))}
    {preview.unknownRows > 0 && (
      <Text size="sm">{t.unknownRows(preview.unknownRows)}</Text>
    )}
    {preview.messages.length > 0 && (
      <Text size="sm" fw={600} mt="xs">
        {t.examples}
      </Text>
    )}
    {preview.messages.map(({ userId, payload }) => (
      <Text key={userId} size="sm" className="foreign">
        {String(payload.text)}
      </Text>
    ))}
  </div>
)
