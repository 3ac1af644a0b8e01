// A part of a page with a title of the second level.
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  hint?: string
  /** Beside the title. */
  link?: ReactNode
  children: ReactNode
}

export function Section({ title, hint, link, children }: SectionProps) {
  return (
    <Paper component="section" className="panel" p="md" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h5">
          {title}
        </Title>
        {link}
      </Group>
      {hint && (
        <Text size="sm" c="dimmed" mt={link ? 'xs' : 0}>
          {hint}
        </Text>
      )}
      <Stack mt="sm" gap="sm">
        {children}
      </Stack>
    </Paper>
  )
}
