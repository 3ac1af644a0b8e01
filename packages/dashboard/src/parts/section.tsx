// A part of a page with a title of the second level.
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodedText } from './texts/coded-text.tsx'

interface SectionProps {
  title: string
  hint?: string
  /** Beside the title. */
  link?: ReactNode
  children: ReactNode
}

/** For links to it. */
const toId = (title: string) => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')

export function Section({ title, hint, link, children }: SectionProps) {
  return (
    <Paper component="section" className="panel" p="md" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h5" id={toId(title)}>
          {title}
        </Title>
        {link}
      </Group>
      {hint && (
        <Text size="sm" c="dimmed" mt={link ? 'xs' : 0}>
          <CodedText text={hint} />
        </Text>
      )}
      <Stack mt="sm" gap="sm">
        {children}
      </Stack>
    </Paper>
  )
}
