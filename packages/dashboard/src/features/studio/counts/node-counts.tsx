// How many conversations passed the steps of a flow in the last days, and ended there.
import type { FlowNodeCount } from '@botstead/contract'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFilter } from '../../../api/filters.ts'
import { useBot } from '../../../api/scope.ts'
import { explain } from '../../../parts/states.tsx'
import { texts } from '../../../texts/texts.ts'

const t = texts.studio
const days = 30

type Counts = Pick<FlowNodeCount, 'passed' | 'ended'>

/** `find` returns the counts of a step; `undefined` unless the counts are chosen and loaded. */
export function useNodeCounts(flow: string) {
  const { botId, client } = useBot()
  const [chosen] = useFilter('counts')
  const isOn = chosen !== undefined
  const { data, error } = useQuery({
    queryKey: ['flowNodeCounts', botId, flow],
    enabled: isOn,
    queryFn: async ({ signal }) => {
      const counts = new Map<string, Counts>()
      let nextToken: string | undefined
      do {
        const query = { flow, days, pageSize: 1000, ...(nextToken && { nextToken }) }
        const page = await client.platform.listFlowNodeCounts({ query }, { signal })
        for (const { node, ...count } of page.counts) counts.set(node, count)
        nextToken = page.meta.nextToken
      } while (nextToken)
      return counts
    },
  })
  const none: Counts = { passed: 0, ended: 0 }
  const find = isOn && data ? (node: string) => data.get(node) ?? none : undefined
  return { find, error: isOn ? error : null }
}

/** Shows the counts on the steps; the address keeps that. */
export function CountsToggle({ flow }: { flow: string }) {
  const [chosen, setChosen] = useFilter('counts')
  const { error } = useNodeCounts(flow)
  return (
    <>
      <Button
        variant={chosen === undefined ? 'default' : 'filled'}
        size="compact-sm"
        aria-pressed={chosen !== undefined}
        title={t.countsHint}
        onClick={() => setChosen(chosen === undefined ? String(days) : '')}
      >
        {t.lastDays(days)}
      </Button>
      {chosen !== undefined && !error && (
        <Text size="xs" c="dimmed">
          {t.countsDelay}
        </Text>
      )}
      {error && (
        <Text size="xs" c="var(--bad)" role="alert">
          {explain(error).title}
        </Text>
      )}
    </>
  )
}
