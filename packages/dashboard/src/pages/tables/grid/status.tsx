// Below the grid: number of rows, state of edits, undo.
import type { Row } from '@botstead/contract'
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import type { GridColumn } from '../columns.ts'
import classes from './data-grid.module.css'
import type { Edits, FailedEdit } from './use-edits.ts'

const t = texts.tables.grid

interface GridStatusProps {
  count: number
  /** Of the table. */
  total: number
  edits: Edits
  /** Of the active cell. */
  row: Row | undefined
  column: GridColumn | undefined
  isEditable: boolean
  /** Sorts the rows again. Undefined while the order is right. */
  onSort: (() => void) | undefined
}

export function GridStatus(props: GridStatusProps) {
  const { count, total, edits, row, column, isEditable, onSort } = props
  const isActive = ({ rowId, column: name }: FailedEdit) =>
    rowId === row?.id && name === column?.name
  const failed = edits.failed.find(isActive) ?? edits.failed[0]
  return (
    <div className={classes.status}>
      <span>{count === total ? t.rows(count) : t.rowsOf(count, total)}</span>
      {isEditable && <UndoButtons edits={edits} />}
      <div role="status" className={classes.status}>
        {onSort && (
          <>
            <span>{t.unsorted}</span>
            <Button size="compact-xs" variant="default" onClick={onSort}>
              {t.sortAgain}
            </Button>
          </>
        )}
        {failed && (
          <>
            <span style={{ color: 'var(--bad)' }} className="foreign">
              {t.failed(edits.failed.length)} {t.failedAt(failed)}
            </span>
            <Button size="compact-xs" variant="default" onClick={() => edits.discard()}>
              {t.discard}
            </Button>
          </>
        )}
      </div>
      {isEditable && !failed && <span className="wide-only">{t.hint}</span>}
    </div>
  )
}

const UndoButtons = ({ edits: { undo, redo } }: { edits: Edits }) => (
  <Button.Group>
    {[
      { label: t.undo, act: undo, icon: IconArrowBackUp },
      { label: t.redo, act: redo, icon: IconArrowForwardUp },
    ].map(({ label, act, icon: ActionIcon }) => (
      <Button
        key={label}
        size="compact-sm"
        variant="default"
        aria-label={label}
        title={label}
        disabled={!act}
        onClick={act}
      >
        <ActionIcon size={16} aria-hidden="true" />
      </Button>
    ))}
  </Button.Group>
)
