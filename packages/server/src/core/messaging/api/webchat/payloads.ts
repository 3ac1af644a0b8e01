// Payloads that the official webchat can show. It ends with an error on a message of another form,
// so messages of bots that do not fit are shown as text.
import { WebchatBlocItem, WebchatPayload } from '@botstead/contract'
import { schemaTest } from '../../../http/index.ts'

type Json = Record<string, unknown>

const isShowable = schemaTest(WebchatPayload)
const isShowableItem = schemaTest(WebchatBlocItem)

/** Converts the payload of a chat message (`toStoredChatMessage`). */
export function toWebchatPayload(payload: Json & { type: string }): WebchatPayload {
  const wanted =
    payload.type === 'bloc' && Array.isArray(payload.items)
      ? { ...payload, items: payload.items.map(toBlocItem) }
      : payload
  if (isShowable(wanted)) return wanted as WebchatPayload
  return { type: 'text', text: toText(payload) }
}

function toBlocItem(item: unknown): Json {
  const { type, ...payload } = isObject(item) ? item : { type: typeof item }
  const converted = { type, payload }
  return isShowableItem(converted)
    ? converted
    : { type: 'text', payload: { text: toText({ type, ...payload }) } }
}

const toText = ({ type, text, markdown, title }: Json): string =>
  ([text, markdown, title].find(
    (one) => typeof one === 'string' && one !== '',
  ) as string) ?? `This message cannot be shown (type "${String(type).slice(0, 50)}").`

/** Converts a message that a webchat sent to its stored form. */
export function storedWebchatPayload({
  payload: { type, ...payload },
  metadata,
  replyTo,
}: {
  payload: Json
  metadata?: Json | undefined
  replyTo?: string | undefined
}): { type: string; payload: Json } {
  return {
    type: String(type),
    payload: { ...payload, ...(metadata && { metadata }), ...(replyTo && { replyTo }) },
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
