// A row of the grid, and the editor of a cell.
// biome-ignore-all lint/a11y/useSemanticElements: elements of a table cannot be virtual rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell
import type { Row } from '@botstead/contract'
import { Checkbox } from '@mantine/core'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { IconAlertTriangle, IconClock } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import type { GridColumn } from '../columns.ts'
import { shownText } from './cell-values.ts'
import classes from './data-grid.module.css'
import type { RowEdits } from './use-edits.ts'
import { rowHeight } from './use-scrolled-rows.ts'

const t = texts.tables.grid

export interface PlacedColumn extends GridColumn {
  index: number
  /** From the left edge of the columns, in pixels. */
  left: number
}

/** Positions in the grid. */
export interface CellAt {
  row: number
  column: number
  /** The row when its editor opened: rows may have moved since. */
  found?: Row
}

export interface Editing {
  column: number
  text: string
}

interface GridRowProps {
  index: number
  row: Row | undefined
  columns: PlacedColumn[]
  shift: number
  width: number
  edits: RowEdits | undefined
  /** The marked columns of this row. */
  range: readonly [from: number, to: number] | null
  active: number | null
  editing: Editing | null
  isChosen: boolean
  onEnd: (text: string | null, key: string) => void
}

export const cellId = (row: number, column: number) => `cell-${row}-${column}`

/** Scrolling draws only the rows that come into view. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, row, columns, shift, width, isChosen } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      className={classes.row}
      style={{ transform: `translateY(${index * rowHeight - shift}px)`, width }}
      data-row={index}
    >
      <div role="rowheader" aria-colindex={1} className={classes.number} data-choose="">
        <Checkbox.Indicator size="xs" checked={isChosen} aria-hidden="true" />
        <span>{row ? row.id : '…'}</span>
      </div>
      {columns.map((column) => (
        <GridCell key={column.name} {...props} column={column} />
      ))}
    </div>
  )
})

function GridCell({
  index,
  row,
  column,
  edits,
  range,
  active,
  editing,
  onEnd,
}: GridRowProps & { column: PlacedColumn }) {
  const edit = edits?.[column.name]
  const value = edit ? edit.value : row?.[column.name]
  const isEdited = editing?.column === column.index
  const isMarked = range !== null && column.index >= range[0] && column.index <= range[1]
  return (
    <div
      role="gridcell"
      id={cellId(index, column.index)}
      aria-colindex={column.index + 2}
      aria-selected={isMarked}
      aria-readonly={column.isComputed || undefined}
      aria-invalid={edit?.error ? true : undefined}
      className={classes.cell}
      data-column={column.index}
      data-type={column.type}
      data-active={active === column.index || undefined}
      data-marked={isMarked || undefined}
      data-state={toState(edit)}
      style={{ left: column.left, width: column.width }}
      title={edit?.error}
    >
      {isEdited ? (
        <CellEditor label={column.name} text={editing.text} onEnd={onEnd} />
      ) : (
        <>
          <span className="foreign one-line">{row ? shownText(value, column) : ''}</span>
          {row && column.isComputed && <ComputedState row={row} name={column.name} />}
        </>
      )}
    </div>
  )
}

function toState(edit: { error?: string } | undefined) {
  if (!edit) return undefined
  return edit.error ? 'failed' : 'saving'
}

function ComputedState({ row, name }: { row: Row; name: string }) {
  const { error } = row.computed[name] ?? {}
  if (row.stale?.includes(name))
    return <IconClock size={14} role="img" aria-label={t.stale} />
  if (!error) return null
  return (
    <IconAlertTriangle
      size={14}
      role="img"
      aria-label={t.notComputed(error)}
      color="var(--bad)"
    >
      <title>{error}</title>
    </IconAlertTriangle>
  )
}

interface CellEditorProps {
  label: string
  text: string
  /** Null discards the input. */
  onEnd: (text: string | null, key: string) => void
}

/** A text area, since values may have several lines. */
function CellEditor({ label, text, onEnd }: CellEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isEnded = useRef(false)
  const end = (value: string | null, key: string) => {
    if (isEnded.current) return
    isEnded.current = true
    onEnd(value, key)
  }
  useEffect(() => {
    const area = field.current!
    area.focus({ preventScroll: true })
    area.setSelectionRange(area.value.length, area.value.length)
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const isLineBreak = event.key === 'Enter' && (event.altKey || event.shiftKey)
    if (isLineBreak || !['Enter', 'Tab', 'Escape'].includes(event.key)) return
    event.preventDefault()
    const key = event.key === 'Tab' && event.shiftKey ? 'BackTab' : event.key
    end(event.key === 'Escape' ? null : event.currentTarget.value, key)
  }
  return (
    <textarea
      ref={field}
      aria-label={label}
      className={classes.editor}
      defaultValue={text}
      rows={Math.min(6, text.split('\n').length)}
      onKeyDown={onKeyDown}
      onBlur={(event) => end(event.currentTarget.value, '')}
    />
  )
}
