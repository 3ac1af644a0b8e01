// The dialog that saves a conversation as a test of the document, or as a file.
import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { saveFile } from '../../../parts/files/save-file.ts'
import { notifyDone } from '../../../parts/notify.ts'
import { Sentence } from '../../../parts/texts/sentence.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { type Recorded, toScript, toTest, toTestName } from './recorded-test.ts'
import { addTest, freeTestName } from './test-edits.ts'
import { TestNameDialog } from './test-name-dialog.tsx'

const t = texts.studio.tests

interface SaveTestProps {
  messages: Recorded[]
  hint?: string
  onClose: () => void
}

export function SaveTest({ messages, hint = '', onClose }: SaveTestProps) {
  const { value, edit } = useStudio()
  // A message that arrives while the dialog is open is not recorded.
  const [recorded] = useState(messages)
  const [proposed] = useState(() => freeTestName(value, proposeName(recorded)))
  const save = (name: string) => {
    edit(addTest(value, name, toTest(recorded)))
    notifyDone(t.saved(name))
    onClose()
  }
  const download = () => {
    downloadTest(proposed, recorded)
    onClose()
  }
  return (
    <TestNameDialog title={t.save} name={proposed} onSave={save} onClose={onClose}>
      <Text size="sm">
        {t.saveHint} {hint}
      </Text>
      <Text size="sm" c="dimmed">
        <Sentence text={t.downloadHint}>
          <Anchor component="button" type="button" size="sm" onClick={download}>
            {t.download}
          </Anchor>
        </Sentence>
      </Text>
    </TestNameDialog>
  )
}

export const proposeName = (messages: Recorded[]) =>
  toTestName(messages) ||
  t.recorded(new Date().toISOString().slice(0, 16).replace('T', ' '))

/** Saves a script for `botstead test` as a file. */
export function downloadTest(name: string, messages: Recorded[]) {
  const script = toScript(name, messages)
  saveFile('conversation.yaml', new Blob([script], { type: 'application/yaml' }))
}
