// Changes or deletes several rows: the chosen ones, or all that match the filter.
import type { Row } from '@botstead/contract'
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  Radio,
  Select,
  Stack,
  Text,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { DialogForm } from '../../parts/forms/form-modal.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { Failed } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import type { GridColumn } from './columns.ts'
import { TypedInput } from './filter/rule-fields.tsx'
import type { Edits } from './grid/use-edits.ts'
import { JobProgress } from './job-progress.tsx'
import { useTableJobs } from './jobs.ts'
import { JobEntry } from './jobs-dialog.tsx'
import type { RowView } from './row-view.ts'

const t = texts.tableViews.bulk

interface BulkDialogProps {
  tableId: string
  columns: GridColumn[]
  view: RowView
  /** Of the rows that match. */
  count: number
  chosen: ReadonlySet<number>
  edits: Edits
  onClose: () => void
}

type Scope = 'chosen' | 'matching'
type Action = 'set' | 'delete'

export function BulkDialog(props: BulkDialogProps) {
  const { tableId, columns, view, count, chosen, onClose } = props
  const given = columns.filter(({ isComputed }) => !isComputed)
  const [scope, setScope] = useState<Scope>(chosen.size > 0 ? 'chosen' : 'matching')
  const [action, setAction] = useState<Action>(given.length > 0 ? 'set' : 'delete')
  const [name, setName] = useState('')
  const [value, setValue] = useState<unknown>('')
  const [isCleared, setCleared] = useState(false)
  const column = given.find((one) => one.name === name)
  const total = scope === 'chosen' ? chosen.size : count
  const values = { [name]: isCleared ? null : value }
  const isComplete =
    action === 'delete' || (column !== undefined && (isCleared || value !== ''))
  const isSearched = scope === 'matching' && view.search !== undefined
  const isUndoable = action === 'set' && (scope === 'chosen' || count <= maxRows)
  const change = useChange(props, { scope, isUndoable }, action === 'set' ? values : null)
  return (
    <Modal opened onClose={onClose} title={t.title} size={change.data ? 'lg' : 'md'}>
      {change.data ? (
        <Stack>
          <JobProgress
            {...{ tableId, jobId: change.data, label: t.running }}
            done={action === 'set' ? t.changed : t.deleted}
          />
          <Group justify="flex-end">
            <Button onClick={onClose}>{texts.common.close}</Button>
          </Group>
        </Stack>
      ) : (
        <DialogForm
          action={change}
          button={action === 'set' ? t.start(total) : t.remove(total)}
          isDangerous={!isUndoable}
          isReady={!isSearched && total > 0 && isComplete}
          onClose={onClose}
        >
          <ScopeChoice {...props} scope={scope} onChange={setScope} />
          <Radio.Group
            label={t.action}
            value={action}
            onChange={(to) => setAction(to as Action)}
          >
            <Stack gap="xs" pt={4}>
              {given.length > 0 && <Radio value="set" label={t.set} />}
              <Radio value="delete" label={t.delete} />
            </Stack>
          </Radio.Group>
          {action === 'set' && (
            <>
              <Select
                label={t.column}
                data={given.map((one) => one.name)}
                value={name || null}
                allowDeselect={false}
                onChange={(chosenName) => {
                  setName(chosenName ?? name)
                  setValue('')
                }}
              />
              {column && !isCleared && (
                <TypedInput
                  key={name}
                  label={t.value}
                  isLabelled
                  value={value}
                  type={column.type}
                  onChange={setValue}
                />
              )}
              <Checkbox
                label={t.clear}
                checked={isCleared}
                onChange={(event) => setCleared(event.currentTarget.checked)}
              />
            </>
          )}
          <Hint
            key={scope}
            {...{ isUndoable, isSearched, action, tableId }}
            filter={toFilter(props, scope)}
          />
        </DialogForm>
      )}
    </Modal>
  )
}

interface ScopeChoiceProps extends Pick<BulkDialogProps, 'chosen' | 'view' | 'count'> {
  scope: Scope
  onChange: (scope: Scope) => void
}

const ScopeChoice = ({ scope, onChange, chosen, view, count }: ScopeChoiceProps) => (
  <Radio.Group label={t.scope} value={scope} onChange={(to) => onChange(to as Scope)}>
    <Stack gap="xs" pt={4}>
      {chosen.size > 0 && <Radio value="chosen" label={t.chosen(chosen.size)} />}
      <Radio
        value="matching"
        label={view.filter ? t.matching(count) : t.all(count)}
        disabled={view.search !== undefined}
      />
    </Stack>
  </Radio.Group>
)

interface HintProps {
  isUndoable: boolean
  isSearched: boolean
  action: Action
  tableId: string
  filter: Record<string, unknown>
}

function Hint({ isUndoable, isSearched, action, ...rows }: HintProps) {
  if (!isUndoable && !isSearched)
    return <Warning text={action === 'set' ? t.large(maxRows) : t.final} {...rows} />
  return (
    <Text size="sm" c="dimmed">
      {isSearched ? t.searched : t.undoable}
    </Text>
  )
}

interface WarningProps {
  text: string
  tableId: string
  filter: Record<string, unknown>
}

/** Before a change that cannot be undone: offers an export of its rows, with the download. */
function Warning({ text, tableId, filter }: WarningProps) {
  const { client } = useBot()
  const jobs = useTableJobs(tableId)
  const start = useMutation({
    mutationFn: () =>
      client.platform.exportTableRows({
        params: { table: tableId },
        // An import of this file restores the rows exactly, and no spreadsheet runs their formulas.
        body: { format: 'json', filter },
      }),
    onSuccess: () => jobs.refetch(),
  })
  const job = jobs.data?.jobs.find(({ id }) => id === start.data?.job.id)
  return (
    <Alert color="red" title={text}>
      {job ? (
        <JobEntry job={job} />
      ) : (
        <Button
          variant="default"
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {t.exportFirst}
        </Button>
      )}
      {start.error && <Failed error={start.error} />}
    </Alert>
  )
}

const toFilter = (
  { chosen, view }: BulkDialogProps,
  scope: Scope,
): Record<string, unknown> =>
  scope === 'chosen' ? { id: { $in: [...chosen] } } : (view.filter ?? {})

/** Of the API, for one request. */
const maxRows = 1_000

const splitIntoParts = (ids: number[]) =>
  Array.from({ length: Math.ceil(ids.length / maxRows) }, (_, n) => ({
    id: { $in: ids.slice(n * maxRows, (n + 1) * maxRows) },
  }))

/** Without values, the rows are deleted. The result is the id of a job, if one was started. */
function useChange(
  props: BulkDialogProps,
  { scope, isUndoable }: { scope: Scope; isUndoable: boolean },
  values: Record<string, unknown> | null,
) {
  const { tableId, chosen, edits, onClose } = props
  const { client } = useBot()
  const params = { table: tableId }
  const ids = [...chosen]
  const filter = toFilter(props, scope)
  const start = async (part: Record<string, unknown>) => {
    const body = values
      ? { filter: part, values }
      : { filter: part, delete: true as const }
    return (await client.platform.changeTableRows({ params, body })).job.id
  }
  /** As edits of cells, which can be undone. */
  const edit = async (changed: Record<string, unknown>) => {
    const [[column, after]] = Object.entries(changed) as [[string, unknown]]
    const found: Row[] = []
    for (const part of scope === 'chosen' ? splitIntoParts(ids) : [filter]) {
      const { rows } = await client.tables.findTableRows({
        params,
        body: { filter: part, select: [column], limit: maxRows },
      })
      found.push(...(rows as Row[]))
    }
    edits.apply(
      found.map((row) => ({ rowId: row.id, column, before: row[column] ?? null, after })),
    )
    notifyDone(t.changed(found.length))
    onClose()
    return null
  }
  return useMutation({
    mutationFn: () => (isUndoable && values ? edit(values) : start(filter)),
  })
}
