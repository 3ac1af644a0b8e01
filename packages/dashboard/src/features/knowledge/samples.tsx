// The sample documents of an example, until they are deleted.
import type { File } from '@botstead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { sampleTags } from '../../parts/files/deploy.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'
import { toName, toPath } from './bases.ts'
import { useFileCounts } from './file-counts.ts'

const t = texts.knowledge.samples

const getSubject = ({ key }: File) =>
  toName(key)
    .replace(/\.\w+$/, '')
    .replaceAll('-', ' ')

export function Samples() {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const mayWrite = useMay()('knowledge.write')
  const [isOpen, { open, close }] = useDisclosure(false)
  const { data } = useQuery({
    queryKey: ['fileLists', botId, 'samples'],
    queryFn: ({ signal }) =>
      client.files.listFiles({ query: { tags: JSON.stringify(sampleTags) } }, { signal }),
  })
  const { data: all } = useFileCounts(true)
  const samples = data?.files ?? []
  if (samples.length === 0) return null
  const count = all?.counts.reduce((sum, each) => sum + each.count, 0) ?? 0
  const remove = async () => {
    for (const { id } of samples) await client.files.deleteFile({ params: { id } })
    notifyDone(t.deleted(samples.length))
    await queries.invalidateQueries({ queryKey: ['fileLists', botId] })
  }
  return (
    <Group className="panel" p="sm" justify="space-between" role="note">
      <Stack gap={0} flex="1 1 260px">
        <Text size="sm" fw={600}>
          {t.title(samples.length, count > samples.length)}
        </Text>
        <Text size="sm">
          {t.ask(samples.map(getSubject).join(texts.common.comma))}{' '}
          {t.text(samples.length)}
        </Text>
      </Stack>
      {mayWrite && (
        <Button variant="default" onClick={open}>
          {t.delete}
        </Button>
      )}
      {isOpen && (
        <Confirm
          title={t.deleteTitle}
          button={texts.common.delete}
          onConfirm={remove}
          onClose={close}
        >
          <Text className="foreign">{samples.map(toPath).join(texts.common.comma)}</Text>
        </Confirm>
      )}
    </Group>
  )
}
