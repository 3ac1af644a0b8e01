// The parts of a trace: a titled group, and a line with its time.
import { Box, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { splitStack } from './split-stack.ts'
import { InnerFrames } from './stack-trace.tsx'

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

/** Stack traces are wide, so they scroll; the message before them wraps. */
const stackFrame = /\n\s+at /

interface TraceLineProps {
  label: string
  text: string
  /** The name that programs use, as a tooltip. */
  raw?: string | undefined
  detail?: string | undefined
  aside?: string
  isFailed?: boolean | undefined
}

export function TraceLine({ label, text, raw, detail, aside, isFailed }: TraceLineProps) {
  const { own, inner } = splitStack(text)
  const frames = own.search(stackFrame)
  const style = { size: 'sm', title: raw, ...(isFailed && { c: 'var(--bad)' }) }
  return (
    <Group gap="xs" wrap="nowrap" align="baseline">
      <Text size="xs" c="dimmed" w={72} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      {/* The time of a long text is below it, because the emulator is narrow. */}
      <Group gap="xs" flex={1} miw={0} justify="space-between" align="baseline">
        <Box miw={0}>
          <Text {...style} className="foreign wrapped">
            {frames === -1 ? own : own.slice(0, frames)}
          </Text>
          {frames !== -1 && (
            <Text {...style} className="foreign scrolled" tabIndex={0}>
              {own.slice(frames + 1)}
            </Text>
          )}
          <InnerFrames lines={inner} />
          {detail && (
            <Text size="xs" c="dimmed" className="foreign">
              {detail}
            </Text>
          )}
        </Box>
        {aside && (
          <Text size="xs" c="dimmed" ms="auto" style={{ flexShrink: 0 }}>
            {aside}
          </Text>
        )}
      </Group>
    </Group>
  )
}
