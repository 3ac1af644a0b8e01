// The questions of a dialogue: added, changed, put into an order.
import {
  type AnswerKind,
  answerKinds,
  type BookingAnswers,
  type FormAnswers,
  type PresetName,
  presetNames,
  type Question,
  toPreset,
} from '@botstead/flows/wizards'
import {
  Button,
  Checkbox,
  Fieldset,
  Menu,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { IconPlus } from '../../../icons/icons.tsx'
import { texts } from '../../../texts/texts.ts'
import { OrderButtons } from '../forms/order-buttons.tsx'
import { useFault, useWizardForm } from './wizard-form.ts'

const t = texts.wizards
const kinds = answerKinds.map((value) => ({
  value,
  label: texts.studio.names.words[value] ?? value,
}))

export function FormFields() {
  const { answers, change } = useWizardForm()
  const { isConfirmed, closing } = answers as FormAnswers
  return (
    <>
      <QuestionFields />
      <Checkbox
        label={t.isConfirmed}
        checked={isConfirmed}
        onChange={(event) => change({ isConfirmed: event.currentTarget.checked })}
      />
      <Textarea
        label={t.closing}
        autosize
        value={closing}
        error={useFault('closing', t.closing)}
        onChange={(event) => change({ closing: event.currentTarget.value })}
      />
      <PersonField />
    </>
  )
}

export function PersonField() {
  const { answers, change } = useWizardForm()
  const { tellsPerson } = answers as FormAnswers | BookingAnswers
  return (
    <Checkbox
      label={t.tellsPerson}
      description={t.tellsPersonHint}
      checked={tellsPerson}
      onChange={(event) => change({ tellsPerson: event.currentTarget.checked })}
    />
  )
}

export function QuestionFields() {
  const { answers, change } = useWizardForm()
  const { questions } = answers as FormAnswers | BookingAnswers
  const [added, setAdded] = useState<string | null>(null)
  const fault = useFault('questions', t.questions)
  const set = (changed: Question[]) => change({ questions: changed })
  const add = (make: (id: string) => Question) => {
    const id = `q${Math.max(0, ...questions.map((one) => Number(one.id.slice(1)))) + 1}`
    set([...questions, make(id)])
    setAdded(id)
  }
  const move = (from: number, to: number) => {
    const rest = questions.toSpliced(from, 1)
    set(rest.toSpliced(to, 0, questions[from]!))
  }
  return (
    <Fieldset legend={t.questions} variant="filled">
      <Stack gap="sm">
        {questions.map((question, index) => (
          <Stack
            key={question.id}
            gap="xs"
            className="panel"
            p="xs"
            role="group"
            aria-label={t.question(index + 1)}
          >
            <QuestionField
              question={question}
              index={index}
              isAdded={question.id === added}
              onChange={(changed) => set(questions.with(index, changed))}
            />
            <OrderButtons
              name={question.name || t.question(index + 1)}
              index={index}
              count={questions.length}
              onMove={(to) => move(index, to)}
              onRemove={() => set(questions.toSpliced(index, 1))}
            />
          </Stack>
        ))}
        <AddQuestion add={add} language={answers.language} />
        {fault && (
          <Text size="sm" c="var(--bad)">
            {fault}
          </Text>
        )}
      </Stack>
    </Fieldset>
  )
}

interface QuestionFieldProps {
  question: Question
  index: number
  /** Whether it is new, and gets the focus. */
  isAdded: boolean
  onChange: (question: Question) => void
}

function QuestionField({ question, index, isAdded, onChange }: QuestionFieldProps) {
  const at = `questions.${index}`
  const name = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isAdded) name.current?.focus()
  }, [isAdded])
  return (
    <>
      <TextInput
        ref={name}
        label={t.answerName}
        description={index === 0 && t.answerNameHint}
        value={question.name}
        error={useFault(`${at}.name`, t.answerName)}
        onChange={(event) => onChange({ ...question, name: event.currentTarget.value })}
      />
      <Textarea
        label={t.ask}
        autosize
        value={question.question}
        error={useFault(`${at}.question`, t.ask)}
        onChange={(event) =>
          onChange({ ...question, question: event.currentTarget.value })
        }
      />
      <Select
        label={t.kind}
        data={kinds}
        allowDeselect={false}
        value={question.kind}
        onChange={(kind) => onChange({ ...question, kind: kind as AnswerKind })}
      />
      {question.kind.endsWith('Choice') && (
        <ChoicesField question={question} at={at} onChange={onChange} />
      )}
      <Checkbox
        label={t.isOptional}
        checked={question.isOptional}
        onChange={(event) =>
          onChange({ ...question, isOptional: event.currentTarget.checked })
        }
      />
    </>
  )
}

interface ChoicesFieldProps extends Pick<QuestionFieldProps, 'question' | 'onChange'> {
  at: string
}

/** Keeps empty lines while people type. */
function ChoicesField({ question, at, onChange }: ChoicesFieldProps) {
  const [text, setText] = useState(question.choices.join('\n'))
  return (
    <Textarea
      label={t.choices}
      autosize
      minRows={2}
      value={text}
      error={useFault(`${at}.choices`, t.choices)}
      onChange={(event) => {
        const lines = event.currentTarget.value
        setText(lines)
        const choices = lines.split('\n').map((line) => line.trim())
        onChange({ ...question, choices: choices.filter((line) => line !== '') })
      }}
    />
  )
}

interface AddQuestionProps {
  add: (make: (id: string) => Question) => void
  language: string
}

/** Standard questions first, then one for each other kind of answer. */
function AddQuestion({ add, language }: AddQuestionProps) {
  const addPreset = (name: PresetName) => add((id) => toPreset(name, id, language))
  const addKind = (kind: AnswerKind) =>
    add((id) => ({ id, name: '', kind, question: '', choices: [], isOptional: false }))
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} aria-hidden="true" />}
        >
          {t.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {presetNames.map((name) => (
          <Menu.Item key={name} onClick={() => addPreset(name)}>
            {t.presets[name]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {kinds.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => addKind(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
