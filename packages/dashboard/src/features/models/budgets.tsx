// Budgets for models and their use; administrators add and delete them.
import type { ModelBudget } from '@botstead/contract'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { useBotNames } from '../../pages/usage/course.tsx'
import { refetchMs } from '../../pages/usage/measures.ts'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { toCount, toDollars } from '../../parts/texts/amounts.ts'
import { texts } from '../../texts/texts.ts'
import { AddBudget } from './add-budget.tsx'

const t = texts.usage

export function Budgets() {
  const { workspaceId, client } = useWorkspace()
  const mayWrite = useMay()('models.write')
  const queries = useQueryClient()
  const [isAdding, adding] = useDisclosure(false)
  const [removed, setRemoved] = useState<ModelBudget | null>(null)
  const getName = useBudgetNames()
  const queryKey = ['budgets', workspaceId]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.platform.listModelBudgets({}, { signal }),
    refetchInterval: refetchMs,
  })
  const add = mayWrite && (
    <Button variant="default" size="compact-sm" onClick={adding.open}>
      {t.addBudget}
    </Button>
  )
  return (
    <Section title={t.budgets} hint={t.budgetsHint} link={add}>
      <Loaded query={query}>
        {({ budgets }) =>
          budgets.length === 0 ? (
            <Text size="sm">{t.noBudgets}</Text>
          ) : (
            budgets.map((budget) => (
              <Budget
                key={budget.id}
                budget={budget}
                name={getName(budget)}
                onRemove={mayWrite ? () => setRemoved(budget) : undefined}
              />
            ))
          )
        }
      </Loaded>
      {isAdding && (
        <AddBudget
          onAdded={() => queries.invalidateQueries({ queryKey })}
          onClose={adding.close}
        />
      )}
      {removed && (
        <Confirm
          title={t.deleteBudget(getName(removed))}
          button={texts.common.delete}
          onConfirm={async () => {
            await client.platform.deleteModelBudget({ params: { id: removed.id } })
            await queries.invalidateQueries({ queryKey })
          }}
          onClose={() => setRemoved(null)}
        >
          {t.deleteBudgetText}
        </Confirm>
      )}
    </Section>
  )
}

/** Returns a function that names a budget by its scope and period. */
function useBudgetNames() {
  const bots = useBotNames()
  return ({ scope, scopeId, period }: ModelBudget) => {
    const one = scopeId && (bots.get(scopeId) ?? scopeId)
    return t.budgetName(one || t.scopes[scope], t.inPeriod[period])
  }
}

function Budget({
  budget: { unit, used, maximum, scope, scopeId },
  name,
  onRemove,
}: {
  budget: ModelBudget
  name: string
  onRemove: (() => void) | undefined
}) {
  const amount = (value: number) =>
    unit === 'dollars' ? toDollars(value) : toCount(value)
  const percent = maximum > 0 ? Math.min(100, (100 * used) / maximum) : 100
  const isReached = used >= maximum
  const hasSeveral = scope !== 'workspace' && !scopeId
  const text = t.usedOf(amount(used), amount(maximum))
  return (
    <Group wrap="nowrap" align="center">
      <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" className="foreign">
            {name}
          </Text>
          <Text size="sm" {...(isReached && { c: 'var(--bad)' })}>
            {unit === 'dollars' ? text : `${text} ${t.usedUnits[unit]}`}
          </Text>
        </Group>
        <Progress
          value={percent}
          color={isReached ? 'red.8' : 'var(--chart)'}
          aria-label={texts.common.labelled(name, text)}
        />
        {hasSeveral && (
          <Text size="xs" c="dimmed">
            {t.highest}
          </Text>
        )}
      </Stack>
      {onRemove && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t.deleteBudget(name)}
          onClick={onRemove}
        >
          {texts.common.delete}
        </Button>
      )}
    </Group>
  )
}
