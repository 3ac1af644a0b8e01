// The definition of the integration: what bots see of it. Its schemas are JSON Schemas.
const object = (properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const text = { type: 'string' }

/** A new version number adds a version; each bot keeps the version that it installed. */
export const definition = {
  name: 'NAME',
  version: '0.1.0',
  title: 'NAME',
  description: 'Turns requests to a webhook into events, and reverses texts',
  events: { received: { schema: object({ text }) } },
  actions: {
    reverse: {
      input: { schema: object({ text }) },
      output: { schema: object({ text }) },
    },
  },
}
