// A stand-in of WhatsApp's Cloud API, from its public documentation
// (https://developers.facebook.com/docs/whatsapp/cloud-api).
import { type GraphCall, graphError, MetaStandIn, pickFields } from './meta-stand-in.ts'
import { type Answer, type Failure, type Json, readForm, type Shown } from './stand-in.ts'

const account = { display_phone_number: '+1 555-078-3881', verified_name: 'Bakery' }
export const phoneId = '106540352242922'
const accountId = '102290129340398'
export const person = { wa_id: '16505551234', profile: { name: 'Ana Pop' } }
const kinds = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  document: 'file',
} as const

const failed: Record<Failure, Answer> = {
  limited: graphError(400, 130429, '(#130429) Rate limit hit'),
  rejected: graphError(400, 131047, '(#131047) Re-engagement message'),
  unavailable: graphError(500, 131016, '(#131016) Service unavailable'),
  credentials: graphError(401, 190, 'Error validating access token: Session has expired'),
}

export async function openWhatsApp(
  more: Record<string, unknown> = {},
): Promise<WhatsApp> {
  const whatsapp = new WhatsApp()
  await whatsapp.open({
    defaultBotPhoneNumberId: phoneId,
    businessAccountId: accountId,
    ...more,
  })
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
    const found = this.messages
      .flatMap(readReplies)
      .findLast(({ title }) => title === label)
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
    await this.change({
      statuses: [{ recipient_id: person.wa_id, timestamp: '0', ...status }],
    })
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
    if (path === `/${phoneId}` && method === 'GET')
      return { json: { id: phoneId, ...pickFields(call, account) } }
    if (path === `/${accountId}` && method === 'GET') return { json: { id: accountId } }
    if (path === `/${accountId}/subscribed_apps`) return { json: { success: true } }
    if (path === `/${accountId}/message_templates`)
      return { json: { data: templates, paging: {} } }
    if (path === `/${phoneId}/media`) return this.#upload(call)
    if (path === `/${phoneId}/messages`) return this.#send(call.body)
    const id = path.slice(1)
    const file = this.files.get(id)
    if (file)
      return { json: { id, url: `${this.url}/files/${id}`, file_size: file.length } }
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
    const wrong = body.type === 'template' ? findWrongTemplate(body.template) : null
    if (wrong) return wrong
    const broken = findBroken(body)
    if (broken) return graphError(400, 100, '(#100) Invalid parameter', broken)
    const id = `wamid.out${this.nextId()}`
    this.messages.push({ id, ...body })
    return { json: { messaging_product: 'whatsapp', messages: [{ id }] } }
  }
}

const templates = [
  {
    name: 'order_ready',
    language: 'en',
    status: 'APPROVED',
    quality_score: { score: 'GREEN', date: 1_700_000_000 },
    components: [{ type: 'BODY', text: 'Hello {{1}}, your order {{2}} is ready.' }],
  },
  {
    name: 'receipt',
    language: 'en',
    status: 'APPROVED',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Thank you, {{name}}.' },
      { type: 'FOOTER', text: 'Baker Street' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Track', url: 'https://example.org/{{1}}' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+16505551234' },
          { type: 'QUICK_REPLY', text: 'Stop' },
          { type: 'COPY_CODE', text: 'Copy code' },
        ],
      },
    ],
  },
  {
    name: 'shop',
    language: 'en',
    status: 'PAUSED',
    components: [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'We have moved.' },
    ],
  },
  {
    name: 'greeting',
    language: 'en',
    status: 'APPROVED',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
      { type: 'BODY', text: 'Hello.' },
    ],
  },
]

const formats: Record<string, string> = {
  text: 'TEXT',
  image: 'IMAGE',
  video: 'VIDEO',
  document: 'DOCUMENT',
  location: 'LOCATION',
}
const buttonTypes: Record<string, [type: string, parameter: string]> = {
  url: ['URL', 'text'],
  quick_reply: ['QUICK_REPLY', 'payload'],
  copy_code: ['COPY_CODE', 'coupon_code'],
}
const variablesIn = (text = '') =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)

/** As Meta checks the parameters of a template. */
function findWrongTemplate({ name, language, components = [] }: Json): Answer | null {
  const found = templates.find(
    (one) => one.name === name && one.language === language.code,
  )
  if (!found) return graphError(404, 132001, '(#132001) Template name does not exist')
  const wrong = (code: number, message: string, details: string) =>
    graphError(400, code, `(#${code}) ${message}`, { error_data: { details } })
  const number = (details: string) =>
    wrong(
      132000,
      'Number of parameters does not match the expected number of params',
      details,
    )
  const format = (details: string) =>
    wrong(
      132012,
      'Parameter format does not match format in the created template',
      details,
    )
  const part = (type: string) =>
    found.components.find((one) => one.type === type) as Json | undefined
  const given = (type: string): Json[] =>
    components.find((one: Json) => one.type === type)?.parameters ?? []
  const header = part('HEADER')
  const expected =
    header?.format === 'TEXT' ? variablesIn(header.text).length : Number(!!header)
  if (given('header').length !== expected) return number('header')
  for (const { type, ...value } of given('header'))
    if (formats[type] !== header?.format || !value[type]) return format('header')
  const names = variablesIn(part('BODY')?.text)
  if (given('body').length !== names.length) return number('body')
  for (const [i, { parameter_name, text, type }] of given('body').entries()) {
    const isNamed = !/^\d+$/.test(names[i]!)
    if (type !== 'text' || !text) return format('body')
    if (isNamed ? !names.includes(parameter_name) : parameter_name !== undefined)
      return format('body')
  }
  return findWrongButton(part('BUTTONS')?.buttons ?? [], components, { number, format })
}

function findWrongButton(
  buttons: Json[],
  components: Json[],
  { number, format }: Record<'number' | 'format', (details: string) => Answer>,
): Answer | null {
  const given = components.filter(({ type }) => type === 'button')
  for (const { sub_type, index, parameters } of given) {
    const [type, parameter] = buttonTypes[sub_type] ?? []
    if (typeof index !== 'string' || buttons[Number(index)]?.type !== type)
      return format('button')
    if (parameters.length !== 1) return number('button')
    if (parameters[0].type !== parameter || !parameters[0][parameter!])
      return format('button')
  }
  const needed = buttons.flatMap(({ type, url = '' }, index) =>
    type === 'COPY_CODE' || variablesIn(url).length > 0 ? [String(index)] : [],
  )
  const isMissing = needed.some((index) => !given.some((one) => one.index === index))
  return isMissing ? number('button') : null
}

/** The limits of the documentation. */
function findBroken({ type, text, interactive, image }: Json): Json | null {
  const broken = (details: string) => ({ error_data: { details } })
  if (type === 'text' && (text.body.length > 4_096 || !text.body))
    return broken('text.body')
  if (image?.caption?.length > 1_024) return broken('caption')
  if (type !== 'interactive') return null
  const { action, body } = interactive
  if (!body.text || body.text.length > 1_024) return broken('body')
  const titles = (action.buttons ?? []).map(({ reply }: Json) => reply.title)
  if (titles.length > 3 || new Set(titles).size < titles.length) return broken('buttons')
  if (titles.some((title: string) => title.length > 20)) return broken('title')
  const rows: Json[] = action.sections?.[0].rows ?? []
  if (rows.length > 10 || rows.some(({ title }) => title.length > 24))
    return broken('rows')
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
