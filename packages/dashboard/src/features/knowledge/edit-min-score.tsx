// Changes the minimum score of a knowledge base, which holds for all its searches.
import { NumberInput, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBot } from '../../api/scope.ts'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import type { Base } from './bases.ts'

const t = texts.knowledge.bases

export function EditMinScore({ base, onClose }: { base: Base; onClose: () => void }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const { id, name } = base
  const [minScore, setMinScore] = useState<string | number>(base.tags.minScore ?? '')
  const save = useMutation({
    mutationFn: () =>
      client.files.updateKnowledgeBase({
        params: { id },
        body: { name, tags: { minScore: minScore === '' ? null : `${minScore}` } },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['files', botId, 'bases'] })
      await queries.invalidateQueries({ queryKey: ['fileSearch', botId] })
      notifyDone(t.minScoreChanged)
      onClose()
    },
  })
  return (
    <FormModal
      title={t.minScoreOf(name)}
      action={save}
      button={texts.common.save}
      onClose={onClose}
    >
      <Text size="sm">{t.minScoreEffect}</Text>
      <NumberInput
        label={t.minScore}
        description={t.minScoreHint}
        placeholder={t.noMinScore}
        value={minScore}
        onChange={setMinScore}
        min={0}
        max={1}
        step={0.05}
        decimalScale={2}
        clampBehavior="strict"
        data-autofocus
      />
    </FormModal>
  )
}
