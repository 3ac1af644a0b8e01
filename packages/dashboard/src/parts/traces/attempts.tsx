// Failed attempts. Those with the same error are one, with their times.
import type { DeliveryAttempt } from '@botstead/contract'
import { Stack, Text, Title } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { exactTime } from '../texts/moment.tsx'
import { StackTrace } from './stack-trace.tsx'

const t = texts.deliveries

export function Attempts({ attempts }: { attempts: DeliveryAttempt[] }) {
  return (
    <Stack gap="xs">
      {groupByError(attempts).map(([error, group]) => {
        const title = t.attemptsOf(group.map(({ number }) => number))
        return (
          <section key={error} aria-label={title}>
            <Title order={3} size="h6">
              {title}
            </Title>
            <Text size="xs" c="dimmed" mb={4}>
              {[...new Set(group.map(({ startedAt }) => exactTime(startedAt)))].join(
                ' · ',
              )}
            </Text>
            <StackTrace text={error} />
          </section>
        )
      })}
    </Stack>
  )
}

/** In the order of their first attempts. */
function groupByError(attempts: DeliveryAttempt[]): [error: string, DeliveryAttempt[]][] {
  const groups = new Map<string, DeliveryAttempt[]>()
  for (const attempt of attempts) {
    const error = attempt.stack ?? attempt.error
    groups.set(error, [...(groups.get(error) ?? []), attempt])
  }
  return [...groups]
}
