// What a wizard will add to the draft, in words.
import {
  type DialogueAnswers,
  type KnownTable,
  makeDialogue,
} from '@botstead/flows/wizards'
import { List, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { texts } from '../../../texts/texts.ts'
import { type Edit, toSegments } from '../draft/edits.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { toObject } from '../flows/bot-document.ts'
import { nameAsFlow } from '../flows/names.ts'

const t = texts.wizards

interface ChangeSummaryProps {
  /** Without faults. */
  answers: DialogueAnswers
  tables: KnownTable[]
}

export function ChangeSummary({ answers, tables }: ChangeSummaryProps) {
  const { value } = useStudio()
  const changes = useMemo(() => {
    const { edits } = makeDialogue(value, answers, tables)
    return [...new Set(edits.flatMap(describe))]
  }, [value, answers, tables])
  return (
    <Stack gap={4} role="group" aria-label={t.makes}>
      <Text size="sm">{t.makes}</Text>
      <List size="sm" className="foreign">
        {changes.map((change) => (
          <List.Item key={change}>{change}</List.Item>
        ))}
      </List>
    </Stack>
  )
}

/** Translations and keys of texts belong to a part that is named already. */
function describe(edit: Edit): string[] {
  if (edit.op !== 'insert' && edit.op !== 'set') return []
  const [part, name = '', ...rest] = toSegments(edit.pointer)
  const added: (readonly [string, unknown])[] =
    name === '' ? Object.entries(toObject(edit.value)) : [[name, edit.value]]
  if (part === 'settings') return [t.makesTimezone(findText(edit.value))]
  if (part === 'tables' && rest.length > 0) return [t.makesColumn(name)]
  if (part === 'flows' && rest.length > 0)
    return rest.at(-1) === 'textKey' ? [] : [t.makesButton(nameAsFlow(name))]
  return added.flatMap(([each, value]) => {
    if (part === 'flows')
      return [t.makesFlow(each, Object.keys(toObject(toObject(value).nodes)).length)]
    if (part === 'tables') return [t.makesTable(each)]
    return part === 'triggers' ? [t.makesTrigger(each)] : []
  })
}

/** Returns the time zone in settings of any depth. */
const findText = (value: unknown): string =>
  typeof value === 'string' ? value : findText(Object.values(toObject(value))[0] ?? '')
