// JSON Schemas of the message types that every channel knows, for definitions of integrations.

type JsonSchema = Record<string, unknown>

export const textSchema: JsonSchema = { type: 'string' }
export const filledSchema: JsonSchema = { type: 'string', minLength: 1 }
export const anySchema: JsonSchema = { type: 'object', additionalProperties: true }

// Alternatives use `anyOf`: CLIs convert these schemas to zod, and most of their versions fail on
// `oneOf`.

/** Allows no additional properties by default. A name that ends in `?` is optional. */
export function objectSchema(
  properties: Record<string, JsonSchema>,
  additionalProperties = false,
): JsonSchema {
  const named = Object.entries(properties).map(
    ([name, schema]) => [name.replace('?', ''), schema] as const,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    required: Object.keys(properties).filter((name) => !name.endsWith('?')),
    additionalProperties,
  }
}
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

const filled = filledSchema
const options = {
  text: filled,
  options: list(objectSchema({ label: filled, value: filled }, true)),
}
const card = {
  title: filled,
  'subtitle?': filled,
  'imageUrl?': filled,
  actions: list(
    objectSchema(
      { action: { enum: ['postback', 'url', 'say'] }, label: filled, value: filled },
      true,
    ),
  ),
}
const simple = {
  text: { text: filled },
  markdown: { markdown: filled },
  image: { imageUrl: filled, 'title?': filled },
  audio: { audioUrl: filled, 'title?': filled },
  video: { videoUrl: filled, 'title?': filled },
  file: { fileUrl: filled, 'title?': filled },
  location: {
    latitude: { type: 'number' },
    longitude: { type: 'number' },
    'address?': textSchema,
    'title?': textSchema,
  },
}
const payloads = {
  ...simple,
  card,
  carousel: { items: list(objectSchema(card, true)) },
  choice: options,
  dropdown: options,
  bloc: {
    items: list({
      anyOf: Object.entries(simple).map(([type, fields]) =>
        objectSchema({ type: { const: type }, payload: objectSchema(fields, true) }),
      ),
    }),
  },
}

/** By message type. Clients and bots may send additional fields, and attach metadata. */
export const messageSchemas = Object.fromEntries(
  Object.entries(payloads).map(([type, fields]) => [
    type,
    { schema: objectSchema({ ...fields, 'metadata?': anySchema }, true) },
  ]),
)
