// A dialog that imports a file, and shows the result until it is closed or another file is chosen.
import { FileInput, Modal, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DialogForm } from './form-modal.tsx'

interface ImportDialogProps<Result> {
  texts: { import: string; importText: string; importFile: string }
  /** Extensions and media types, as for an input. */
  accept: string
  load: (file: File) => Promise<Result>
  /** Also changed if the import fails: an error may follow the first new objects. */
  changes: string[]
  onClose: () => void
  children: (result: Result) => ReactNode
}

export function ImportDialog<Result>({
  texts,
  accept,
  load,
  changes,
  onClose,
  children,
}: ImportDialogProps<Result>) {
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const action = useMutation({
    mutationFn: () => load(file!),
    onSuccess: () => setFile(null),
    onSettled: () => queries.invalidateQueries({ queryKey: changes }),
  })
  return (
    <Modal opened onClose={onClose} title={texts.import} size="lg">
      <DialogForm
        action={action}
        button={texts.import}
        isReady={file !== null}
        onClose={onClose}
      >
        <Text size="sm">{texts.importText}</Text>
        <FileInput
          label={texts.importFile}
          accept={accept}
          value={file}
          onChange={setFile}
          data-autofocus
        />
        {action.data && children(action.data)}
      </DialogForm>
    </Modal>
  )
}
