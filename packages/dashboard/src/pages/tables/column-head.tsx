// The title of a column: pressing it sorts the rows. Its menu has the other actions on the column.
import type { Table } from '@botstead/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronDown } from '../../icons/icons.tsx'
import { texts } from '../../texts/texts.ts'
import type { ColumnAction } from './column-changes/column-dialogs.tsx'
import type { GridColumn } from './columns.ts'
import classes from './grid/data-grid.module.css'
import type { Sort, ViewState } from './row-view.ts'

const t = texts.tables.grid
const head = texts.tableViews.head

interface ColumnHeadProps {
  table: Table
  column: GridColumn
  state: ViewState
  isEditor: boolean
  onAction: (action: ColumnAction) => void
}

export function ColumnHead(props: ColumnHeadProps) {
  const { name } = props.column
  const { view, set } = props.state
  const order = view.sort ?? []
  const position = order.findIndex(({ by }) => by === name)
  const direction = order[position]?.direction
  // Ascending, descending, as stored.
  const next = ({ none: 'asc', asc: 'desc', desc: undefined } as const)[
    direction ?? 'none'
  ]
  const Arrow = direction === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <>
      <button
        type="button"
        className={classes.sort}
        onClick={() => set({ sort: next ? [{ by: name, direction: next }] : [] })}
        // The server sorts found rows by similarity.
        disabled={view.search !== undefined}
        aria-label={t.sortBy(name)}
        title={name}
      >
        <span className="foreign one-line">{name}</span>
        {direction && (
          <Arrow
            size={14}
            role="img"
            aria-label={direction === 'asc' ? t.ascending : t.descending}
          />
        )}
        {direction && order.length > 1 && (
          <span title={head.position(position + 1)}>{position + 1}</span>
        )}
      </button>
      <ColumnMenu {...props} />
    </>
  )
}

function ColumnMenu({
  table,
  column: { name, type, isComputed },
  state: { view, set },
  isEditor,
  onAction,
}: ColumnHeadProps) {
  const others = (view.sort ?? []).filter(({ by }) => by !== name)
  const sort = (direction: Sort['direction'], before: Sort[]) =>
    set({ sort: [...before, { by: name, direction }] })
  const mayChange = isEditor && !table.frozen
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={head.menu(name)}>
          <IconChevronDown size={14} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!view.search && (
          <>
            <Menu.Item onClick={() => sort('asc', [])}>{head.asc}</Menu.Item>
            <Menu.Item onClick={() => sort('desc', [])}>{head.desc}</Menu.Item>
          </>
        )}
        {!view.search && others.length > 0 && (
          <>
            <Menu.Item onClick={() => sort('asc', others)}>{head.addAsc}</Menu.Item>
            <Menu.Item onClick={() => sort('desc', others)}>{head.addDesc}</Menu.Item>
          </>
        )}
        {!view.search && (
          <Menu.Item onClick={() => set({ group: { [name]: ['key'], id: ['count'] } })}>
            {head.group}
          </Menu.Item>
        )}
        {mayChange && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => onAction({ kind: 'rename', column: name })}>
              {head.rename}
            </Menu.Item>
            {!isComputed && (
              <Menu.Item onClick={() => onAction({ kind: 'convert', column: name })}>
                {head.convert}
              </Menu.Item>
            )}
            {type === 'string' && !isComputed && (
              <Menu.Item onClick={() => onAction({ kind: 'userId', column: name })}>
                {head.userId}
              </Menu.Item>
            )}
            <Menu.Item
              color="red"
              onClick={() => onAction({ kind: 'delete', column: name })}
            >
              {head.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
