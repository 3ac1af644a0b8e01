// A place to drop files and folders, with buttons that open dialogs to choose them.
import { Button, Group, Stack } from '@mantine/core'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { texts } from '../../texts/texts.ts'

const t = texts.common.files

interface FileDropProps {
  /** The chosen files, or what to drop. */
  children: ReactNode
  /** File name extensions of the dialog, separated by commas. */
  accept?: string
  isReading?: boolean
  onFiles: (files: File[]) => void
  /** Must read the files in the event. */
  onDropped: (data: DataTransfer) => void
  /** Offers one file, and no folder. */
  isSingle?: boolean
}

export function FileDrop({
  children,
  accept,
  isReading = false,
  onFiles,
  onDropped,
  isSingle = false,
}: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const dropped = (event: DragEvent) => {
    event.preventDefault()
    // The page below may take drops, too.
    event.stopPropagation()
    setOver(false)
    onDropped(event.dataTransfer)
  }
  const chosen = (files: File[]) => {
    if (files.length > 0) onFiles(files)
  }
  const dialog = { loading: isReading, onFiles: chosen, ...(accept && { accept }) }
  return (
    <Stack
      gap="xs"
      p="md"
      align="center"
      ta="center"
      className={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <div aria-live="polite">{children}</div>
      <Group gap="xs" justify="center">
        {isSingle ? (
          <ChooseButton label={t.chooseFile} {...dialog} />
        ) : (
          <>
            <ChooseButton label={t.chooseFiles} {...dialog} multiple />
            <ChooseButton label={t.chooseFolder} onFiles={chosen} webkitdirectory="" />
          </>
        )}
      </Group>
    </Stack>
  )
}

interface ChooseButtonProps {
  label: string
  loading?: boolean
  onFiles: (files: File[]) => void
  accept?: string
  multiple?: boolean
  /** Chooses a folder. */
  webkitdirectory?: ''
}

function ChooseButton({ label, loading = false, onFiles, ...input }: ChooseButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="default" loading={loading} onClick={() => field.current?.click()}>
        {label}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={label}
        {...input}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same files can be chosen again.
          currentTarget.value = ''
          onFiles(files)
        }}
      />
    </>
  )
}
