// The channels as integrations of the hub.
import { createHash } from 'node:crypto'
import { type ChannelEntry, channels } from '@botstead/channels'
import { toOwnCodeUrl } from '../../core/delivery/index.ts'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns the id of the integration. The same on every server: it has the shape of other ids, and depends on the name and major version. */
export function toVersionId({ name, version }: ChannelEntry): string {
  const hash = createHash('sha256')
    .update(`${name}@${version.split('.')[0]}`)
    .digest()
  return `intver_01J0${[...hash.subarray(0, 22)].map((byte) => digits[byte % 32]).join('')}`
}

export const hubIntegrations = channels.map((entry) => ({
  name: entry.name,
  title: entry.title,
  description: entry.description,
  definition: {
    identifier: {},
    configurations: {},
    states: {},
    entities: {},
    interfaces: {},
    extraOperations: {},
    ...entry.definition,
  },
  versions: { [toVersionId(entry)]: entry.version },
  url: toOwnCodeUrl(entry.name),
}))
