// Offers to resolve the open issues that have not occurred since the current deployment. Those that
// occur again open again.
import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { notifyDone } from '../../parts/notify.ts'
import { exactTime } from '../../parts/texts/moment.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.issues

export function StaleIssues() {
  const deployedAt = useBotQuery().data?.bot.deployedAt
  const isEditor = useMay()('bots.update')
  return isEditor && deployedAt ? <Offer deployedAt={deployedAt} /> : null
}

function Offer({ deployedAt }: { deployedAt: string }) {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const query = { status: 'open' as const, lastSeenBefore: deployedAt, pageSize: 1 }
  const { data } = useQuery({
    queryKey: ['issues', botId, 'stale', deployedAt],
    queryFn: ({ signal }) => client.platform.listIssues({ query }, { signal }),
  })
  const resolve = async () => {
    const { count } = await client.platform.resolveIssues({
      body: { lastSeenBefore: deployedAt },
    })
    await queries.invalidateQueries({ queryKey: ['issues', botId] })
    notifyDone(t.resolvedStale(count))
  }
  if (!data || data.issues.length === 0) return null
  return (
    <Group gap="xs">
      <Text size="sm">{t.staleHint(exactTime(deployedAt))}</Text>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {t.resolveStale}
      </Button>
      {isOpen && (
        <Confirm
          title={t.resolveStale}
          button={t.resolve}
          harmless
          onConfirm={resolve}
          onClose={() => setOpen(false)}
        >
          {t.resolveStaleHint}
        </Confirm>
      )}
    </Group>
  )
}
