// Whether a channel works, as a light with words.
import type { ChannelState } from '@botstead/contract'
import { Group, Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import classes from './channels.module.css'
import { toLight } from './queries.ts'

export function ChannelLight({ state }: { state: ChannelState }) {
  const light = toLight(state)
  return (
    <Group gap="xs" wrap="nowrap" role="status">
      <span className={classes.light} data-light={light} aria-hidden="true" />
      <Text fw={600}>{texts.channels.light[light]}</Text>
    </Group>
  )
}
