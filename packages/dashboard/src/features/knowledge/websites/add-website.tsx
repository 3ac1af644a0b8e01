// The dialog that adds a page or a sitemap to a knowledge base.
import { Modal, NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { DialogForm } from '../../../parts/forms/form-modal.tsx'
import { completeAddress } from '../../../parts/forms/web-address.ts'
import { notifyDone } from '../../../parts/notify.ts'
import { texts } from '../../../texts/texts.ts'
import { BaseField, useTargetBase } from '../base-field.tsx'
import { type Base, useBases } from '../bases.ts'
import { type Schedule, schedules } from './website-schedule.tsx'

const t = texts.knowledge.websites

export function AddWebsite({ onClose }: { onClose: () => void }) {
  const { data: bases } = useBases()
  return (
    <Modal opened onClose={onClose} title={t.add} size="lg">
      {bases && <Form bases={bases} onClose={onClose} />}
    </Modal>
  )
}

type SourceType = keyof typeof t.types

const typeOf = (url: string): SourceType =>
  /sitemap|\.xml(\.gz)?$/i.test(url) ? 'sitemap' : 'page'

const usualMaxPages = 500

function Form({ bases, onClose }: { bases: Base[]; onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const base = useTargetBase(bases, t.page)
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<SourceType>()
  const [schedule, setSchedule] = useState<Schedule>('weekly')
  const [maxPages, setMaxPages] = useState(usualMaxPages)
  const type = chosen ?? typeOf(url.trim())
  const isReady = url.trim() !== '' && base.isReady
  const add = useMutation({
    mutationFn: async () => {
      const knowledgeBaseId = await base.resolve()
      const body = {
        knowledgeBaseId,
        type,
        schedule,
        maxPages,
        url: completeAddress(url.trim()),
      }
      return client.platform.createKnowledgeSource({ body })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
      notifyDone(t.added)
      onClose()
    },
  })
  return (
    <DialogForm action={add} button={t.adding} isReady={isReady} onClose={onClose}>
      <TextInput
        label={t.url}
        description={t.urlHint}
        placeholder="https://example.org/help"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        maxLength={900}
        inputMode="url"
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group
        label={t.type}
        value={type}
        onChange={(value) => setChosen(value as SourceType)}
      >
        <Stack gap={6} mt={4}>
          {Object.entries(t.types).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {type === 'sitemap' && (
        <NumberInput
          label={t.maxPages}
          value={maxPages}
          onChange={(value) => setMaxPages(Number(value) || usualMaxPages)}
          min={1}
          max={5_000}
          allowDecimal={false}
        />
      )}
      <Select
        label={t.schedule}
        data={schedules}
        value={schedule}
        onChange={(value) => value && setSchedule(value as Schedule)}
        allowDeselect={false}
      />
      <BaseField field={base.field} />
    </DialogForm>
  )
}
