// Merges by verified addresses, suggestions, and addresses that someone only claims.
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { toAddress } from './addresses.ts'
import { noteAddresses } from './automatic.ts'

const encryptionKey = 'the encryption key of the shop'
let scene: Scene

beforeAll(async () => {
  scene = await openScene()
  const { body } = await scene.call('GET', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
  })
  const [chat] = Object.values<{ id: string; name: string }>(
    body.bot.integrations,
  ).filter(({ name }) => name === 'chat')
  const integrations = {
    chat: { integrationId: chat!.id, enabled: true, configuration: { encryptionKey } },
  }
  const reply = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { integrations },
  })
  expect([reply.status, reply.body.message]).toEqual([200, undefined])
}, 60_000)
afterAll(() => scene?.close())
beforeEach(() => setRules('email', 'phone', 'id'))

const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
  const reply = await scene.call(method, `/v1/${path}`, {
    headers: scene.asBot,
    ...(body && { body }),
  })
  return reply
}
async function setRules(...mergeBy: string[]) {
  expect((await call('PUT', 'platform/person-rules', { mergeBy })).body).toEqual({
    rules: { mergeBy },
  })
}
const newUser = async (): Promise<string> =>
  (await call('POST', 'chat/users', { tags: {} })).body.user.id
const listPerson = async (id: string): Promise<string[]> =>
  (await call('GET', `platform/users/${id}/person`)).body.person.users.map(
    ({ user }: { user: { id: string } }) => user.id,
  )

/** A visitor whose key the shop has signed. */
async function signIn(
  claims: { id: string; [claim: string]: unknown },
  key = encryptionKey,
) {
  const signed = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(key))
  return scene.call('POST', `/chat/${scene.webhookId}/users/get-or-create`, {
    headers: { 'x-user-key': signed },
    body: {},
  })
}
const findId = async (fid: string): Promise<string> => {
  const { users } = (await call('GET', 'platform/users?pageSize=1000')).body
  return users.find((one: { fid?: string }) => one.fid === fid).user.id
}

const note = (
  userId: string,
  address: string,
  verifiedBy: 'mail-server' | 'provider' | null,
) =>
  noteAddresses(scene.app.services, { botId: scene.botId, userId }, [
    { kind: address.includes('@') ? 'email' : 'phone', address, verifiedBy },
  ])

let count = 0
const newMail = () => `ana.${++count}@example.org`

test('is off by default, and merges only by the kinds of the rules', async () => {
  await setRules()
  const mail = newMail()
  const [one, two] = [await newUser(), await newUser()]
  await note(one, mail, 'mail-server')
  await note(two, mail, 'mail-server')
  expect(await listPerson(one)).toEqual([one])
  await setRules('phone')
  await note(two, mail, 'mail-server')
  expect(await listPerson(one)).toEqual([one])
  await setRules('email')
  await note(two, mail.toUpperCase(), 'mail-server')
  expect(await listPerson(one)).toEqual([one, two])
  const { person } = (await call('GET', `platform/users/${one}/person`)).body
  expect(person.users[1]).toMatchObject({
    joinedBy: 'email',
    addresses: [{ kind: 'email', address: mail, verifiedBy: 'mail-server' }],
  })
})

test('an address that a person only claims never merges', async () => {
  const mail = newMail()
  const [owner, attacker] = [await newUser(), await newUser()]
  await note(attacker, mail, null)
  await note(owner, mail, 'mail-server')
  await note(attacker, mail, null)
  expect(await listPerson(owner)).toEqual([owner])
  await call('POST', `platform/users/${attacker}/addresses`, {
    kind: 'phone',
    address: '+40711111111',
  })
  expect(await listPerson(attacker)).toEqual([attacker])
})

test('an address that was claimed before it was verified does not merge, but is suggested', async () => {
  const mail = newMail()
  const [prepared, owner] = [await newUser(), await newUser()]
  await note(owner, mail, 'mail-server')
  // Someone writes under the address of the owner, and waits until the owner writes there.
  await note(prepared, mail, null)
  await note(prepared, mail, 'mail-server')
  await note(owner, mail, 'mail-server')
  expect(await listPerson(owner)).toEqual([owner])
  const { suggestions } = (
    await call('GET', `platform/merge-suggestions?userId=${owner}`)
  ).body
  expect(suggestions).toMatchObject([{ kind: 'email', address: mail }])
  expect(
    suggestions[0].users.map((one: { user: { id: string } }) => one.user.id).sort(),
  ).toEqual([prepared, owner].sort())
})

test('signed keys verify the id and addresses with a verified claim', async () => {
  const mail = newMail()
  const writer = await newUser()
  await note(writer, mail, 'mail-server')
  expect((await signIn({ id: 'claims', email: mail })).status).toBe(201)
  expect(await listPerson(writer)).toEqual([writer])
  expect(
    (await signIn({ id: 'claims', email: mail, email_verified: 'true' })).status,
  ).toBe(201)
  expect(await listPerson(writer)).toEqual([writer])
  expect((await signIn({ id: 'proves', email: mail, email_verified: true })).status).toBe(
    201,
  )
  expect(await listPerson(writer)).toEqual([writer, await findId('proves')])
  expect(
    (await signIn({ id: 'forged', email: mail, email_verified: true }, 'x')).status,
  ).toBe(401)
  const caller = await newUser()
  const body = { kind: 'id', address: 'claims' }
  expect((await call('POST', `platform/users/${caller}/addresses`, body)).status).toBe(
    200,
  )
  expect(await listPerson(caller)).toContain(await findId('claims'))
})

test('keys that the server issues verify nothing', async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'open chat' },
  })
  const headers = { ...scene.asBot, 'x-bot-id': body.bot.id }
  const [chat] = Object.values<{ name: string; webhookId: string }>(
    body.bot.integrations,
  ).filter(({ name }) => name === 'chat')
  await scene.call('PUT', '/v1/platform/person-rules', {
    headers,
    body: { mergeBy: ['id'] },
  })
  const created = await scene.call('POST', `/chat/${chat!.webhookId}/users`, {
    body: { id: 'owner' },
  })
  await scene.call('POST', `/chat/${chat!.webhookId}/users/get-or-create`, {
    headers: { 'x-user-key': created.body.key },
    body: {},
  })
  const { users } = (await scene.call('GET', '/v1/platform/users', { headers })).body
  const id = users.find((one: { fid?: string }) => one.fid === 'owner').user.id
  const { person } = (
    await scene.call('GET', `/v1/platform/users/${id}/person`, { headers })
  ).body
  expect(person.users[0].addresses).toEqual([])
})

test('users that people split or keep apart are not merged again', async () => {
  const mail = newMail()
  const [one, two, three] = [await newUser(), await newUser(), await newUser()]
  for (const id of [one, two]) await note(id, mail, 'mail-server')
  expect(await listPerson(one)).toEqual([one, two])
  await call('POST', `platform/users/${two}/split`, {})
  await note(two, mail, 'mail-server')
  expect(await listPerson(one)).toEqual([one])
  expect(
    (await call('GET', `platform/merge-suggestions?userId=${one}`)).body.suggestions,
  ).toEqual([])
  await setRules()
  await note(three, mail, 'mail-server')
  const apart = { userId: three }
  expect((await call('POST', `platform/users/${one}/keep-apart`, apart)).status).toBe(200)
  await setRules('email')
  await note(one, mail, 'mail-server')
  expect(await listPerson(one)).toEqual([one])
  expect(
    (await call('POST', `platform/users/${one}/merge`, { userIds: [two] })).status,
  ).toBe(200)
  expect(
    (await call('POST', `platform/users/${two}/keep-apart`, { userId: one })).body.type,
  ).toBe('RelationConflict')
})

test('the same address in two bots merges no users', async () => {
  const mail = newMail()
  const one = await newUser()
  await note(one, mail, 'mail-server')
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'second' },
  })
  const headers = { ...scene.asBot, 'x-bot-id': body.bot.id }
  await scene.call('PUT', '/v1/platform/person-rules', {
    headers,
    body: { mergeBy: ['email'] },
  })
  const made = await scene.call('POST', '/v1/chat/users', { headers, body: { tags: {} } })
  const { id } = made.body.user
  const verified = { kind: 'email', address: mail }
  const path = `/v1/platform/users/${id}/addresses`
  const { person } = (await scene.call('POST', path, { headers, body: verified })).body
  expect(person.users).toHaveLength(1)
  expect(await listPerson(one)).toEqual([one])
})

test('pages of suggestions are complete', async () => {
  await setRules()
  const mails = [newMail(), newMail(), newMail()]
  for (const mail of mails)
    for (const id of [await newUser(), await newUser()]) await note(id, mail, null)
  const found: string[] = []
  for (let token = ''; ; ) {
    const query = `pageSize=1${token && `&nextToken=${encodeURIComponent(token)}`}`
    const { suggestions, meta } = (
      await call('GET', `platform/merge-suggestions?${query}`)
    ).body
    found.push(...suggestions.map(({ address }: { address: string }) => address))
    token = meta.nextToken ?? ''
    if (token === '') break
  }
  expect(found).toEqual([...new Set(found)].sort())
  expect(found).toEqual(expect.arrayContaining(mails))
})

test.each([
  ['email', 'Ana@Example.ORG', 'ana@example.org'],
  ['email', ' ana+shop@example.org ', 'ana+shop@example.org'],
  ['email', 'an\u212a@example.org', null],
  ['email', 'ana@example.org\u0000', null],
  ['email', 'ana@exa mple.org', null],
  ['email', 'ana@a@example.org', null],
  ['phone', '+40712345678', '+40712345678'],
  ['phone', '40712345678', null],
  ['phone', '+0712345678', null],
  ['phone', '+40 712 345 678', null],
  ['id', 'customer-42', 'customer-42'],
  ['id', '__proto__', '__proto__'],
  ['id', '\ud800', null],
  ['id', 'a\nb', null],
] as const)('reads the %s %j', (kind, text, address) => {
  expect(toAddress(kind, text)).toBe(address)
})
