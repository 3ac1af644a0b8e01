// Below the grid: number of rows, state of edits, undo.
import type { Row } from '@botstead/contract'
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { texts } from '../../../texts/texts.ts'
import type { GridColumn } from '../columns.ts'
import classes from './data-grid.module.css'
import type { Edits } from './use-edits.ts'

const t = texts.tables.grid

interface GridStatusProps {
  count: number
  edits: Edits
  /** Of the active cell. */
  row: Row | undefined
  column: GridColumn | undefined
  isEditable: boolean
}

export function GridStatus({ count, edits, row, column, isEditable }: GridStatusProps) {
  const error = row && column && edits.ofRow(row.id)?.[column.name]?.error
  return (
    <div className={classes.status}>
      <span>{t.rows(count)}</span>
      {isEditable && <UndoButtons edits={edits} />}
      <div role="status" className={classes.status}>
        {edits.failed > 0 && (
          <>
            <span style={{ color: 'var(--bad)' }} className="foreign">
              {error ? t.notSaved(column.name, error) : t.failed(edits.failed)}
            </span>
            <Button size="compact-xs" variant="default" onClick={() => edits.discard()}>
              {t.discard}
            </Button>
          </>
        )}
      </div>
      {isEditable && edits.failed === 0 && <span className="wide-only">{t.hint}</span>}
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
