// The rows of a table as a grid with virtual rows and columns. The grid has the focus and names its
// active cell, so the focus stays when that cell scrolls out of view.
// biome-ignore-all lint/a11y/useSemanticElements: elements of a table cannot be virtual rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell
import type { Table } from '@botstead/contract'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { Failed } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import { type GridColumn, toColumns } from '../columns.ts'
import type { RowView } from '../row-view.ts'
import { cellId, GridRow, type PlacedColumn } from './cell.tsx'
import classes from './data-grid.module.css'
import { JsonDialog } from './json-dialog.tsx'
import { GridStatus } from './status.tsx'
import { useCellActions } from './use-cell-actions.ts'
import type { Edits } from './use-edits.ts'
import { overscan, type ScrolledRows, useScrolledRows } from './use-scrolled-rows.ts'
import { useSelection } from './use-selection.ts'
import { useTableRows } from './use-table-rows.ts'

const headHeight = 38
const numberWidth = 76

interface DataGridProps {
  table: Table
  count: number
  /** Of the table. */
  total: number
  view: RowView
  isEditable: boolean
  chosen: ReadonlySet<number>
  edits: Edits
  onChosen: (rows: Set<number>) => void
  /** The title of a column, with its menu. */
  head: (column: GridColumn) => ReactNode
}

export function DataGrid(props: DataGridProps) {
  const { table, count, total, isEditable, edits, head } = props
  const area = useRef<HTMLDivElement>(null)
  const { columns, placed, scrolled, rows, active, actions, rowState } = useGrid(
    area,
    props,
  )
  const end = useStable(actions.end)
  const width = numberWidth + placed.reduce((sum, column) => sum + column.width, 0)
  const shown = useColumnsInView(placed, scrolled)
  const isVisible =
    active.row >= scrolled.first &&
    active.row <= scrolled.last &&
    shown.some(({ index }) => index === active.column)
  const { opened } = actions
  const onSort = useResort(props, rows.refetch)
  useHold(edits, opened !== null || actions.editing !== null || onSort !== undefined)
  return (
    <>
      {rows.error && <Failed error={rows.error} retry={rows.refetch} />}
      <div
        ref={area}
        role="grid"
        aria-label={table.name}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-readonly={!isEditable}
        aria-activedescendant={isVisible ? cellId(active.row, active.column) : undefined}
        tabIndex={0}
        className={`${classes.area} panel`}
        {...actions.handlers}
      >
        <GridHead columns={shown} width={width} head={head} />
        <div
          className={classes.canvas}
          style={{ height: scrolled.height, width }}
          role="rowgroup"
        >
          {toNumbers(scrolled).map((index) => (
            <GridRow
              key={index}
              {...{ index, width }}
              {...rowState(index)}
              columns={shown}
              shift={scrolled.shift}
              onEnd={end}
            />
          ))}
        </div>
      </div>
      <GridStatus
        {...{ count, total, edits, isEditable }}
        row={rows.rowAt(active.row)}
        column={columns[active.column]}
        onSort={onSort}
      />
      {opened && (
        <JsonDialog
          column={columns[opened.column]!}
          value={actions.valueAt(opened) ?? null}
          onSave={isEditable ? actions.saveOpened : undefined}
          onClose={actions.close}
        />
      )}
    </>
  )
}

function useHold({ hold }: Edits, isHeld: boolean) {
  const latest = useStable(hold)
  useEffect(() => {
    latest(isHeld)
    return () => latest(false)
  }, [latest, isHeld])
}

/** An edited row keeps its place, so that it stays in view. */
function useResort({ view, edits }: DataGridProps, refetch: () => void) {
  const { changedColumns, forgetChanged } = edits
  // The rows of another view are sorted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each view
  useEffect(forgetChanged, [])
  if (!view.sort?.some(({ by }) => changedColumns.has(by))) return undefined
  return () => {
    forgetChanged()
    refetch()
  }
}

function useGrid(
  area: RefObject<HTMLDivElement | null>,
  { table, count, view, isEditable, chosen, edits, onChosen }: DataGridProps,
) {
  const columns = useMemo(() => toColumns(table), [table])
  const placed = useMemo(() => placedColumns(columns), [columns])
  const scrolled = useScrolledRows(area, count, headHeight)
  const rows = useTableRows(table.id, view, scrolled)
  const selection = useSelection(count, columns.length)
  const { active, range } = selection
  const onChoose = useChoice(rows.rowAt, chosen, onChosen)
  const pageRows = Math.max(1, scrolled.last - scrolled.first - 2 * overscan)
  const focus = () => area.current?.focus({ preventScroll: true })
  const actions = useCellActions({
    columns,
    rowAt: rows.rowAt,
    edits,
    selection,
    isEditable,
    pageRows,
    focus,
    onChoose,
  })
  useVisibleCell(area, scrolled, placed[active.column], active.row)
  const rowState = (index: number) => {
    const row = rows.rowAt(index)
    return {
      row,
      edits: row && edits.ofRow(row.id),
      range: index >= range.rows[0] && index <= range.rows[1] ? range.columns : null,
      active: active.row === index ? active.column : null,
      editing: actions.editing?.row === index ? actions.editing : null,
      isChosen: row !== undefined && chosen.has(row.id),
    }
  }
  return { columns, placed, scrolled, rows, active, actions, rowState }
}

interface GridHeadProps {
  columns: PlacedColumn[]
  width: number
  head: DataGridProps['head']
}

const GridHead = ({ columns, width, head }: GridHeadProps) => (
  <div role="rowgroup" className={classes.head} style={{ width }}>
    <div role="row" aria-rowindex={1}>
      <div role="columnheader" aria-colindex={1} className={classes.number}>
        {texts.tables.grid.number}
      </div>
      {columns.map((column) => (
        <div
          key={column.name}
          role="columnheader"
          aria-colindex={column.index + 2}
          className={classes.headCell}
          style={{ left: column.left, width: column.width }}
        >
          {head(column)}
        </div>
      ))}
    </div>
  </div>
)

function placedColumns(columns: GridColumn[]): PlacedColumn[] {
  let left = numberWidth
  return columns.map((column, index) => {
    const placed = { ...column, index, left }
    left += column.width
    return placed
  })
}

/** The same array until another column comes into view. */
function useColumnsInView(columns: PlacedColumn[], { left, width }: ScrolledRows) {
  const isInView = (column: PlacedColumn) =>
    column.left < left + width && column.left + column.width > left
  const first = columns.findIndex(isInView)
  const last = columns.findLastIndex(isInView)
  return useMemo(
    () => columns.slice(Math.max(0, first), last + 1),
    [columns, first, last],
  )
}

const toNumbers = ({ first, last }: ScrolledRows) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)

/** Scrolls to the active cell when it changes. */
function useVisibleCell(
  area: RefObject<HTMLDivElement | null>,
  { scrollTo }: ScrolledRows,
  column: PlacedColumn | undefined,
  row: number,
) {
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the cell changes
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo(row)
    if (!column || !area.current) return
    const { scrollLeft, clientWidth } = area.current
    const most = column.left - numberWidth
    const least = column.left + column.width - clientWidth
    area.current.scrollLeft = Math.min(most, Math.max(scrollLeft, least))
  }, [row, column?.index])
}

/** Chooses rows by their numbers; with the shift key those since the last one. */
function useChoice(
  rowAt: (index: number) => { id: number } | undefined,
  chosen: ReadonlySet<number>,
  onChosen: (rows: Set<number>) => void,
) {
  const last = useRef(0)
  return (index: number, isExtending: boolean) => {
    const next = new Set(chosen)
    const from = isExtending ? Math.min(last.current, index) : index
    const to = isExtending ? Math.max(last.current, index) : index
    const ids = Array.from({ length: to - from + 1 }, (_, i) => rowAt(from + i)?.id)
    const isAdded = isExtending || !next.has(ids[0] ?? -1)
    for (const id of ids) if (id !== undefined) isAdded ? next.add(id) : next.delete(id)
    last.current = index
    onChosen(next)
  }
}

/** The same function with each render, so that rows need not be drawn again. */
function useStable<Values extends unknown[]>(work: (...values: Values) => void) {
  const latest = useRef(work)
  latest.current = work
  return useCallback((...values: Values) => latest.current(...values), [])
}
