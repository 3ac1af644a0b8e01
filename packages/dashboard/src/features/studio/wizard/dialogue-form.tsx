// The form of a dialogue. Faults appear when it is submitted, below their fields.
import {
  checkAnswers,
  type DialogueAnswers,
  type KnownTable,
  listTables,
  makeDialogue,
} from '@botstead/flows/wizards'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { FormButtons } from '../../../parts/forms/form-buttons.tsx'
import { texts } from '../../../texts/texts.ts'
import { useStudio } from '../draft/use-draft.tsx'
import { BookingFields } from './booking-fields.tsx'
import { ChangeSummary } from './change-summary.tsx'
import { OrderFields, RatingFields } from './other-fields.tsx'
import { FormFields } from './question-fields.tsx'
import { ReachFields } from './reach-fields.tsx'
import { TableFields } from './table-fields.tsx'
import {
  useFault,
  useWizardForm,
  type WizardForm,
  WizardFormContext,
} from './wizard-form.ts'

const t = texts.wizards

interface DialogueFormProps {
  beginning: DialogueAnswers
  tables: KnownTable[]
  goBack: () => void
  openFlow: (flow: string) => void
  onClose: () => void
}

export function DialogueForm(props: DialogueFormProps) {
  const { beginning, tables, goBack, openFlow, onClose } = props
  const { value, edit } = useStudio()
  const [answers, setAnswers] = useState(beginning)
  const [isSubmitted, setSubmitted] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const faults = useMemo(
    () => checkAnswers(value, answers, tables),
    [value, answers, tables],
  )
  const state: WizardForm = {
    answers,
    change: (changes) => setAnswers({ ...answers, ...changes } as DialogueAnswers),
    tables: listTables(value, tables),
    faults: isSubmitted ? faults : [],
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (faults.length > 0) return focusFault(form.current)
    const { flow, edits } = makeDialogue(value, answers, tables)
    edit(edits)
    openFlow(flow)
    onClose()
  }
  return (
    <WizardFormContext value={state}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack>
          <Button
            variant="subtle"
            size="compact-sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={goBack}
          >
            {t.back}
          </Button>
          <TitleField />
          <Content kind={answers.kind} />
          <TableFields />
          <ReachFields />
          {faults.length === 0 && <ChangeSummary answers={answers} tables={tables} />}
          <Text size="sm" c="var(--bad)" role="status">
            {isSubmitted && faults.length > 0 && t.faults(faults.length)}
          </Text>
          <FormButtons onCancel={onClose}>{t.create}</FormButtons>
        </Stack>
      </form>
    </WizardFormContext>
  )
}

/** Moves the focus to the first field with a fault, once the fields show theirs. */
const focusFault = (form: HTMLFormElement | null) =>
  requestAnimationFrame(() =>
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
  )

function TitleField() {
  const { answers, change } = useWizardForm()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <TextInput
      ref={input}
      label={t.name}
      value={answers.title}
      error={useFault('title', t.name)}
      onChange={(event) => change({ title: event.currentTarget.value })}
    />
  )
}

function Content({ kind }: { kind: DialogueAnswers['kind'] }) {
  if (kind === 'booking') return <BookingFields />
  if (kind === 'order') return <OrderFields />
  return kind === 'rating' ? <RatingFields /> : <FormFields />
}
