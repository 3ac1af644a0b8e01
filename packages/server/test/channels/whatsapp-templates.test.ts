// Templates of WhatsApp with headers and buttons, by actions, messages and broadcasts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChannelScene, openChannelScene, until, untilSent } from './cases.ts'
import type { Json } from './stand-in.ts'
import { openWhatsApp, type WhatsApp } from './whatsapp-stand-in.ts'

let channel: ChannelScene
let whatsapp: WhatsApp
beforeAll(async () => {
  channel = await openChannelScene('whatsapp', openWhatsApp)
  whatsapp = channel.standIn as WhatsApp
  await whatsapp.say('hello')
  await until(async () => (await channel.messages()).length === 1)
})
afterAll(() => channel?.close())

const post = async (path: string, body: Json) =>
  channel.scene.call('POST', path, { headers: channel.scene.asBot, body })
const act = (type: string, input: Json) =>
  post('/v1/chat/actions', { type: `whatsapp:${type}`, input })
const start = (templateName: string, values: Json) =>
  act('startConversation', {
    conversation: { userPhone: '+16505551234', templateName, ...values },
  })

const values = {
  templateVariablesJson: '{"name": "Ana"}',
  templateHeaderJson: '{"document": "https://example.org/a/bill%207.pdf"}',
  templateButtonsJson:
    '[{"url": "o/7"}, null, {"quickReply": "stop-7"}, {"copyCode": "SAVE20"}]',
}
const receiptComponents = (name: string, document: Json) => [
  { type: 'header', parameters: [{ type: 'document', document }] },
  { type: 'body', parameters: [{ type: 'text', parameter_name: 'name', text: name }] },
  ...[
    ['url', '0', { type: 'text', text: 'o/7' }],
    ['quick_reply', '2', { type: 'payload', payload: 'stop-7' }],
    ['copy_code', '3', { type: 'coupon_code', coupon_code: 'SAVE20' }],
  ].map(([sub_type, index, one]) => ({
    type: 'button',
    sub_type,
    index,
    parameters: [one],
  })),
]

test('header and buttons get their values, and the conversation has what the person sees', async () => {
  const { status } = await start('receipt', values)
  expect(status).toBe(200)
  const document = { link: 'https://example.org/a/bill%207.pdf', filename: 'bill 7.pdf' }
  const { components } = whatsapp.messages.at(-1)!.template
  expect(components).toEqual(receiptComponents('Ana', document))
  expect((await channel.messages()).at(-1)!.payload.text).toBe(
    '[document] https://example.org/a/bill%207.pdf\nThank you, Ana.\nBaker Street\n' +
      '[Track]\n[Call]\n[Stop]\n[Copy code]',
  )
})

test('a header may be a place or a text', async () => {
  const location = {
    latitude: 46.77,
    longitude: 23.59,
    name: 'Shop',
    address: 'Main Street 1',
  }
  await start('shop', { templateHeaderJson: JSON.stringify({ location }) })
  expect(whatsapp.messages.at(-1)!.template.components).toEqual([
    { type: 'header', parameters: [{ type: 'location', location }] },
  ])
  expect((await channel.messages()).at(-1)!.payload.text).toBe(
    'Shop, Main Street 1\nWe have moved.',
  )
  await start('greeting', { templateHeaderJson: '{"text": ["Ana"]}' })
  expect((await channel.messages()).at(-1)!.payload.text).toBe('For Ana\nHello.')
})

test.each<[string, Json, string]>([
  ['receipt', { ...values, templateButtonsJson: undefined }, '[132000]'],
  [
    'receipt',
    { ...values, templateHeaderJson: undefined },
    'header, body and buttons need a value',
  ],
  ['receipt', { ...values, templateVariablesJson: '["Ana"]' }, '[132012]'],
  [
    'receipt',
    { ...values, templateHeaderJson: '{"image": "https://example.org/a.png"}' },
    '[132012]',
  ],
  [
    'receipt',
    { ...values, templateButtonsJson: '[null, {"url": "o/7"}]' },
    'buttons another order',
  ],
  ['nothing', {}, 'no approved template'],
  [
    'receipt',
    { templateHeaderJson: '{"image": "a"}' },
    '`templateHeaderJson` needs exactly one',
  ],
  ['receipt', { templateHeaderJson: '{' }, '`templateHeaderJson` needs exactly one'],
  [
    'receipt',
    { templateHeaderJson: '{"text": [], "image": "https://a.b/c"}' },
    'exactly one',
  ],
  [
    'receipt',
    { templateHeaderJson: '{"location": {"latitude": "x"}}' },
    '`location` with',
  ],
  ['receipt', { templateHeaderJson: '{"__proto__": {"text": ["x"]}}' }, 'exactly one'],
  [
    'receipt',
    { templateButtonsJson: '[{"link": "o/7"}]' },
    '`templateButtonsJson` is no list',
  ],
  [
    'receipt',
    { templateButtonsJson: '{"url": "o/7"}' },
    '`templateButtonsJson` is no list',
  ],
])('rejects for %s the values %j', async (name, given, words) => {
  const before = (await channel.messages()).length
  const { status, body } = await start(name, given)
  expect([status, body.message]).toEqual([400, expect.stringContaining(words)])
  expect(await channel.messages()).toHaveLength(before)
})

test('a broadcast sends a template with the values of each person', async () => {
  const whatsappTemplate = {
    name: 'receipt',
    header: { document: 'https://example.org/7.pdf', filename: 'bill.pdf' },
    body: { name: '{{ user.name }}' },
    buttons: [{ url: 'o/7' }, null, { quickReply: 'stop-7' }, { copyCode: 'SAVE20' }],
  }
  const message = {
    type: 'text',
    payload: { text: 'Thank you, {{ user.name }}.', whatsappTemplate },
  }
  const audience = { integration: 'whatsapp', channel: 'channel' }
  const broadcast = { name: 'Bills', audience, message }
  const before = whatsapp.messages.length
  expect((await post('/v1/platform/broadcasts', broadcast)).status).toBe(201)
  await until(() => whatsapp.messages.length > before)
  const document = { link: 'https://example.org/7.pdf', filename: 'bill.pdf' }
  expect(whatsapp.messages.at(-1)).toMatchObject({
    to: '16505551234',
    type: 'template',
    template: { name: 'receipt', language: { code: 'en' } },
  })
  expect(whatsapp.messages.at(-1)!.template.components).toEqual(
    receiptComponents('Ana Pop', document),
  )
  expect((await channel.messages()).at(-1)!.payload.text).toBe('Thank you, Ana Pop.')
})

test('a message with a wrong template is given up, and the issue names the field', async () => {
  const bad = { name: 'receipt', headers: {} }
  await channel.send('text', { text: 'x', whatsappTemplate: bad })
  const path = `/v1/admin/bots/${channel.scene.botId}/issues`
  const read = async () =>
    channel.scene.call('GET', path, { headers: channel.scene.admin })
  await until(async () =>
    JSON.stringify((await read()).body).includes('but no \\"headers\\"'),
  )
  const { id } = await channel.send('text', { text: 'afterwards' })
  await untilSent(channel, id)
})

test('a pressed button of a template has its label and its value', async () => {
  await whatsapp.receive({ type: 'button', button: { text: 'Stop', payload: 'stop-7' } })
  await until(async () => (await channel.messages()).at(-1)?.payload.value === 'stop-7')
  expect((await channel.messages()).at(-1)!.payload.text).toBe('Stop')
})

test('templates are listed with status and quality', async () => {
  const { body } = await act('listTemplates', {})
  expect(body.output.templates).toMatchObject([
    { name: 'order_ready', status: 'APPROVED', quality: 'GREEN' },
    { name: 'receipt', status: 'APPROVED' },
    { name: 'shop', status: 'PAUSED' },
    { name: 'greeting' },
  ])
})
