// A page of many sections, with their list: beside them, or above them where it is narrow.
import { Box, Stack, TableOfContents, Text } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

interface WithContentsProps {
  /** Changes when sections appear later. */
  state?: string
  children: ReactNode
}

export const WithContents = ({ state = '', children }: WithContentsProps) => (
  <div className="with-contents">
    <Box component="nav" aria-label={texts.common.contents} className="contents">
      <Text size="sm" c="dimmed" px="sm" aria-hidden="true">
        {texts.common.contents}
      </Text>
      <TableOfContents
        key={state}
        size="sm"
        variant="none"
        scrollSpyOptions={{ selector: '.with-contents-sections h2' }}
        getControlProps={({ data }) => ({
          component: 'a',
          href: `#${data.id}`,
          onClick: (event: MouseEvent) => {
            event.preventDefault()
            data.getNode().scrollIntoView()
          },
          children: data.value,
        })}
      />
    </Box>
    <Stack className="with-contents-sections">{children}</Stack>
  </div>
)
