// The title of a column; pressing it sorts the rows.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { Filters } from '../../router.tsx'
import { texts } from '../../texts/texts.ts'
import type { GridColumn } from './columns.ts'
import classes from './grid/data-grid.module.css'
import { useRowView } from './row-view.ts'

const t = texts.tables.grid

export function ColumnHead({ column: { name } }: { column: GridColumn }) {
  const { orderBy, orderDirection, search } = useRowView()
  const navigate = useNavigate()
  const direction = orderBy === name ? orderDirection : undefined
  // Ascending, descending, as stored.
  const next = ({ none: 'asc', asc: 'desc', desc: undefined } as const)[direction ?? 'none']
  const sort = () =>
    void navigate({
      to: '.',
      search: (before: Filters) => ({ ...before, sort: next && name, direction: next }),
      replace: true,
    })
  const Arrow = direction === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <button
      type="button"
      className={classes.sort}
      onClick={sort}
      // The server sorts found rows by similarity.
      disabled={search !== undefined}
      aria-label={t.sortBy(name)}
      title={name}
    >
      <span className="foreign one-line">{name}</span>
      {direction && (
        <Arrow size={14} role="img" aria-label={direction === 'asc' ? t.ascending : t.descending} />
      )}
    </button>
  )
}
