// The dialog with a new or changed curated answer.
import type { CuratedAnswer } from '@botstead/contract'
import {
  Button,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { IconChevronDown } from '../../../icons/icons.tsx'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { notifyDone } from '../../../parts/notify.ts'
import { LongText } from '../../../parts/texts/long-text.tsx'
import { texts } from '../../../texts/texts.ts'
import { useBases } from '../bases.ts'
import {
  type AnswerFields,
  isValidPeriod,
  toBody,
  toFields,
  toQuestions,
} from './answer-fields.ts'

const t = texts.curated

export interface AnswerFormProps {
  /** Null for a new one. */
  answer: CuratedAnswer | null
  /** Of a new one. */
  questions?: string[]
  text?: string
  /** A passage that the bot found, to be used as the text. */
  passage?: string | undefined
  onClose: () => void
}

const maxQuestions = 20
const maxQuestionLength = 300
const maxTextLength = 5_000

export function AnswerForm(props: AnswerFormProps) {
  const { answer, questions = [], text = '', passage, onClose } = props
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [fields, setFields] = useState(() => toFields(answer, { questions, text }))
  const asked = toQuestions(fields.questions)
  const problem = findProblem(asked)
  const save = useMutation({
    mutationFn: () => {
      const body = toBody(fields)
      return answer
        ? client.platform.updateCuratedAnswer({ params: { id: answer.id }, body })
        : client.platform.createCuratedAnswer({ body })
    },
    onSuccess: async () => {
      notifyDone(t.saved)
      onClose()
      await Promise.all(
        [
          ['fileLists', botId],
          ['fileSearch', botId],
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      )
    },
  })
  const isReady =
    asked.length > 0 && !problem && fields.text.trim() !== '' && isValidPeriod(fields)
  return (
    <FormModal
      title={answer ? t.edit : t.newTitle}
      action={save}
      button={texts.common.save}
      isReady={isReady}
      onClose={onClose}
      size="lg"
    >
      <Fields
        fields={fields}
        problem={problem}
        isTextFirst={asked.length > 0}
        passage={passage}
        onChange={(changes) => setFields((before) => ({ ...before, ...changes }))}
      />
    </FormModal>
  )
}

function findProblem(questions: string[]): string | null {
  if (questions.length > maxQuestions) return t.tooMany
  return questions.some(({ length }) => length > maxQuestionLength) ? t.tooLong : null
}

interface FieldsProps {
  fields: AnswerFields
  problem: string | null
  /** The questions are there already. */
  isTextFirst: boolean
  passage?: string | undefined
  onChange: (changes: Partial<AnswerFields>) => void
}

function Fields({ fields, problem, isTextFirst, passage, onChange }: FieldsProps) {
  const [isFocusedOnText] = useState(isTextFirst)
  const [isOpen, { toggle }] = useDisclosure(hasMore(fields))
  const typed =
    (name: keyof AnswerFields) =>
    (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: event.currentTarget.value })
  return (
    <>
      <Textarea
        label={t.questions}
        description={t.questionsHint}
        error={problem}
        value={fields.questions}
        onChange={typed('questions')}
        autosize
        minRows={2}
        maxRows={8}
        {...(!isFocusedOnText && { 'data-autofocus': true })}
      />
      <Textarea
        label={t.answer}
        value={fields.text}
        onChange={typed('text')}
        maxLength={maxTextLength}
        autosize
        minRows={4}
        maxRows={12}
        {...(isFocusedOnText && { 'data-autofocus': true })}
      />
      {passage !== undefined && (
        <Passage
          text={passage}
          onUse={() => onChange({ text: passage.slice(0, maxTextLength) })}
        />
      )}
      <UnstyledButton onClick={toggle} aria-expanded={isOpen}>
        <Group gap={6}>
          <IconChevronDown size={14} aria-hidden="true" />
          <Text size="sm">{t.more}</Text>
        </Group>
      </UnstyledButton>
      {isOpen && <MoreFields fields={fields} typed={typed} onChange={onChange} />}
    </>
  )
}

const Passage = ({ text, onUse }: { text: string; onUse: () => void }) => (
  <Stack gap="xs" className="panel" p="sm">
    <Group justify="space-between">
      <Text size="sm">{texts.unanswered.usePassageHint}</Text>
      <Button size="compact-sm" variant="default" onClick={onUse}>
        {texts.unanswered.usePassage}
      </Button>
    </Group>
    <LongText text={text} />
  </Stack>
)

const hasMore = ({ questions, text, ...others }: AnswerFields) =>
  Object.values(others).some((value) => value !== '')

interface MoreFieldsProps extends Pick<FieldsProps, 'fields' | 'onChange'> {
  typed: (
    name: keyof AnswerFields,
  ) => (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
}

function MoreFields({ fields, typed, onChange }: MoreFieldsProps) {
  const hasBases = useMay()('knowledge.read')
  const { data: bases = [] } = useBases({ isNeeded: hasBases })
  return (
    <Stack>
      <Textarea
        label={t.buttons}
        description={t.buttonsHint}
        value={fields.buttons}
        onChange={typed('buttons')}
        autosize
        minRows={2}
        maxRows={6}
      />
      <TextInput
        label={t.picture}
        description={t.pictureHint}
        value={fields.imageUrl}
        onChange={typed('imageUrl')}
        maxLength={2_000}
        inputMode="url"
      />
      {hasBases && (
        <Select
          label={t.base}
          placeholder={t.allBases}
          data={bases.map(({ id, name }) => ({ value: id, label: name }))}
          value={fields.knowledgeBaseId || null}
          onChange={(id) => onChange({ knowledgeBaseId: id ?? '' })}
          limit={200}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t.allBases }}
        />
      )}
      <Group grow align="start">
        <TextInput
          label={t.validFrom}
          type="date"
          value={fields.validFrom}
          onChange={typed('validFrom')}
        />
        <TextInput
          label={t.validTo}
          type="date"
          value={fields.validTo}
          error={!isValidPeriod(fields) && t.period}
          onChange={typed('validTo')}
        />
      </Group>
      <TextInput
        label={t.language}
        description={t.languageHint}
        value={fields.language}
        onChange={typed('language')}
        placeholder="en"
        maxLength={20}
      />
    </Stack>
  )
}
