import type { Broadcast } from '@botstead/contract'
import { Badge } from '@mantine/core'
import { texts } from '../../texts/texts.ts'

export const BroadcastState = ({ state }: Pick<Broadcast, 'state'>) => (
  <Badge variant={state === 'sending' || state === 'resolving' ? 'filled' : 'default'}>
    {texts.broadcasts.states[state]}
  </Badge>
)
