// Chooses the knowledge base of the page, creates, changes and deletes knowledge bases.
import { ActionIcon, Group, Menu, Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFilter } from '../../api/filters.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconDots } from '../../icons/icons.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import { type Base, findBase, isTaken, useBases } from './bases.ts'

const t = texts.knowledge
const EditMinScore = lazily(
  async () => (await import('./edit-min-score.tsx')).EditMinScore,
)

export function BaseChoice() {
  const [chosen, setChosen] = useFilter('base')
  const { data: bases = [] } = useBases()
  const mayWrite = useMay()('knowledge.write')
  return (
    <Group gap={6} wrap="nowrap" align="end">
      <Select
        flex={1}
        label={t.base}
        placeholder={t.any}
        data={bases.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen ?? null}
        onChange={(id) => setChosen(id ?? '')}
        limit={200}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t.any }}
      />
      {mayWrite && <BaseMenu base={findBase(bases, chosen)} onChoose={setChosen} />}
    </Group>
  )
}

type Dialog = 'create' | 'rename' | 'minScore' | 'delete'

function BaseMenu({
  base,
  onChoose,
}: {
  base: Base | undefined
  onChoose: (id: string) => void
}) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t.bases.manage}>
            <IconDots size={18} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('create')}>{t.bases.create}</Menu.Item>
          {!base && <Menu.Label>{t.bases.chooseFirst}</Menu.Label>}
          <Menu.Item disabled={!base} onClick={() => setDialog('rename')}>
            {t.bases.rename}
          </Menu.Item>
          <Menu.Item disabled={!base} onClick={() => setDialog('minScore')}>
            {t.bases.minScore}
          </Menu.Item>
          <Menu.Item disabled={!base} onClick={() => setDialog('delete')}>
            {t.bases.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'create' && <EditBase onDone={onChoose} onClose={close} />}
      {dialog === 'rename' && base && <EditBase base={base} onClose={close} />}
      {dialog === 'minScore' && base && <EditMinScore base={base} onClose={close} />}
      {dialog === 'delete' && base && (
        <DeleteBase base={base} onDone={() => onChoose('')} onClose={close} />
      )}
    </>
  )
}

interface EditBaseProps {
  /** Absent to create one. */
  base?: Base
  onDone?: (id: string) => void
  onClose: () => void
}

function EditBase({ base, onDone, onClose }: EditBaseProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const { data: bases = [] } = useBases()
  const [name, setName] = useState(base?.name ?? '')
  const isUsed = isTaken(bases, name, base?.id)
  const isReady = name.trim() !== '' && !isUsed
  const save = useMutation({
    mutationFn: () =>
      base
        ? client.files.updateKnowledgeBase({
            params: { id: base.id },
            body: { name: name.trim() },
          })
        : client.files.createKnowledgeBase({ body: { name: name.trim() } }),
    onSuccess: async ({ knowledgeBase }) => {
      await queries.invalidateQueries({ queryKey: ['files', botId, 'bases'] })
      notifyDone(base ? t.bases.renamed : t.bases.created)
      onDone?.(knowledgeBase.id)
      onClose()
    },
  })
  return (
    <FormModal
      title={base ? t.bases.rename : t.bases.create}
      action={save}
      button={base ? texts.common.save : texts.common.create}
      isReady={isReady}
      onClose={onClose}
    >
      <TextInput
        label={t.bases.name}
        {...(base && { description: t.bases.renameHint })}
        value={name}
        error={isUsed && t.bases.taken}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={200}
        autoComplete="off"
        data-autofocus
      />
    </FormModal>
  )
}

interface DeleteBaseProps {
  base: Base
  onDone: () => void
  onClose: () => void
}

function DeleteBase({ base: { id, name }, onDone, onClose }: DeleteBaseProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return (
    <Confirm
      title={t.bases.deleteOne(name)}
      button={t.bases.delete}
      name={name}
      onConfirm={async () => {
        await client.files.deleteKnowledgeBase({ params: { id } })
        await queries.invalidateQueries({ queryKey: ['files', botId, 'bases'] })
        await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
        notifyDone(t.bases.deleted)
        onDone()
      }}
      onClose={onClose}
    >
      <Text>{t.bases.deleteText}</Text>
    </Confirm>
  )
}
