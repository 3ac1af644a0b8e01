// A stand-in of WhatsApp's Cloud API, from its public documentation
// (https://developers.facebook.com/docs/whatsapp/cloud-api).
import { type GraphCall, graphError, MetaStandIn } from './meta-stand-in.ts'
import { type Answer, type Failure, type Json, readForm, type Shown } from './stand-in.ts'

export const phoneId = '106540352242922'
const accountId = '102290129340398'
export const person = { wa_id: '16505551234', profile: { name: 'Ana Pop' } }
const kinds = { image: 'image', audio: 'audio', video: 'video', document: 'file' } as const

const failed: Record<Failure, Answer> = {
  limited: graphError(400, 130429, '(#130429) Rate limit hit'),
  rejected: graphError(400, 131047, '(#131047) Re-engagement message'),
  unavailable: graphError(500, 131016, '(#131016) Service unavailable'),
  credentials: graphError(401, 190, 'Error validating access token: Session has expired'),
}

export async function openWhatsApp(more: Record<string, unknown> = {}): Promise<WhatsApp> {
  const whatsapp = new WhatsApp()
  await whatsapp.open({ defaultBotPhoneNumberId: phoneId, businessAccountId: accountId, ...more })
  return whatsapp
}

export class WhatsApp extends MetaStandIn {
  /** Messages of the bot, with the ids that they got. */
  readonly messages: Json[] = []
  readonly uploads: Json[] = []

  say(text: string) {
    return this.receive({ type: 'text', text: { body: text } })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    const id = this.addFile(bytes)
    await this.receive({ type: 'image', image: { id, mime_type: 'image/jpeg', caption } })
  }

  async press(label: string) {
    const found = this.messages.flatMap(readReplies).findLast(({ title }) => title === label)
    const reply = { type: 'button_reply', button_reply: { id: found?.id, title: label } }
    await this.receive({ type: 'interactive', interactive: reply })
  }

  /** The person sends messages with these fields, in one notification. */
  async receive(...contents: Json[]) {
    const from = person.wa_id
    const messages = contents.map((content) => ({
      from,
      id: `wamid.in${this.nextId()}`,
      timestamp: '0',
      ...content,
    }))
    await this.change({ contacts: [person], messages })
  }

  async status(status: Json) {
    await this.change({ statuses: [{ recipient_id: person.wa_id, timestamp: '0', ...status }] })
  }

  async change(content: Json) {
    const metadata = { display_phone_number: '15550783881', phone_number_id: phoneId }
    const value = { messaging_product: 'whatsapp', metadata, ...content }
    const entry = [{ id: accountId, changes: [{ field: 'messages', value }] }]
    await this.notify({ object: 'whatsapp_business_account', entry })
  }

  shown = () => this.messages.map(readShown)

  protected answer(call: GraphCall): Promise<Answer> | Answer {
    const { method, path } = call
    if (path === `/${phoneId}` && method === 'GET') return { json: { id: phoneId } }
    if (path === `/${accountId}/subscribed_apps`) return { json: { success: true } }
    if (path === `/${accountId}/message_templates`)
      return { json: { data: [template], paging: {} } }
    if (path === `/${phoneId}/media`) return this.#upload(call)
    if (path === `/${phoneId}/messages`) return this.#send(call.body)
    const id = path.slice(1)
    const file = this.files.get(id)
    if (file) return { json: { id, url: `${this.url}/files/${id}`, file_size: file.length } }
    return graphError(400, 100, 'Unsupported get request. Object does not exist', {
      error_subcode: 33,
    })
  }

  async #upload({ received }: GraphCall): Promise<Answer> {
    const form = await readForm(received)
    this.uploads.push(form)
    return { json: { id: `media${this.uploads.length}` } }
  }

  #send(body: Json): Answer {
    if (body.status === 'read') return { json: { success: true } }
    const failure = this.failures.shift()
    if (failure) return failed[failure]
    if (body.to !== person.wa_id) return graphError(400, 131026, 'Message undeliverable')
    const broken = findBroken(body)
    if (broken) return graphError(400, 100, '(#100) Invalid parameter', broken)
    const id = `wamid.out${this.nextId()}`
    this.messages.push({ id, ...body })
    return { json: { messaging_product: 'whatsapp', messages: [{ id }] } }
  }
}

const template = {
  name: 'order_ready',
  language: 'en',
  status: 'APPROVED',
  components: [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is ready.' }],
}

/** The limits of the documentation. */
function findBroken({ type, text, interactive, image }: Json): Json | null {
  const broken = (details: string) => ({ error_data: { details } })
  if (type === 'text' && (text.body.length > 4_096 || !text.body)) return broken('text.body')
  if (image?.caption?.length > 1_024) return broken('caption')
  if (type !== 'interactive') return null
  const { action, body } = interactive
  if (!body.text || body.text.length > 1_024) return broken('body')
  const titles = (action.buttons ?? []).map(({ reply }: Json) => reply.title)
  if (titles.length > 3 || new Set(titles).size < titles.length) return broken('buttons')
  if (titles.some((title: string) => title.length > 20)) return broken('title')
  const rows: Json[] = action.sections?.[0].rows ?? []
  if (rows.length > 10 || rows.some(({ title }) => title.length > 24)) return broken('rows')
  const hasNone = titles.length + rows.length === 0
  return interactive.type === 'cta_url' || !hasNone ? null : broken('action')
}

const readReplies = ({ interactive }: Json): Json[] => [
  ...(interactive?.action.buttons ?? []).map(({ reply }: Json) => reply),
  ...(interactive?.action.sections?.[0].rows ?? []),
]

function readShown(message: Json): Shown {
  const { text, interactive, location, type } = message
  const { display_text: label, url } = interactive?.action.parameters ?? {}
  const replies = readReplies(message).map(({ title }) => ({ label: title }))
  const buttons = label ? [{ label, url }] : replies
  const kind = kinds[type as keyof typeof kinds]
  const file = kind && message[type]
  const shownText = text?.body ?? interactive?.body.text ?? file?.caption
  return {
    ...(shownText && { text: shownText }),
    ...(buttons.length > 0 && { buttons }),
    ...(kind && { media: { kind, url: file.link ?? file.id } }),
    ...(location && { location }),
  }
}
