// How visitors reach a dialogue: words, and a button below a greeting.
import { listGreetings } from '@botstead/flows/wizards'
import { Fieldset, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { describePlace } from '../flows/places.ts'
import { useFault, useWizardForm } from './wizard-form.ts'

const t = texts.wizards
const maxListed = 60

export function ReachFields() {
  const { answers, change } = useWizardForm()
  return (
    <Fieldset legend={t.reach} variant="filled">
      <Stack gap="sm">
        <WordsField />
        <TextInput
          label={t.button}
          description={t.buttonHint}
          value={answers.button}
          error={useFault('button', t.button)}
          onChange={(event) => change({ button: event.currentTarget.value })}
        />
        {answers.button !== '' && <GreetingFields />}
      </Stack>
    </Fieldset>
  )
}

/** Keeps commas while people type. */
function WordsField() {
  const { answers, change } = useWizardForm()
  const [text, setText] = useState(answers.words.join(', '))
  return (
    <TextInput
      label={t.words}
      description={t.wordsHint}
      value={text}
      error={useFault('words', t.words)}
      onChange={(event) => {
        setText(event.currentTarget.value)
        const words = event.currentTarget.value.split(',').map((word) => word.trim())
        change({ words: words.filter((word) => word !== '') })
      }}
    />
  )
}

const toShort = (text: string) =>
  text.length > maxListed ? `${text.slice(0, maxListed)}…` : text

/** An expression alone says nothing to people. */
const isReadable = (text: string) => text.replaceAll(/\{\{.*?\}\}/gs, '').trim() !== ''

function GreetingFields() {
  const { value } = useStudio()
  const { answers, change } = useWizardForm()
  const greetings = listGreetings(value)
  return (
    <>
      <Select
        label={t.greeting}
        allowDeselect={false}
        data={[
          ...greetings.map(({ pointer, text }) => ({
            value: pointer,
            label: t.below(
              toShort(isReadable(text) ? text : describePlace(pointer, value)),
            ),
          })),
          { value: '', label: t.newGreeting },
        ]}
        value={answers.greeting ?? ''}
        onChange={(chosen) => change({ greeting: chosen === '' ? null : chosen })}
      />
      <TextInput
        label={t.greetingText}
        description={answers.greeting !== null && t.greetingTextHint}
        value={answers.greetingText}
        error={useFault('greetingText', t.greetingText)}
        onChange={(event) => change({ greetingText: event.currentTarget.value })}
      />
    </>
  )
}
