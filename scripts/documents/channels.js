// The table of message types in docs/channels.md.
import { channels, messageTypes } from '../../packages/channels/dist/index.js'
import { table } from './marked.js'

/** Returns a row for each channel. */
export const messageTable = () =>
  table(
    ['Channel', ...messageTypes.map((type) => `\`${type}\``)],
    channels.map(({ title, shows }) => [
      title,
      ...messageTypes.map((type) => shows[type]),
    ]),
  )
