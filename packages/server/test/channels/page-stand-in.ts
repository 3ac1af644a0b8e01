// A stand-in of Messenger and Instagram, from their public documentation
// (https://developers.facebook.com/docs/messenger-platform).
import { type GraphCall, graphError, MetaStandIn, pickFields } from './meta-stand-in.ts'
import { type Answer, type Failure, type Json, readForm, type Shown } from './stand-in.ts'

const account = { name: 'Bakery', username: 'bakery' }

export const personId = '6543217890'
const accountId = '112233445566'

const failed: Record<Failure, Answer> = {
  limited: graphError(400, 613, '(#613) Calls to this API have exceeded the rate limit'),
  rejected: graphError(400, 10, '(#10) This message is sent outside of allowed window.', {
    error_subcode: 2018278,
  }),
  unavailable: graphError(
    500,
    1200,
    'Temporary send message failure. Please try again later.',
  ),
  credentials: graphError(401, 190, 'Error validating access token: Session has expired'),
}

export async function openMessenger(more: Record<string, unknown> = {}): Promise<Page> {
  const page = new Page({
    maxText: 2_000,
    measure: (text) => text.length,
    needsProof: true,
  })
  await page.open({ pageId: accountId, ...more })
  return page
}

export async function openInstagram(more: Record<string, unknown> = {}): Promise<Page> {
  const page = new Page({ maxText: 1_000, measure: Buffer.byteLength, needsProof: false })
  await page.open({ instagramId: accountId, ...more })
  return page
}

interface Rules {
  maxText: number
  measure: (text: string) => number
  needsProof: boolean
}

export class Page extends MetaStandIn {
  /** Messages of the bot, with the ids that they got. */
  readonly messages: Json[] = []
  protected override readonly needsProof: boolean
  protected override readonly filesNeedToken = false
  readonly #rules: Rules

  constructor(rules: Rules) {
    super()
    this.#rules = rules
    this.needsProof = rules.needsProof
  }

  say(text: string) {
    return this.receive({ message: { mid: this.nextMid(), text } })
  }

  async sendPicture(bytes: Buffer, caption: string) {
    const attachments = [{ type: 'image', payload: { url: this.toFileUrl(bytes) } }]
    await this.receive({ message: { mid: this.nextMid(), text: caption, attachments } })
  }

  async press(label: string) {
    const found = this.messages
      .flatMap(readReplies)
      .findLast(({ title }) => title === label)
    if (found?.type === 'postback') {
      const postback = { mid: this.nextMid(), title: label, payload: found.payload }
      return this.receive({ postback })
    }
    const message = {
      mid: this.nextMid(),
      text: label,
      quick_reply: { payload: found?.payload },
    }
    await this.receive({ message })
  }

  nextMid = () => `m_${this.nextId()}`
  toFileUrl = (bytes: Buffer) => `${this.url}/files/${this.addFile(bytes)}`

  /** What the person does, in one notification. */
  async receive(...contents: Json[]) {
    const ids = { sender: { id: personId }, recipient: { id: accountId } }
    const messaging = contents.map((content) => ({
      ...ids,
      timestamp: Date.now(),
      ...content,
    }))
    await this.notify({ object: 'page', entry: [{ id: accountId, time: 0, messaging }] })
  }

  shown = () => this.messages.map(({ message }) => readShown(message))

  protected async answer(call: GraphCall): Promise<Answer> {
    const { method, path, received } = call
    if (path === `/${accountId}` && method === 'GET')
      return { json: { id: accountId, ...pickFields(call, account) } }
    if (path === `/${accountId}/subscribed_apps`) return { json: { success: true } }
    if (path === `/${personId}`) return { json: { name: 'Ana Pop', id: personId } }
    if (path !== `/${accountId}/messages`)
      return graphError(400, 100, 'Unsupported get request.', { error_subcode: 33 })
    const isForm = /multipart/.test(received.headers['content-type'] ?? '')
    return this.#send(isForm ? parseFields(await readForm(received)) : call.body)
  }

  #send(body: Json): Answer {
    if (body.recipient?.id !== personId)
      return graphError(400, 100, '(#100) No matching user found', {
        error_subcode: 2018001,
      })
    if (body.sender_action) return { json: { recipient_id: personId } }
    const failure = body.tag ? undefined : this.failures.shift()
    if (failure) return failed[failure]
    const broken = this.#findBroken(body.message)
    if (broken) return graphError(400, 100, `(#100) ${broken}`)
    const message_id = this.nextMid()
    this.messages.push({ id: message_id, ...body })
    return { json: { recipient_id: personId, message_id } }
  }

  /** The limits of the documentation. */
  #findBroken({ text, quick_replies = [], attachment }: Json): string | null {
    const { maxText, measure } = this.#rules
    if (text !== undefined && (text === '' || measure(text) > maxText))
      return 'message[text]'
    if (quick_replies.length > 13) return 'quick_replies'
    if (quick_replies.some(({ title }: Json) => title.length > 20)) return 'title'
    const elements: Json[] = attachment?.payload.elements ?? []
    if (elements.length > 10) return 'elements'
    for (const { title, subtitle = '', buttons = [] } of elements)
      if (title.length > 80 || subtitle.length > 80 || buttons.length > 3)
        return 'element'
    return null
  }
}

function parseFields(form: Json): Json {
  const isJson = (value: unknown) => typeof value === 'string' && /^[[{]/.test(value)
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      isJson(value) ? JSON.parse(value) : value,
    ]),
  )
}

const readElements = (message: Json): Json[] => message.attachment?.payload.elements ?? []

const readReplies = ({ message }: Json): Json[] => [
  ...(message.quick_replies ?? []),
  ...readElements(message).flatMap(({ buttons = [] }) => buttons),
]

function readShown(message: Json): Shown {
  const buttons = readReplies({ message }).map(({ title, url }) => ({
    label: title,
    ...(url && { url }),
  }))
  const cards = readElements(message).map(
    ({ title, subtitle }) => `${title}\n${subtitle ?? ''}`,
  )
  const text = message.text ?? cards.join('\n')
  const { type, payload } = message.attachment ?? {}
  const isMedia = type !== undefined && type !== 'template'
  return {
    ...(text && { text }),
    ...(buttons.length > 0 && { buttons }),
    ...(isMedia && { media: { kind: type, url: payload.url } }),
  }
}
