// The parts of a bot that differ between two states.
import { Badge, Group, Stack, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import type { Change } from './document-changes.ts'

const t = texts.versions
const maxVisible = 12

export function ChangeList({ title, changes }: { title: string; changes: Change[] }) {
  const more = changes.length - maxVisible
  return (
    <Stack gap={6}>
      <Text size="sm" className="foreign">
        {title}
      </Text>
      <Group component="ul" gap={6} p={0} m={0} style={{ listStyle: 'none' }}>
        {changes.slice(0, maxVisible).map(({ kind, path }) => (
          <Badge
            key={path}
            component="li"
            variant="default"
            tt="none"
            className="foreign"
          >
            {t.changes[kind](path)}
          </Badge>
        ))}
        {more > 0 && (
          <Text component="li" size="sm">
            {t.moreChanges(more)}
          </Text>
        )}
      </Group>
    </Stack>
  )
}
