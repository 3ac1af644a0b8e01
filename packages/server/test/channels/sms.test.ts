import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene } from '../support/scene.ts'
import {
  type ChannelScene,
  describeChannel,
  installChannel,
  openChannelScene,
  until,
  untilSent,
} from './cases.ts'
import { botPhone, type Gateway, openGateway, personPhone } from './sms-stand-in.ts'
import type { Json } from './stand-in.ts'

describeChannel('sms', openGateway)

async function openGatewayScene(more: Json = {}) {
  const channel = await openChannelScene('sms', () => openGateway(more))
  return { channel, gateway: channel.standIn as Gateway }
}

const secret = 'secret=stand-in-webhook-secret'
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

describe('requests of the gateway', () => {
  let channel: ChannelScene
  let gateway: Gateway
  beforeAll(async () => {
    ;({ channel, gateway } = await openGatewayScene())
    await gateway.say('hello')
    await until(async () => (await channel.messages()).length === 1)
  })
  afterAll(() => channel?.close())

  const texts = async () => (await channel.messages()).map(({ payload }) => payload.text)

  test('without the secret are rejected, and store nothing', async () => {
    const before = await texts()
    const body = JSON.stringify({
      id: 'x',
      from: personPhone,
      to: botPhone,
      text: 'forged',
    })
    for (const query of ['', '?secret=', '?secret=other'])
      expect((await gateway.request(query, { method: 'POST', body })).status).toBe(401)
    expect(await texts()).toEqual(before)
  })

  test('may be forms or queries, with the secret in a header', async () => {
    const fields = (text: string) =>
      new URLSearchParams({ id: text, from: personPhone, to: botPhone, text }).toString()
    const posted = { method: 'POST', headers: form, body: fields('by form ü') }
    expect((await gateway.request(`?${secret}`, posted)).status).toBe(200)
    expect((await gateway.request(`?${secret}&${fields('by query')}`)).status).toBe(200)
    const headers = { 'x-webhook-secret': 'stand-in-webhook-secret', ...form }
    const signed = { method: 'POST', headers, body: fields('by header') }
    expect((await gateway.request('', signed)).status).toBe(200)
    expect((await texts()).slice(-3)).toEqual(['by form ü', 'by query', 'by header'])
  })

  test('without an id are stored once, and those of other shapes are ignored', async () => {
    await gateway.receive({ from: personPhone, to: botPhone, text: 'no id' })
    await gateway.repeat()
    for (const body of [
      { from: {}, text: [] },
      { from: personPhone, text: '' },
      { from: personPhone, status: 'queued' },
    ])
      await gateway.receive(body)
    for (const body of ['{', '[1]', 'null'])
      expect(
        (await gateway.request(`?${secret}`, { method: 'POST', body })).status,
      ).toBeLessThan(500)
    expect((await texts()).filter((text) => text === 'no id')).toHaveLength(1)
  })

  test('without the fields that the settings name are rejected with the names of theirs', async () => {
    const listed = async () => {
      const path = `/v1/platform/bots/${channel.scene.botId}/channels`
      const { body } = await channel.scene.call('GET', path, {
        headers: channel.scene.admin,
      })
      return body.channels.find((one: Json) => one.alias === 'sms')
    }
    const body = JSON.stringify({ sender: personPhone, message: 'hello' })
    const headers = { 'content-type': 'application/json' }
    const reply = await gateway.request(`?${secret}`, { method: 'POST', headers, body })
    expect(reply.status).toBe(400)
    expect((await listed()).lastError.message).toBe(
      'A message was not taken, because it has no field "from", which the setting "Number of the person" ' +
        'names. Its fields: sender, message.',
    )
  })

  test('say that an SMS arrived, or did not', async () => {
    const { id } = await channel.send('text', { text: 'Arrives?' })
    await untilSent(channel, id)
    const tags = async () =>
      ((await channel.messages()).find((one) => one.id === id) as Json).tags as Json
    const sent = (await tags())['sms:id']
    const state = { id: sent, from: botPhone, to: personPhone }
    await gateway.receive({ ...state, status: 'UNDELIV' })
    const { scene } = channel
    const path = '/v1/chat/events?type=sms%3AmessageFailed'
    const { body } = await scene.call('GET', path, { headers: scene.asBot })
    expect(body.events[0].payload.messageTags).toEqual({ id: sent })
  })
})

describe('messages of the bot', () => {
  test('have the fields and the body of the configuration', async () => {
    const { channel, gateway } = await openGatewayScene({
      body: '{"messages":[{"recipient":"{{to}}","content":"{{ text }}","ref":"{{id}}"}],"x":"{{other}}"}',
      authorizationHeader: 'X-API-Key',
      listField: 'results',
      fromField: 'sender.number',
      textField: 'content',
    })
    await gateway.receive({
      results: [
        { id: 1, to: botPhone, sender: { number: personPhone }, content: 'one' },
        { id: 2, to: botPhone, sender: { number: personPhone }, content: 'two' },
      ],
    })
    await until(async () => (await channel.messages()).length === 2)
    gateway.answer = { json: { data: [{ id: 7 }] } }
    await channel.send('text', { text: 'Quotes " and \\ and\nlines' })
    await until(() => gateway.calls.length > 0)
    const { headers, body } = gateway.calls[0]!
    expect(headers['x-api-key']).toBe('Bearer stand-in-gateway-token')
    expect(JSON.parse(body.toString())).toEqual({
      messages: [
        {
          recipient: personPhone,
          content: 'Quotes " and \\ and\nlines',
          ref: expect.stringMatching(/^msg_.*-0$/),
        },
      ],
      x: '',
    })
    await channel.close()
  })

  test('are forms if the body is one', async () => {
    const { channel, gateway } = await openGatewayScene({
      body: 'to={{to}}&msg={{text}}',
    })
    await gateway.say('hello')
    await until(async () => (await channel.messages()).length === 1)
    gateway.answer = { json: { data: [{ id: 'a' }] } }
    await channel.send('text', { text: 'a&b=c +' })
    await until(() => gateway.calls.length > 0)
    const fields = new URLSearchParams(gateway.calls[0]!.body.toString())
    expect(Object.fromEntries(fields)).toEqual({ to: personPhone, msg: 'a&b=c +' })
    await channel.close()
  })

  test('fail if the answer has no id', async () => {
    const { channel, gateway } = await openGatewayScene()
    await gateway.say('hello')
    await until(async () => (await channel.messages()).length === 1)
    gateway.answer = { status: 200, json: { error: 'no credit' } }
    await channel.send('text', { text: 'lost' })
    const { scene } = channel
    const issues = async () =>
      (
        await scene.call('GET', `/v1/admin/bots/${scene.botId}/issues`, {
          headers: scene.admin,
        })
      ).body.issues as Json[]
    await until(async () => (await issues()).length > 0)
    expect(JSON.stringify(await issues())).toContain('no credit')
    await channel.close()
  })
})

test('a body without its placeholders, or that is no JSON, does not register', async () => {
  const scene = await openScene()
  const gateway = await openGateway()
  const { configuration } = gateway
  for (const [body, said] of [
    ['to={{to}}', 'needs {{to}} and {{text}}'],
    ['{"to":{{to}},"text":{{text}},}', 'no JSON'],
  ])
    await expect(
      installChannel(scene, 'sms', { ...configuration, body }),
    ).rejects.toThrow(said)
  await scene.close()
  await gateway.close()
})
