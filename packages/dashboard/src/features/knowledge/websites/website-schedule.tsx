// How often the server reads a website again; members may change it.
import type { KnowledgeSource } from '@botstead/contract'
import { Select, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../../api/scope.ts'
import { useMay } from '../../../api/session.ts'
import { notifyDone, notifyFailed } from '../../../parts/notify.ts'
import { texts } from '../../../texts/texts.ts'

const t = texts.knowledge.websites

export type Schedule = KnowledgeSource['schedule']
export const schedules = Object.entries(t.schedules).map(([value, label]) => ({
  value,
  label,
}))

export function WebsiteSchedule({
  source: { id, url, schedule },
}: {
  source: KnowledgeSource
}) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (schedule: Schedule) =>
      client.platform.updateKnowledgeSource({ params: { id }, body: { schedule } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
      notifyDone(t.changed)
    },
    onError: notifyFailed,
  })
  if (!useMay()('knowledge.write')) return <Text size="sm">{t.schedules[schedule]}</Text>
  return (
    <Select
      aria-label={t.change(url)}
      size="xs"
      maw={130}
      data={schedules}
      value={change.isPending ? change.variables : schedule}
      onChange={(value) =>
        value && value !== schedule && change.mutate(value as Schedule)
      }
      allowDeselect={false}
    />
  )
}
