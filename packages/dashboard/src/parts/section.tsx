// A part of a page with a title of the second level.
import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  hint?: string
  children: ReactNode
}

export function Section({ title, hint, children }: SectionProps) {
  return (
    <Paper component="section" className="panel" p="md">
      <Title order={2} size="h5">
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      <Stack mt="sm" gap="sm">
        {children}
      </Stack>
    </Paper>
  )
}
