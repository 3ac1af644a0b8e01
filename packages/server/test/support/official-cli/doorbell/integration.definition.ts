// Brings messages from a third party by webhook; outgoing ones are marked as posted.
import { IntegrationDefinition, z } from '@botpress/sdk'

export default new IntegrationDefinition({
  name: 'doorbell',
  version: '1.0.0',
  title: 'Doorbell',
  icon: 'icon.svg',
  readme: 'hub.md',
  channels: {
    door: {
      conversation: { tags: { id: {} } },
      message: { tags: { posted: {} } },
      messages: { text: { schema: z.object({ text: z.string() }) } },
    },
  },
  user: { tags: { id: {} } },
  events: { rung: { schema: z.object({ times: z.number() }) } },
})
