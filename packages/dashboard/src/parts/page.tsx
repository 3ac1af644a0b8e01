// The frame of a page: title, actions, content.
import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useBotName } from '../api/bot-query.ts'
import { texts } from '../texts/texts.ts'
import { DocsLink } from './objects/docs-link.tsx'

interface PageProps {
  title: string
  /** Beside the title: filters and buttons. */
  actions?: ReactNode
  /** Page of the documentation. */
  docs?: string
  /** The content scrolls by itself, as long lists do. */
  fills?: boolean
  children: ReactNode
}

/** In a window's title, they would reverse the rest. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export function Page({ title, actions, docs, fills = false, children }: PageProps) {
  const botName = useBotName().data?.name
  const ofBot = botName === title ? undefined : botName
  useEffect(() => {
    const parts = [title, ...(ofBot ? [ofBot] : []), texts.shell.product]
    document.title = parts.join(' · ').replace(directionMarks, '')
  }, [title, ofBot])
  return (
    <Box
      p={{ base: 'sm', sm: 'lg' }}
      h={fills ? '100%' : undefined}
      display="flex"
      style={{ flexDirection: 'column', gap: 16, minWidth: 0 }}
    >
      <Group justify="space-between" gap="sm">
        <Box miw={0}>
          {ofBot && (
            // In the header of a phone, the name may be cut.
            <Text size="sm" c="dimmed" className="narrow-only one-line foreign">
              {ofBot}
            </Text>
          )}
          <Title
            order={1}
            size="h2"
            className="foreign"
            lineClamp={2}
            // Gets the focus after a dialog that leads to another page.
            tabIndex={-1}
            style={{ outline: 'none' }}
          >
            {title}
          </Title>
        </Box>
        {(actions || docs) && (
          <Group gap="xs">
            {docs && <DocsLink page={docs} />}
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Box>
  )
}
