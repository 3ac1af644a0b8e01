import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChannelScene,
  describeChannel,
  installChannel,
  openChannelScene,
  until,
} from './cases.ts'
import { type Mailbox, openMailbox } from './email-stand-in.ts'
import type { Json } from './stand-in.ts'

describe('as every channel', () => describeChannel('email', openMailbox))

describe('e-mail', () => {
  let channel: ChannelScene
  let mailbox: Mailbox
  beforeAll(async () => {
    channel = await openChannelScene('email', async () => {
      mailbox = await openMailbox()
      return mailbox
    })
    await mailbox.say('Begin')
    await until(async () => (await channel.messages()).length > 0)
  })
  afterAll(() => channel?.close())

  const asBot = () => ({ headers: channel.scene.asBot })
  const listMessages = async (): Promise<Json[]> => {
    const thread = (await listConversations()).find(
      (one) => one.tags['email:to'] === 'ana@example.org',
    )
    const path = `/v1/chat/messages?conversationId=${thread?.id}`
    return (await channel.scene.call('GET', path, asBot())).body.messages
  }
  const listTexts = async () => (await listMessages()).map(({ payload }) => payload.text)
  const arrives = (text: string) => until(async () => (await listTexts()).includes(text))
  const listConversations = async (): Promise<Json[]> =>
    (
      await channel.scene.call(
        'GET',
        '/v1/chat/conversations?integrationName=email',
        asBot(),
      )
    ).body.conversations

  test.each<[string, Record<string, string>]>([
    ['answers of machines', { 'Auto-Submitted': 'auto-replied' }],
    ['mailing lists', { 'List-Id': 'News <news.example.org>' }],
    ['bulk', { Precedence: 'bulk' }],
    [
      'reports of delivery',
      { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=x' },
    ],
    ['bounces', { From: 'Mail Delivery System <MAILER-DAEMON@example.org>' }],
    ['senders that read no answer', { From: 'no-reply@example.org' }],
    ['its own address', { From: 'Bot <BOT@shop.example>' }],
    [
      'its own e-mails',
      { 'Message-ID': '<msg_01J00000000000000000000000@shop.example>' },
    ],
  ])('leaves out %s', async (name, headers) => {
    await mailbox.write(`left out: ${name}`, headers)
    await mailbox.say(`after ${name}`)
    await arrives(`after ${name}`)
    expect(await listTexts()).not.toContain(`left out: ${name}`)
    expect(await listConversations()).toHaveLength(1)
  })

  test('quoted e-mails and signatures are cut', async () => {
    const quote =
      'On Mon, 3 Nov 2025 at 10:00, Shop\r\n<bot@shop.example> wrote:\r\n> Which size?\r\n> 1. Small\r\n'
    await mailbox.write(`The large one\r\n\r\n${quote}`)
    await arrives('The large one')
    await mailbox.write('Thanks\r\n\r\n-- \r\nAna Pop\r\nManager\r\n')
    await arrives('Thanks')
    await mailbox.write('> Which size?\r\nLarge\r\n> Which colour?\r\nRed\r\n')
    await arrives('> Which size?\nLarge\n> Which colour?\nRed')
  })

  test('an e-mail that has HTML only arrives as text', async () => {
    const html =
      '<style>p{}</style><p>See <a href="https://example.org/x">this</a> &amp; that</p>' +
      '<ul><li>one<li>two</ul>' +
      '<div class="gmail_quote">On Monday: <blockquote>old</blockquote></div>'
    await mailbox.write(html, { 'Content-Type': 'text/html; charset=utf-8' })
    await arrives('See this (https://example.org/x) & that\n\n• one\n• two')
  })

  test('an answer is in the thread, and its Message-ID has the id of the message', async () => {
    const before = mailbox.sent.length
    const { id } = await channel.send('text', { text: 'A **bold** answer' })
    await until(() => mailbox.sent.length > before)
    const mail = mailbox.sent.at(-1)
    expect(mail).toMatchObject({
      subject: 'Re: An order',
      messageId: `<${id}@shop.example>`,
      text: expect.stringContaining('A bold answer'),
      html: expect.stringContaining('<strong>bold</strong>'),
    })
    expect(mail?.to?.[0]?.address).toBe('ana@example.org')
    expect(mail?.references).toContain('<m1@example.org>')
    const submitted = mail?.headers.find(({ key }) => key === 'auto-submitted')
    expect(submitted?.value).toBe('auto-replied')
    await mailbox.write('An answer to the answer', {
      'In-Reply-To': String(mail?.messageId),
      References: '',
    })
    await arrives('An answer to the answer')
  })

  test('another person in the thread has another conversation', async () => {
    await mailbox.write('I am somebody else', { From: 'Bo <bo@example.net>' })
    await until(async () => (await listConversations()).length === 2)
    const tags = (await listConversations()).map((one) => one.tags['email:to'])
    expect(tags.sort()).toEqual(['ana@example.org', 'bo@example.net'])
  })

  test('a picture of this server is attached, and a bot can begin a thread', async () => {
    const body = {
      channel: 'default',
      integrationName: 'email',
      tags: { id: 'new@example.net' },
    }
    const made = await channel.scene.call('POST', '/v1/chat/conversations', {
      ...asBot(),
      body,
    })
    await mailbox.sendPicture(Buffer.from('bytes of a picture'), 'A picture')
    await arrives('A picture')
    const payload = (await listMessages()).find(({ type }) => type === 'image')?.payload
    const conversationId = made.body.conversation.id
    const message = {
      conversationId,
      userId: channel.scene.botId,
      type: 'image',
      payload,
      tags: {},
    }
    const before = mailbox.sent.length
    await channel.scene.call('POST', '/v1/chat/messages', { ...asBot(), body: message })
    await until(() => mailbox.sent.length > before)
    expect(mailbox.sent.at(-1)).toMatchObject({
      subject: 'New message',
      to: [expect.objectContaining({ address: 'new@example.net' })],
    })
    expect(mailbox.shown().at(-1)?.media).toEqual({ kind: 'image', bytes: 18 })
  })

  test('nothing is lost or doubled when the mailbox is built again', async () => {
    const count = async () =>
      (await channel.scene.call('GET', '/v1/chat/messages', asBot())).body.messages.length
    const before = await count()
    mailbox.rebuild()
    await mailbox.write('after the rebuild', { 'Message-ID': '<rebuilt@example.org>' })
    await until(async () => (await count()) > before)
    expect(await count()).toBe(before + 1)
  })

  test.each<[Json, RegExp]>([
    [{ password: 'wrong-password' }, /app password/],
    [{ imapPort: 1 }, /does not answer/],
    [{ smtpPort: 1 }, /does not answer/],
    [{ imapSecurity: 'starttls' }, /"starttls"/],
    [{ smtpSecurity: 'tls' }, /"tls"/],
  ])('says what is wrong with %j', async (changed, reason) => {
    const wrong = { ...mailbox.configuration, ...changed }
    await expect(installChannel(channel.scene, 'email', wrong)).rejects.toThrow(reason)
  })
})
