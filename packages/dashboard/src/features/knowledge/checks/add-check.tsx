// The dialog that adds a question with its expected answer.
import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../../api/scope.ts'
import { FormModal } from '../../../parts/forms/form-modal.tsx'
import { texts } from '../../../texts/texts.ts'

const t = texts.checks

export function AddCheck({ onClose }: { onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [question, setQuestion] = useState('')
  const [file, setFile] = useState('')
  const [text, setText] = useState('')
  const expectedFile = file.trim()
  const expectedText = text.trim()
  const add = useMutation({
    mutationFn: () =>
      client.platform.createKnowledgeCheck({
        body: {
          question: question.trim(),
          ...(expectedFile && { expectedFile }),
          ...(expectedText && { expectedText }),
        },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['knowledgeChecks', botId] })
      onClose()
    },
  })
  return (
    <FormModal
      title={t.add}
      action={add}
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
