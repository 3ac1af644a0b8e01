// The code of the integration: a webhook, which sends the event "received" to the bot, and the action
// "reverse", which the bot calls.
import { Integration, RuntimeError } from '@botpress/sdk'

/** The types of definition.js. */
type Definition = {
  name: string
  version: string
  configuration: object
  configurations: Record<string, never>
  actions: { reverse: { input: { text: string }; output: { text: string } } }
  channels: Record<string, never>
  events: { received: { text: string } }
  states: Record<string, never>
  user: { tags: object }
  entities: Record<string, never>
}

const integration = new Integration<Definition>({
  async register() {},
  async unregister() {},
  async handler({ req, client }) {
    await client.createEvent({ type: 'received', payload: { text: textOf(req.body) } })
    return { status: 202 }
  },
  actions: {
    reverse: async ({ input }) => ({ text: [...input.text].reverse().join('') }),
  },
  channels: {},
})

function textOf(body: string | undefined): string {
  if (body) return body
  throw new RuntimeError('The request has no body. Send a text')
}

export default integration
export const handler = integration.handler
