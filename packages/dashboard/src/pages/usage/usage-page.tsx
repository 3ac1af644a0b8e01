// Usage of the workspace in a month: amounts with their limits, days, shares of bots, costs of
// models, and budgets.
import { Select, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFilter } from '../../api/filters.ts'
import { useWorkspace } from '../../api/scope.ts'
import { Budgets } from '../../features/models/budgets.tsx'
import { ModelCosts } from '../../features/models/model-costs.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { texts } from '../../texts/texts.ts'
import { Amount } from './amount.tsx'
import { Course } from './course.tsx'
import {
  hasLimit,
  isKind,
  listMonths,
  monthName,
  monthNow,
  refetchMs,
  toKinds,
} from './measures.ts'

const t = texts.usage

export function UsagePage() {
  const [chosen, setMonth] = useFilter('month')
  const months = listMonths()
  const month = months.find((one) => one === chosen) ?? monthNow()
  const control = (
    <Select
      aria-label={t.month}
      data={months.map((value) => ({ value, label: monthName(value) }))}
      value={month}
      onChange={(chosen) => chosen && setMonth(chosen === monthNow() ? '' : chosen)}
      allowDeselect={false}
    />
  )
  return (
    <Page title={t.title} actions={control}>
      <Amounts month={month} />
      <Course month={month} />
      <ModelCosts month={month} />
      <Budgets />
    </Page>
  )
}

function Amounts({ month }: { month: string }) {
  const { workspaceId, client } = useWorkspace()
  const types = toKinds(month)
  const query = useQuery({
    queryKey: ['usage', workspaceId, 'amounts', month],
    queryFn: ({ signal }) =>
      client.admin.getMultipleUsages(
        { query: { types, ids: [workspaceId], period: month } },
        { signal },
      ),
    refetchInterval: refetchMs,
  })
  return (
    <Loaded query={query}>
      {({ usages }) => (
        <section aria-label={t.used}>
          <SimpleGrid cols={{ base: 2, sm: 3 }}>
            {usages.map(
              ({ type, value, quota }) =>
                isKind(type) && (
                  <Amount key={type} kind={type} value={value} quota={quota} />
                ),
            )}
          </SimpleGrid>
          <Text size="sm" c="dimmed" mt="xs">
            {usages.some(({ quota }) => hasLimit(quota)) ? t.someLimits : t.noLimits}{' '}
            {t.limitsHint}
          </Text>
          {month !== monthNow() && (
            <Text size="sm" c="dimmed" mt="xs">
              {t.pastHint}
            </Text>
          )}
        </section>
      )}
    </Loaded>
  )
}
