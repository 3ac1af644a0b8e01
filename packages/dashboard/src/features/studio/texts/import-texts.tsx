// The dialog that reads a file of a translator, lists what it would change, and applies it.
import {
  type ImportPlan,
  planImport,
  readTextFile,
  toTextEdits,
} from '@botstead/flows/texts'
import { FileInput, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { DialogForm } from '../../../parts/forms/form-modal.tsx'
import { InputError } from '../../../parts/forms/input-error.ts'
import { notifyDone } from '../../../parts/notify.ts'
import { Sentence } from '../../../parts/texts/sentence.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { nameLanguage } from './language-names.ts'

const t = texts.studio.languages

const maxBytes = 20_000_000

export function ImportTexts({ onClose }: { onClose: () => void }) {
  const { value, edit } = useStudio()
  const [file, setFile] = useState<File | null>(null)
  const [plan, setPlan] = useState<ImportPlan | null>(null)
  const action = useMutation({
    mutationFn: async () => {
      if (!plan) return setPlan(planImport(value, await read(file!)))
      edit(toTextEdits(value, plan.changes).edits)
      notifyDone(t.imported(plan.changes.length))
      onClose()
    },
  })
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setPlan(null)
    action.reset()
  }
  const isEmpty = plan !== null && plan.changes.length === 0
  return (
    <Modal opened onClose={onClose} title={t.importTitle} size="lg">
      <DialogForm
        action={action}
        button={plan ? t.apply(plan.changes.length) : t.compare}
        isReady={file !== null && !isEmpty}
        onClose={onClose}
      >
        <Text size="sm">{t.importText}</Text>
        <FileInput
          label={t.importFile}
          accept=".csv,.xlf,.xliff,text/csv,application/xliff+xml"
          value={file}
          onChange={choose}
          data-autofocus
        />
        {plan && <Plan {...plan} />}
      </DialogForm>
    </Modal>
  )
}

async function read(file: File) {
  if (file.size > maxBytes) throw new InputError(t.fileTooLarge)
  try {
    return readTextFile(await file.text())
  } catch (error) {
    throw new InputError(t.fileRejected, (error as Error).message)
  }
}

const maxListed = 100

function Plan({ changes, unknown, outdated, variables, same }: ImportPlan) {
  const [isOutdated, isSuspicious] = [new Set(outdated), new Set(variables)]
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{t.planned(changes.length, same)}</Text>
      {changes.length > 0 && (
        <List title={t.changes} count={changes.length}>
          {changes.slice(0, maxListed).map(({ key, language, before, text, place }) => (
            <Text key={`${language} ${key}`} component="li" size="sm" className="foreign">
              <Sentence text={(name) => texts.common.labelled(name, '')}>
                <strong>
                  {nameLanguage(language ?? '')} · {place || key}
                </strong>
              </Sentence>
              {before !== null && <s>{before}</s>} {text}
              {isOutdated.has(key) && <Note>{t.planOutdated}</Note>}
              {isSuspicious.has(key) && <Note>{t.planVariables}</Note>}
            </Text>
          ))}
        </List>
      )}
      {unknown.length > 0 && (
        <List title={t.unknown} count={unknown.length}>
          {unknown.slice(0, maxListed).map(({ key, language, text }) => (
            <Text key={`${language} ${key}`} component="li" size="sm" className="foreign">
              {texts.common.labelled(`${nameLanguage(language)} · ${key}`, text)}
            </Text>
          ))}
        </List>
      )}
    </Stack>
  )
}

const Note = ({ children }: { children: string }) => (
  <Text component="span" size="xs" c="var(--bad)" ml={6}>
    {children}
  </Text>
)

interface ListProps {
  title: string
  count: number
  children: React.ReactNode
}

const List = ({ title, count, children }: ListProps) => (
  <section aria-label={title}>
    <Text size="sm" fw={600}>
      {title}
    </Text>
    <ul className="problems" style={{ maxHeight: 220, overflow: 'auto' }}>
      {children}
    </ul>
    {count > maxListed && <Text size="xs">{t.more(count - maxListed)}</Text>}
  </section>
)
