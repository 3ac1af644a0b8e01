// The words that begin a dialogue of a wizard, as a field: its condition is JavaScript.
import { readBeginnings, toBeginningsEdit } from '@botstead/flows/wizards'
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../texts/texts.ts'
import { toPointer } from './draft/edits.ts'
import { useStudio } from './draft/use-draft.tsx'
import { toObject } from './flows/bot-document.ts'

export function TriggerWords() {
  const { value } = useStudio()
  return Object.entries(toObject(value.triggers)).map(([name, trigger]) => {
    const words = readBeginnings(trigger)
    return (
      words && (
        <Words key={`${name} ${words}`} name={name} trigger={trigger} words={words} />
      )
    )
  })
}

interface WordsProps {
  name: string
  trigger: unknown
  /** Between spaces. */
  words: string[]
}

/** Without a word, the field returns to the former ones: the dialogue could not begin. */
function Words({ name, trigger, words }: WordsProps) {
  const { edit, isEditor } = useStudio()
  const known = words.map((word) => word.trim()).join(', ')
  const [typed, setTyped] = useState(known)
  const save = () => {
    const change = toBeginningsEdit(
      toPointer('triggers', name),
      trigger,
      typed.split(','),
    )
    const isEmpty = typed.replace(/[\s,]/g, '') === ''
    if (isEmpty) setTyped(known)
    else if (typed !== known) edit([change])
  }
  return (
    <Textarea
      label={`${name}: ${texts.wizards.words}`}
      description={texts.wizards.wordsHint}
      value={typed}
      autosize
      disabled={!isEditor}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={save}
    />
  )
}
