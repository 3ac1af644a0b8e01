// E-mails of the server: invitations and notices, sent at least once, also after a mail server was away.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../test/channels/email-stand-in.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { noticeBackups } from './notices.ts'

const path = '/v1/platform/installation/settings'
let scene: Scene
let mailbox: Mailbox

beforeEach(async () => {
  scene = await openScene()
  mailbox = await openMailbox()
}, 60_000)
afterEach(async () => {
  await scene?.close()
  await mailbox?.close()
})

const toMail = (more: object = {}) => ({
  host: '127.0.0.1',
  port: mailbox.configuration.smtpPort,
  security: 'none',
  user: mailbox.configuration.user,
  password: mailbox.configuration.password,
  from: 'Botstead <bots@shop.example>',
  ...more,
})
const set = (mail: object | null) =>
  scene.call('PUT', path, { headers: scene.admin, body: { mail } })
const probe = (mail: object) =>
  scene.call('POST', `${path}/test`, {
    headers: scene.admin,
    body: { setting: { mail }, recipient: 'owner@example.org' },
  })
const state = async () =>
  (await scene.call('GET', path, { headers: scene.admin })).body.outgoingMail
const invite = (email: string) =>
  scene.call('POST', '/v1/platform/invitations', {
    headers: scene.admin,
    body: { email, role: 'viewer' },
  })

test('a test e-mail arrives, and a failure names the remedy', async () => {
  expect((await probe(toMail())).body).toMatchObject({ isGood: true })
  expect(mailbox.sent).toMatchObject([
    { from: { address: 'bots@shop.example' }, to: [{ address: 'owner@example.org' }] },
  ])
  const wrong = (await probe(toMail({ password: 'wrong' }))).body
  expect(wrong).toMatchObject({
    isGood: false,
    message: expect.stringContaining('user and password'),
  })
  const away = (await probe(toMail({ port: 9 }))).body
  expect(away).toMatchObject({
    isGood: false,
    message: expect.stringContaining('Port of the SMTP server'),
  })
  expect(
    (await scene.call('GET', path, { headers: scene.admin })).body.mail.value,
  ).toBeNull()
})

test.each([
  [{ from: 'nobody' }, 'mail.from'],
  [{ from: 'A <a@b.example>\r\nBcc: x@y.example' }, 'from'],
  [{ host: 'smtp.example.org/x' }, 'mail.host'],
  [{ user: null }, 'mail.user'],
])('rejects %j', async (wrong, field) => {
  const { status, body } = await set(toMail(wrong))
  expect([status, body.type]).toEqual([400, 'InvalidPayload'])
  expect(body.message).toContain(field)
})

test('an invitation is sent with its link, after the mail server is back', async () => {
  expect((await invite('before@example.org')).body.isMailed).toBe(false)
  expect((await set(toMail())).status).toBe(200)
  mailbox.failNext('unavailable')
  const { body } = await invite('ana@example.org')
  expect(body.isMailed).toBe(true)
  await vi.waitFor(async () => expect((await state()).failure).not.toBeNull(), 20_000)
  expect(await state()).toMatchObject({
    pending: 1,
    failure: { recipient: 'ana@example.org' },
  })
  expect(mailbox.sent).toEqual([])
  // After the setting was saved, failed e-mails are sent at once.
  await set(toMail())
  await vi.waitFor(() => expect(mailbox.sent).toHaveLength(1), 20_000)
  expect(mailbox.sent[0]).toMatchObject({
    to: [{ address: 'ana@example.org' }],
    text: expect.stringContaining(body.url),
  })
  await vi.waitFor(
    async () => expect(await state()).toEqual({ pending: 0, failure: null }),
    20_000,
  )
  const { rows } = await sql`select content from outgoing_mail`.execute(
    scene.app.services.db,
  )
  expect(rows).toEqual([{ content: null }])
}, 60_000)

test('a workspace sends a limited number of invitations a day', async () => {
  await set(toMail({ port: 9 }))
  await sql`insert into outgoing_mail (id, key, recipient, due_at)
    select 'old' || n, 'invitation ' || ${scene.workspaceId}::text || ' old' || n, 'x', null
    from generate_series(1, 100) n`.execute(scene.app.services.db)
  expect((await invite('ana@example.org')).body.isMailed).toBe(false)
})

test('a failed backup is noticed once', async () => {
  await set(toMail())
  const { services } = scene.app
  const failure = { at: new Date('2026-01-02T03:00:00Z'), reason: 'the disk is full' }
  const readBackups = async () => ({ failure }) as never
  for (let look = 0; look < 3; look++) await noticeBackups({ ...services, readBackups })
  await vi.waitFor(() => expect(mailbox.sent).toHaveLength(1), 20_000)
  expect(mailbox.sent[0]!.text).toContain('the disk is full')
  const { rows } = await sql`select key from outgoing_mail`.execute(services.db)
  expect(rows).toEqual([{ key: 'backup 2026-01-02T03:00:00.000Z' }])
}, 60_000)
