// The state of a website, with its progress and the reason of a failure.
import type { KnowledgeSource } from '@botstead/contract'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { texts } from '../../../texts/texts.ts'

const t = texts.knowledge.websites

const isRunning = ({ status }: KnowledgeSource) => status === 'fetching'
export const mayRefresh = ({ status }: KnowledgeSource) => /completed|failed/.test(status)

export const WebsiteStatus = ({ source }: { source: KnowledgeSource }) => (
  <Stack gap={2} align="flex-start">
    <Group gap={6}>
      <Badge
        {...(source.status === 'failed'
          ? { color: 'red.8' }
          : { variant: source.status === 'completed' ? 'light' : 'default' })}
      >
        {t.statuses[source.status]}
      </Badge>
      {(isRunning(source) || source.pages.total > 0) && (
        <Text size="xs">{t.progress(source.pages, isRunning(source))}</Text>
      )}
    </Group>
    {source.problem && (
      <Text size="xs" className="foreign" style={{ overflowWrap: 'anywhere' }}>
        {source.problem}
      </Text>
    )}
  </Stack>
)
