// Shows and edits a cell with an object or an array.
import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { lazily } from '../../../parts/lazily.tsx'
import { Loading } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'
import type { GridColumn } from '../columns.ts'
import { parseCell } from './cell-values.ts'

const JsonEditor = lazily(
  async () => (await import('../../../parts/forms/json-editor.tsx')).JsonEditor,
  <Loading />,
)

interface JsonDialogProps {
  column: GridColumn
  value: unknown
  /** Undefined if the table is read-only. */
  onSave: ((value: unknown) => void) | undefined
  onClose: () => void
}

export function JsonDialog({
  column,
  value,
  onSave: onEdited,
  onClose,
}: JsonDialogProps) {
  const onSave = column.isComputed ? undefined : onEdited
  const [text, setText] = useState(value === null ? '' : JSON.stringify(value, null, 2))
  const parsed = parseCell(text.trim(), column)
  const save = () => {
    if (!onSave || 'wrong' in parsed) return
    onSave(parsed.value)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={column.name} size="lg">
      <Stack>
        <JsonEditor
          label={column.name}
          text={text}
          onChange={onSave && setText}
          maxHeight={400}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {onSave ? texts.common.cancel : texts.common.close}
          </Button>
          {onSave && (
            <Button onClick={save} disabled={'wrong' in parsed}>
              {texts.common.save}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
