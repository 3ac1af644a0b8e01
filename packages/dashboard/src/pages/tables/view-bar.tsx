// Filter, order and groups of a table, and the dialogs that change them.
import { ActionIcon, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { IconArrowsSort, IconFilter, IconStack2, IconX } from '../../icons/icons.tsx'
import { lazily } from '../../parts/lazily.tsx'
import { texts } from '../../texts/texts.ts'
import type { GridColumn } from './columns.ts'
import { ruleCount, toTree } from './filter/filter-tree.ts'
import { GroupDialog } from './group/group-dialog.tsx'
import type { ViewState } from './row-view.ts'
import { SortDialog } from './sort-dialog.tsx'

const t = texts.tableViews
// The editor of JSON is large.
const FilterDialog = lazily(
  async () => (await import('./filter/filter-dialog.tsx')).FilterDialog,
)

interface ViewBarProps {
  tableId: string
  columns: GridColumn[]
  state: ViewState
}

export function ViewBar({ tableId, columns, state }: ViewBarProps) {
  const { view, group, set } = state
  const [dialog, setDialog] = useState<'filter' | 'sort' | 'group' | null>(null)
  const close = () => setDialog(null)
  const tree = view.filter && toTree(view.filter)
  const rules = view.filter ? Math.max(1, tree ? ruleCount(tree) : 1) : 0
  return (
    <Group gap="xs" role="toolbar" aria-label={t.label}>
      <Button.Group>
        <Button
          variant={rules > 0 ? 'light' : 'default'}
          size="sm"
          leftSection={<IconFilter size={16} aria-hidden="true" />}
          onClick={() => setDialog('filter')}
        >
          {t.filter.button(rules)}
        </Button>
        {rules > 0 && (
          <ClearButton label={t.filter.clear} onClick={() => set({ filter: {} })} />
        )}
      </Button.Group>
      {!group && !view.search && (
        <Button.Group>
          <Button
            variant={view.sort ? 'light' : 'default'}
            size="sm"
            leftSection={<IconArrowsSort size={16} aria-hidden="true" />}
            onClick={() => setDialog('sort')}
          >
            {t.sort.button(view.sort?.length ?? 0)}
          </Button>
          {view.sort && (
            <ClearButton label={t.sort.clear} onClick={() => set({ sort: [] })} />
          )}
        </Button.Group>
      )}
      {!view.search && (
        <Button
          variant={group ? 'light' : 'default'}
          size="sm"
          leftSection={<IconStack2 size={16} aria-hidden="true" />}
          onClick={() => setDialog('group')}
        >
          {t.group.button}
        </Button>
      )}
      {group && (
        <Button variant="default" size="sm" onClick={() => set({ group: undefined })}>
          {t.group.clear}
        </Button>
      )}
      {dialog === 'filter' && (
        <FilterDialog
          tableId={tableId}
          columns={columns}
          filter={view.filter ?? {}}
          onApply={(filter) => set({ filter })}
          onClose={close}
        />
      )}
      {dialog === 'sort' && (
        <SortDialog columns={columns} state={state} onClose={close} />
      )}
      {dialog === 'group' && (
        <GroupDialog columns={columns} state={state} onClose={close} />
      )}
    </Group>
  )
}

const ClearButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="light" size={36} aria-label={label} onClick={onClick}>
    <IconX size={14} aria-hidden="true" />
  </ActionIcon>
)
