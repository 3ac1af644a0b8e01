// A dialog for the name of a test, which no other test of the document has.
import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { findNameProblem } from './test-edits.ts'

const t = texts.studio.tests

interface TestNameDialogProps {
  title: string
  /** At first. */
  name: string
  /** The present name of the test, which it may keep. */
  own?: string
  children?: ReactNode
  onSave: (name: string) => void
  onClose: () => void
}

export function TestNameDialog({
  title,
  own,
  onSave,
  onClose,
  ...props
}: TestNameDialogProps) {
  const { value } = useStudio()
  const [name, setName] = useState(props.name)
  const problem = findNameProblem(value, name, own)
  return (
    <FormModal
      title={title}
      button={texts.common.save}
      action={{ mutate: () => onSave(name.trim()) }}
      isReady={problem === null}
      onClose={onClose}
    >
      <TextInput
        label={t.name}
        value={name}
        error={problem && t.nameProblems[problem]}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      {props.children}
    </FormModal>
  )
}
