// User keys: valid keys, and all kinds of invalid ones.
import {
  createHmac,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signWith,
} from 'node:crypto'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { CompactEncrypt, FlattenedSign, GeneralSign, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectTyped } from '../../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

interface JsonWebToken {
  sign(payload: object | string, secret: string, options?: object): string
}
const jsonwebtoken = createRequire(import.meta.url)('jsonwebtoken') as JsonWebToken

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const getUser = (key: string, webhookId = scene.webhookId) =>
  scene.call('GET', `/chat/${webhookId}/users/me`, { headers: { 'x-user-key': key } })
const now = () => Math.floor(Date.now() / 1000)

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url')
const hs256 = (
  header: string | Buffer,
  payload: string | Buffer,
  secret: string | Buffer,
  hash = 'sha256',
) => {
  const signed = `${base64url(header)}.${base64url(payload)}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}
const good = '{"alg":"HS256","typ":"JWT"}'
const claim = '{"id":"alice"}'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }) as string
const signedBy = (key: KeyObject, header: string, payload = claim) => {
  const signed = `${base64url(header)}.${base64url(payload)}`
  return `${signed}.${signWith('sha256', Buffer.from(signed), key).toString('base64url')}`
}
const flipped = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`

describe('invalid keys', () => {
  const key = () => scene.chatKey
  const vectors: [string, () => string | Promise<string>][] = [
    ['a word', () => 'alice'],
    ['a bot’s token', () => scene.token],
    ['two parts', () => hs256(good, claim, key()).split('.').slice(0, 2).join('.')],
    [
      'no signature',
      () => `${hs256(good, claim, key()).split('.').slice(0, 2).join('.')}.`,
    ],
    ['four parts', () => `${hs256(good, claim, key())}.AAAA`],
    [
      'five parts',
      () =>
        new CompactEncrypt(Buffer.from(claim))
          .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
          .encrypt(createSecretKey(Buffer.from(key().slice(0, 32)))),
    ],
    ['padding', () => `${hs256(good, claim, key())}=`],
    ['a space inside', () => hs256(good, claim, key()).replace('.', ' .')],
    [
      'the letters of plain base64',
      () =>
        hs256(good, '{"id":"alice?~>"}', key())
          .replaceAll('_', '/')
          .replaceAll('-', '+')
          .replace(/\.[^.]*$/, (part) => `${part}+/`),
    ],
    ['another secret', () => hs256(good, claim, 'secret')],
    ['an empty secret', () => hs256(good, claim, '')],
    ['the secret as bytes', () => hs256(good, claim, Buffer.from(key(), 'hex'))],
    ['the secret and more', () => hs256(good, claim, `${key()}\n`)],
    ['a changed header', () => flipped(hs256(good, claim, key()), 20)],
    ['a changed claim', () => flipped(hs256(good, claim, key()), 45)],
    ['a changed signature', () => flipped(hs256(good, claim, key()), 70)],
    ['half a signature', () => hs256(good, claim, key()).slice(0, -21)],
    ['alg none', () => `${base64url('{"alg":"none","typ":"JWT"}')}.${base64url(claim)}.`],
    ['alg none, signed', () => hs256('{"alg":"none"}', claim, key())],
    ['alg nOnE', () => hs256('{"alg":"nOnE"}', claim, key())],
    ['alg HS384', () => hs256('{"alg":"HS384"}', claim, key(), 'sha384')],
    ['alg HS512', () => hs256('{"alg":"HS512"}', claim, key(), 'sha512')],
    ['alg hs256', () => hs256('{"alg":"hs256"}', claim, key())],
    ['alg empty', () => hs256('{"alg":""}', claim, key())],
    ['alg a list', () => hs256('{"alg":["HS256"]}', claim, key())],
    ['no alg', () => hs256('{"typ":"JWT"}', claim, key())],
    ['alg twice', () => hs256('{"alg":"none","alg":"HS256"}', claim, key())],
    ['RS256', () => signedBy(rsa.privateKey, '{"alg":"RS256"}')],
    ['PS256', () => signedBy(rsa.privateKey, '{"alg":"PS256"}')],
    ['ES256', () => signedBy(ec.privateKey, '{"alg":"ES256"}')],
    [
      'EdDSA',
      async () =>
        new SignJWT({ id: 'alice' })
          .setProtectedHeader({ alg: 'EdDSA' })
          .sign(ed.privateKey),
    ],
    ['HS256 that says RS256', () => hs256('{"alg":"RS256"}', claim, key())],
    [
      'HS256 with a public key as the secret',
      () => hs256(good, claim, pem(rsa.publicKey)),
    ],
    [
      'a key of its own in the header',
      () =>
        hs256(
          JSON.stringify({ alg: 'HS256', jwk: { kty: 'oct', k: base64url('mine') } }),
          claim,
          'mine',
        ),
    ],
    [
      'the address of a key in the header',
      () => hs256('{"alg":"HS256","jku":"http://127.0.0.1:1/keys"}', claim, 'mine'),
    ],
    ['kid: a file', () => hs256('{"alg":"HS256","kid":"../../../dev/null"}', claim, '')],
    [
      'kid: a query',
      () => hs256(`{"alg":"HS256","kid":"' union select 'mine"}`, claim, 'mine'),
    ],
    [
      'crit that we do not know',
      () => hs256('{"alg":"HS256","crit":["exp"],"exp":1}', claim, key()),
    ],
    ['crit b64', () => hs256('{"alg":"HS256","crit":["b64"],"b64":true}', claim, key())],
    ['crit empty', () => hs256('{"alg":"HS256","crit":[]}', claim, key())],
    [
      'a claim that is not encoded',
      () => {
        const signed = `${base64url('{"alg":"HS256","crit":["b64"],"b64":false}')}.${claim}`
        return `${signed}.${createHmac('sha256', key()).update(signed).digest('base64url')}`
      },
    ],
    ['detached', () => hs256(good, claim, key()).replace(/\.[^.]+\./, '..')],
    [
      'flattened JSON',
      async () =>
        JSON.stringify(
          await new FlattenedSign(Buffer.from(claim))
            .setProtectedHeader({ alg: 'HS256' })
            .sign(Buffer.from(key())),
        ),
    ],
    [
      'general JSON',
      async () =>
        JSON.stringify(
          await new GeneralSign(Buffer.from(claim))
            .addSignature(Buffer.from(key()))
            .setProtectedHeader({ alg: 'HS256' })
            .sign(),
        ),
    ],
    ['no id', () => hs256(good, '{"sub":"alice"}', key())],
    ['an empty id', () => hs256(good, '{"id":""}', key())],
    ['id a number', () => hs256(good, '{"id":1}', key())],
    ['id null', () => hs256(good, '{"id":null}', key())],
    ['id a list', () => hs256(good, '{"id":["alice"]}', key())],
    ['id an object', () => hs256(good, '{"id":{"toString":"alice"}}', key())],
    ['id with NUL', () => hs256(good, '{"id":"alice\\u0000"}', key())],
    ['id with half a character', () => hs256(good, '{"id":"alice\\ud800"}', key())],
    [
      'id that is not UTF-8',
      () =>
        hs256(
          good,
          Buffer.concat([
            Buffer.from('{"id":"alice'),
            Buffer.from([0xff]),
            Buffer.from('"}'),
          ]),
          key(),
        ),
    ],
    ['id twice', () => hs256(good, '{"id":"bob","id":"alice"}', key())],
    [
      'id twice, once in disguise',
      () => hs256(good, '{"\\u0069d":"bob","x":{},"id":"alice"}', key()),
    ],
    ['id inherited', () => hs256(good, '{"__proto__":{"id":"alice"}}', key())],
    ['a claim that is no object', () => hs256(good, '"alice"', key())],
    ['a claim that is a list', () => hs256(good, '[{"id":"alice"}]', key())],
    ['a claim that is no JSON', () => hs256(good, 'id=alice', key())],
    ['an empty claim', () => hs256(good, '', key())],
    [
      'exp in the past',
      () => hs256(good, JSON.stringify({ id: 'alice', exp: now() - 1 }), key()),
    ],
    ['exp a text', () => hs256(good, '{"id":"alice","exp":"9999999999"}', key())],
    [
      'nbf in the future',
      () => hs256(good, JSON.stringify({ id: 'alice', nbf: now() + 600 }), key()),
    ],
    [
      'too long',
      () => hs256(good, JSON.stringify({ id: 'alice', more: 'a'.repeat(5_000) }), key()),
    ],
  ]

  test('has at least 40 kinds', () => expect(vectors.length).toBeGreaterThanOrEqual(40))

  test.each(vectors)('rejects %s', async (_, make) => {
    const { status, body } = await getUser(await make())
    expect(status).toBe(401)
    expectTyped(401, body, 'Unauthorized')
  })

  test('rejects a key of 5 MB without reading it', async () => {
    const long = hs256(
      good,
      JSON.stringify({ id: 'alice', more: 'a'.repeat(5_000_000) }),
      scene.chatKey,
    )
    const { callers, userKeys } = scene.app.services
    const chat = (await callers.chat(scene.webhookId))!
    const times: number[] = []
    // The best of five, because other processes may delay this one.
    while (times.length < 5) {
      const began = performance.now()
      expect(await userKeys.read(chat, long)).toBeNull()
      times.push(performance.now() - began)
    }
    expect(Math.min(...times)).toBeLessThan(5)
  })
})

describe('valid keys', () => {
  beforeAll(async () => {
    expect(
      (
        await scene.call('POST', `/chat/${scene.webhookId}/users`, {
          body: { id: 'alice' },
        })
      ).status,
    ).toBe(201)
  })
  const isAlice = async (key: string) =>
    expect((await getUser(key)).body.user.id).toBe('alice')

  test.each<[string, () => string | Promise<string>]>([
    ['made by jsonwebtoken', () => jsonwebtoken.sign({ id: 'alice' }, scene.chatKey)],
    [
      'made by jsonwebtoken, with an expiry',
      () =>
        jsonwebtoken.sign({ id: 'alice' }, scene.chatKey, {
          expiresIn: '1h',
          notBefore: '-1s',
          subject: 'x',
          audience: 'y',
          keyid: '1',
        }),
    ],
    [
      'made by jsonwebtoken, without a date',
      () => jsonwebtoken.sign('{"id":"alice"}', scene.chatKey),
    ],
    [
      'made by jose',
      () =>
        new SignJWT({ id: 'alice' })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuedAt()
          .sign(Buffer.from(scene.chatKey)),
    ],
    ['made by hand', () => hs256(good, claim, scene.chatKey)],
    [
      'with equal names in different places',
      () =>
        hs256(
          good,
          '{"x":{"id":"bob"},"y":[{"id":1},{"id":2}],"id":"alice","z":"\\"id\\":{"}',
          scene.chatKey,
        ),
    ],
    [
      'with a claim that is spaced out',
      () => hs256(good, ' { "id" : "alice" } ', scene.chatKey),
    ],
  ])('accepts one %s', async (_, make) => {
    const key = await make()
    await isAlice(key)
    await isAlice(key) // cached
  })

  test('rejects them after their expiry, cached or not', async () => {
    const key = hs256(
      good,
      JSON.stringify({ id: 'alice', exp: now() + 3 }),
      scene.chatKey,
    )
    await isAlice(key)
    await isAlice(key)
    await pause(3_100)
    expect((await getUser(key)).status).toBe(401)
  })
})

describe('a bot with its own encryption key', () => {
  const own = 'allo'
  let other: { webhookId: string }
  beforeAll(async () => {
    other = await botWithKey(own)
  })

  async function botWithKey(encryptionKey: string): Promise<{ webhookId: string }> {
    const made = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'personal' },
    })
    const { id, integrations } = made.body.bot
    const alias = Object.keys(integrations)[0]!
    const body = {
      integrations: { [alias]: { enabled: true, configuration: { encryptionKey } } },
    }
    expect(
      (await scene.call('PUT', `/v1/admin/bots/${id}`, { headers: scene.admin, body }))
        .status,
    ).toBe(200)
    return { webhookId: integrations[alias].webhookId }
  }

  test('does not create keys', async () => {
    const { status, body } = await scene.call('POST', `/chat/${other.webhookId}/users`, {
      body: {},
    })
    expect(status).toBe(401)
    expectTyped(401, body, 'Unauthorized')
  })

  test('accepts only keys that were signed with it', async () => {
    const mine = jsonwebtoken.sign({ id: 'carol' }, own)
    const made = await scene.call(
      'POST',
      `/chat/${other.webhookId}/users/get-or-create`,
      {
        headers: { 'x-user-key': mine },
        body: {},
      },
    )
    expect([made.status, made.body.user.id]).toEqual([201, 'carol'])
    expect((await getUser(mine, other.webhookId)).status).toBe(200)
    // The key is cached for one bot and must not be valid for the other.
    expect((await getUser(mine)).status).toBe(401)
    const shared = jsonwebtoken.sign({ id: 'alice' }, scene.chatKey)
    expect((await getUser(shared)).status).toBe(200)
    expect((await getUser(shared, other.webhookId)).status).toBe(401)
    expect(
      (await getUser(jsonwebtoken.sign({ id: 'carol' }, 'nope'), other.webhookId)).status,
    ).toBe(401)
  })

  test.each([
    ['RS256', rsa],
    ['PS256', rsa],
    ['ES256', ec],
  ])(
    'that is a public key: rejects user keys that its private key signed with %s',
    async (alg, pair) => {
      const { webhookId } = await botWithKey(pem(pair.publicKey))
      const key = await new SignJWT({ id: 'dave' })
        .setProtectedHeader({ alg })
        .sign(pair.privateKey)
      expect(
        (
          await scene.call('POST', `/chat/${webhookId}/users/get-or-create`, {
            headers: { 'x-user-key': key },
            body: {},
          })
        ).status,
      ).toBe(401)
    },
  )
})
