// An amount with its limit.
import { Paper, Progress, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { hasLimit, isCounted, type Kind, toAmount } from './measures.ts'

const t = texts.usage
const { comma } = texts.common

interface AmountProps {
  kind: Kind
  value: number
  quota: number
}

export function Amount({ kind, value, quota }: AmountProps) {
  const isLimited = hasLimit(quota)
  const isReached = isLimited && value >= quota
  const percent = quota > 0 ? Math.min(100, (100 * value) / quota) : 100
  const limit = t.of(toAmount(kind, quota))
  const period = isCounted(kind) ? t.inMonth : t.now
  return (
    <Paper className="panel" p="md">
      <Text size="sm" c="dimmed">
        {t.kinds[kind]}
      </Text>
      <Text fz={22} fw={650}>
        {toAmount(kind, value)}
      </Text>
      {t.kindHints[kind] && (
        <Text size="xs" c="dimmed">
          {t.kindHints[kind]}
        </Text>
      )}
      {isLimited && (
        <>
          <Text size="xs" c={isReached ? 'var(--bad)' : 'dimmed'}>
            {isReached ? t.over : [period, limit].join(comma)}
          </Text>
          <Progress
            mt={6}
            value={percent}
            color={isReached ? 'red.8' : 'var(--chart)'}
            aria-label={texts.common.labelled(
              t.kinds[kind],
              [toAmount(kind, value), limit].join(comma),
            )}
          />
        </>
      )}
    </Paper>
  )
}
