// The dialog of a question with its expected answer.
import type { KnowledgeCheck } from '@botstead/contract'
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { texts } from '../../../texts/texts.ts'

const t = texts.checks

interface EditCheckProps {
  /** Without one, the dialog adds it. */
  check?: KnowledgeCheck
  onClose: () => void
}

export function EditCheck({ check, onClose }: EditCheckProps) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [question, setQuestion] = useState(check?.question ?? '')
  const [file, setFile] = useState(check?.expectedFile ?? '')
  const [text, setText] = useState(check?.expectedText ?? '')
  const expectedFile = file.trim()
  const expectedText = text.trim()
  const save = useMutation({
    mutationFn: () => {
      const body = {
        question: question.trim(),
        ...(expectedFile && { expectedFile }),
        ...(expectedText && { expectedText }),
      }
      return check
        ? client.platform.updateKnowledgeCheck({ params: { id: check.id }, body })
        : client.platform.createKnowledgeCheck({ body })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['knowledgeChecks', botId] })
      onClose()
    },
  })
  return (
    <FormModal
      title={check ? t.edit : t.add}
      action={save}
      button={texts.common.save}
      isReady={question.trim() !== '' && (expectedFile !== '' || expectedText !== '')}
      onClose={onClose}
    >
      <TextInput
        label={t.question}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        maxLength={1_000}
        data-autofocus
      />
      <TextInput
        label={t.expectedText}
        description={t.expectedTextHint}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={1_000}
      />
      <TextInput
        label={t.expectedFile}
        description={t.expectedFileHint}
        value={file}
        onChange={(event) => setFile(event.currentTarget.value)}
        maxLength={1_000}
      />
    </FormModal>
  )
}
