// The parts of a trace: a titled group, and a line with its time.
import { Box, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface TracePartProps {
  title: string
  /** Without any, the part is not shown. */
  count: number
  children: ReactNode
}

export function TracePart({ title, count, children }: TracePartProps) {
  if (count === 0) return null
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <Stack gap={6}>{children}</Stack>
    </section>
  )
}

interface TraceLineProps {
  label: string
  text: string
  detail?: string | undefined
  aside?: string
  isFailed?: boolean | undefined
}

export function TraceLine({ label, text, detail, aside, isFailed }: TraceLineProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline">
      <Text size="xs" c="dimmed" w={72} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <Box flex={1} miw={0}>
        <Text size="sm" className="foreign wrapped" {...(isFailed && { c: 'var(--bad)' })}>
          {text}
        </Text>
        {detail && (
          <Text size="xs" c="dimmed" className="foreign">
            {detail}
          </Text>
        )}
      </Box>
      {aside && (
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {aside}
        </Text>
      )}
    </Group>
  )
}
