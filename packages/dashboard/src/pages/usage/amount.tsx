// An amount with its limit.
import { Paper, Progress, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { hasLimit, isCounted, type Kind, toAmount } from './measures.ts'

const t = texts.usage

interface AmountProps {
  kind: Kind
  value: number
  quota: number
}

export function Amount({ kind, value, quota }: AmountProps) {
  const isLimited = hasLimit(quota)
  const isReached = isLimited && value >= quota
  const percent = quota > 0 ? Math.min(100, (100 * value) / quota) : 100
  const limit = isLimited ? [t.of(toAmount(kind, quota))] : []
  const amount = [isCounted(kind) ? t.inMonth : t.now, ...limit].join(', ')
  return (
    <Paper className="panel" p="md">
      <Text size="sm" c="dimmed">
        {t.kinds[kind]}
      </Text>
      <Text fz={22} fw={650}>
        {toAmount(kind, value)}
      </Text>
      <Text size="xs" c={isReached ? 'var(--bad)' : 'dimmed'}>
        {isReached ? t.over : amount}
      </Text>
      {isLimited && (
        <Progress
          mt={6}
          value={percent}
          color={isReached ? 'red.8' : 'pine'}
          aria-label={`${t.kinds[kind]}: ${toAmount(kind, value)} ${limit}`}
        />
      )}
    </Paper>
  )
}
