// Settings that no provider can be asked about.
import type { ChannelGuide } from '@botstead/contract'
import { Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import type { Values } from './queries.ts'
import { listProperties } from './setting-field.tsx'

/** Names those that have a value. */
export function Unproved({ guide, values }: { guide: ChannelGuide; values: Values }) {
  const named = guide.unproved.filter((name) => values[name])
  if (named.length === 0) return null
  const properties = listProperties(guide)
  const titles = named.map((name) => properties[name]?.title ?? name)
  return <Text size="sm">{texts.channels.unproved(titles.join(texts.common.comma))}</Text>
}
