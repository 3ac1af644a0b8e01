// The order of a table: columns with their directions. A change is shown at once.
import { Button, Modal, Stack, Text } from '@mantine/core'
import { IconPlus } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import { ChoiceRow } from './choice-row.tsx'
import type { GridColumn } from './columns.ts'
import { filterColumns } from './filter/operators.ts'
import type { Sort, ViewState } from './row-view.ts'

const t = texts.tableViews.sort
/** Of the API. */
const maxColumns = 10

interface SortDialogProps {
  columns: GridColumn[]
  state: ViewState
  onClose: () => void
}

export function SortDialog({ columns, state: { view, set }, onClose }: SortDialogProps) {
  const sort = view.sort ?? []
  const names = filterColumns(columns).map(({ name }) => name)
  const free = names.filter((name) => !sort.some(({ by }) => by === name))
  const replace = (at: number, changes: Partial<Sort>) =>
    set({ sort: sort.map((one, i) => (i === at ? { ...one, ...changes } : one)) })
  return (
    <Modal opened onClose={onClose} title={t.title}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t.hint}
        </Text>
        {sort.map(({ by, direction }, n) => (
          <ChoiceRow
            key={by}
            first={{
              label: t.column(n + 1),
              value: by,
              data: [by, ...free],
              onChange: (name) => replace(n, { by: name }),
            }}
            second={{
              label: t.direction(n + 1),
              value: direction,
              data: [
                { value: 'asc', label: t.asc },
                { value: 'desc', label: t.desc },
              ],
              onChange: (value) => replace(n, { direction: value as Sort['direction'] }),
            }}
            removeLabel={t.remove(n + 1)}
            onRemove={() => set({ sort: sort.filter((one) => one.by !== by) })}
          />
        ))}
        {free.length > 0 && sort.length < maxColumns && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => set({ sort: [...sort, { by: free[0]!, direction: 'asc' }] })}
          >
            {t.add}
          </Button>
        )}
        <Button onClick={onClose}>{texts.common.close}</Button>
      </Stack>
    </Modal>
  )
}
