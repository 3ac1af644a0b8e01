// Actions on a table: export, jobs, rename, delete.
import type { Table } from '@botstead/contract'
import { ActionIcon, Menu, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { IconDots } from '../../icons/icons.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import { toTableName } from './columns.ts'
import { JobsDialog } from './jobs-dialog.tsx'
import type { RowView } from './row-view.ts'

const t = texts.tables

interface ExportChoice {
  name: string
  format: 'csv' | 'json'
  escapeFormulas: boolean
}

/** A spreadsheet would run formulas that visitors wrote. An import needs the texts as they are. */
const exportChoices: ExportChoice[] = [
  { name: 'CSV', format: 'csv', escapeFormulas: true },
  { name: t.jobs.unchangedCsv, format: 'csv', escapeFormulas: false },
  { name: 'JSON', format: 'json', escapeFormulas: false },
]

interface TableMenuProps {
  table: Table
  view: RowView
  onAddColumn: () => void
  onRefresh: () => Promise<unknown>
}

export function TableMenu({ table, view, onAddColumn, onRefresh }: TableMenuProps) {
  const isEditor = useMay()('tables.write')
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'jobs' | null>(null)
  const { client } = useBot()
  const start = async ({ format, escapeFormulas }: Omit<ExportChoice, 'name'>) => {
    const { filter, sort } = view
    const body = {
      format,
      escapeFormulas,
      ...(filter && { filter }),
      ...(sort && { sort }),
    }
    await client.platform
      .exportTableRows({ params: { table: table.id }, body })
      .then(() => setDialog('jobs'), notifyFailed)
  }
  const close = () => setDialog(null)
  // An export has no search.
  const isView = view.filter !== undefined || view.sort !== undefined
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t.actions}>
            <IconDots size={18} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void onRefresh()}>{t.refresh}</Menu.Item>
          {isEditor &&
            exportChoices.map(({ name, ...choice }) => (
              <Menu.Item key={name} onClick={() => void start(choice)}>
                {isView ? texts.tableViews.export.view(name) : t.jobs.export(name)}
              </Menu.Item>
            ))}
          <Menu.Item onClick={() => setDialog('jobs')}>{t.jobs.title}</Menu.Item>
          {isEditor && !table.frozen && (
            <Menu.Item onClick={onAddColumn}>{texts.tableViews.column.add}</Menu.Item>
          )}
          {isEditor && !table.frozen && (
            <Menu.Item onClick={() => setDialog('rename')}>{t.rename}</Menu.Item>
          )}
          {isEditor && (
            <Menu.Item color="red" onClick={() => setDialog('delete')}>
              {t.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'jobs' && <JobsDialog tableId={table.id} onClose={close} />}
      {dialog === 'rename' && <RenameTable table={table} onClose={close} />}
      {dialog === 'delete' && <DeleteTable table={table} onClose={close} />}
    </>
  )
}

interface DialogProps {
  table: Table
  onClose: () => void
}

function RenameTable({ table, onClose }: DialogProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [name, setName] = useState(table.name)
  const rename = useMutation({
    mutationFn: () =>
      client.tables.updateTable({
        params: { table: table.id },
        body: { name: toTableName(name) },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['tables', botId] })
      notifyDone(t.renamed)
      onClose()
    },
  })
  return (
    <FormModal
      title={t.rename}
      action={rename}
      button={texts.common.save}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        description={t.nameHint(toTableName(name))}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        data-autofocus
        required
      />
    </FormModal>
  )
}

function DeleteTable({ table, onClose }: DialogProps) {
  const { workspaceId, botId, client } = useBot()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    await client.tables.deleteTable({ params: { table: table.id } })
    await navigate({
      to: '/w/$workspaceId/bots/$botId/tables',
      params: { workspaceId, botId },
    })
    await queries.invalidateQueries({ queryKey: ['tables', botId, 'list'] })
    notifyDone(t.deleted)
  }
  return (
    <Confirm
      title={t.delete}
      button={texts.common.delete}
      name={table.name}
      onConfirm={remove}
      onClose={onClose}
    >
      {t.deleteHint}
    </Confirm>
  )
}
