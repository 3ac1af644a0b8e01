// The calls of models in a month, by model.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/scope.ts'
import { refetchMs, toBounds } from '../../pages/usage/measures.ts'
import { Grid } from '../../parts/grid.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toCount, toDollars } from '../../parts/texts/amounts.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.usage

export function ModelCosts({ month }: { month: string }) {
  const { workspaceId, client } = useWorkspace()
  const { from, until } = toBounds(month)
  const query = useQuery({
    queryKey: ['usage', workspaceId, 'models', month],
    queryFn: ({ signal }) =>
      client.platform.getModelTotals(
        { query: { by: 'model', afterDate: from, beforeDate: until } },
        { signal },
      ),
    refetchInterval: refetchMs,
  })
  return (
    <Section title={t.models}>
      <Loaded query={query}>
        {({ totals }) =>
          totals.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noCalls}
            </Text>
          ) : (
            <Grid
              label={t.models}
              head={[t.model, t.cost, t.calls, t.failed, t.tokens]}
              rows={totals.map(
                ({ key, cost, calls, failed, inputTokens, outputTokens }) => [
                  key ?? t.noModel,
                  toDollars(cost),
                  toCount(calls),
                  toCount(failed),
                  toCount(inputTokens + outputTokens),
                ],
              )}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
