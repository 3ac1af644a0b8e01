// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { ChannelTools } from './channel-tools.ts'

export interface ChannelServices {
  /** Ask providers: only outside of transactions. */
  channelTools: ChannelTools
}

export const bindings = {
  channelTools: 'unchanged',
} satisfies Bindings<ChannelServices>
