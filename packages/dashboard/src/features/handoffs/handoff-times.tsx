// How fast people answered the conversations that were handed over in a range of days.
import type { HandoffTimes as Times } from '@botstead/contract'
import { SimpleGrid, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import { BotLink } from '../../parts/objects/bot-link.tsx'
import { Section } from '../../parts/section.tsx'
import { toCount, toDuration } from '../../parts/texts/amounts.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.bot.handoffs

/** `from`: ISO date. Nothing for a bot without handoffs. */
export function HandoffTimes({ from }: { from: string }) {
  const { botId, client } = useBot()
  const { data } = useQuery({
    queryKey: ['handoffs', botId, 'times', from],
    queryFn: ({ signal }) =>
      client.platform.getHandoffTimes({ query: { from } }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (!data?.requested) return null
  return (
    <Section
      title={texts.common.labelled(t.title, toCount(data.requested))}
      link={<BotLink page="inbox">{t.inbox}</BotLink>}
    >
      <SimpleGrid type="container" cols={{ base: 1, '480px': 3 }}>
        <Time title={t.firstAnswer} times={data.firstAnswer} />
        <Time title={t.solution} times={data.solution} />
        <Time title={t.return} times={data.return} />
      </SimpleGrid>
    </Section>
  )
}

function Time({ title, times }: { title: string; times: Times['firstAnswer'] }) {
  const { count, medianSeconds, p95Seconds } = times
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Text fz="lg" fw={650}>
        {medianSeconds === undefined ? t.none : toDuration(medianSeconds)}
      </Text>
      {p95Seconds !== undefined && (
        <Text size="xs" c="dimmed">
          {t.within(toDuration(p95Seconds), count)}
        </Text>
      )}
    </div>
  )
}
