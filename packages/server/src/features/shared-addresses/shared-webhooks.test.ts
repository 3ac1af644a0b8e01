// Endpoints that several bots share: sign-in, routed by its state; the shared webhook of an
// integration, routed by its scripts; and a shared sandbox number for trying bots out.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectTyped } from '../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  openIntegration,
  type UrlIntegration,
} from '../../../test/support/url-integration.ts'
import { makeBot } from '../../core/api/admin/bot-changes.ts'

const extractScript = 'parse_json!(.body).team'
const fallbackHandlerScript =
  '{ "status": 202, "headers": { "x-from": "script", "set-cookie": "a=b" }, ' +
  '"body": parse_json!(.body).challenge }'
const key = 'shared secret'
const sandboxScripts = {
  identifierExtractScript: `expected = to_string!(.headers."x-signature")
if encode_base16(hmac(to_string!(.body), "${key}")) != expected { null } else { parse_json!(.body).from }`,
  messageExtractScript: 'parse_json!(.body).text',
}

let scene: Scene
let base: string
let desk: UrlIntegration
let other: string
let webhooks: { first: string; second: string; other: string }

beforeAll(async () => {
  scene = await openScene()
  base = await scene.listen()
  const definition = {
    identifier: { extractScript, fallbackHandlerScript },
    sandbox: sandboxScripts,
  }
  desk = await openIntegration(scene, { name: 'desk', definition })
  other = (
    await makeBot(
      scene.app.services,
      { workspaceId: scene.workspaceId, accountId: scene.accountId, role: 'owner' },
      { name: 'other' },
    )
  ).id
  webhooks = {
    first: await desk.install(scene.botId, 'desk'),
    second: await desk.install(scene.botId, 'second'),
    other: await desk.install(other, 'desk'),
  }
})
beforeEach(() => {
  desk.calls.length = 0
  desk.answer = (_call, response) => response.end('heard')
})
afterAll(async () => {
  await scene?.close()
  desk?.close()
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(base + path, { redirect: 'manual', ...init })
const sent = (path: string, body: object, headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', body: JSON.stringify(body), headers })
const heardBy = () =>
  desk.calls.map(
    ({ headers }) =>
      `${headers['x-bot-id'] === other ? 'other' : 'scene'} ${headers['x-integration-alias']}`,
  )
const configure = (botId: string, alias: string, body: object) =>
  scene.call('POST', '/v1/chat/integrations/configure', {
    headers: { ...scene.asBot, 'x-bot-id': botId, 'x-integration-alias': alias },
    body,
  })
const findIdentifier = async (botId: string, alias: string) =>
  (
    await scene.app.services.db
      .selectFrom('installation')
      .select('identifier')
      .where('bot_id', '=', botId)
      .where('alias', '=', alias)
      .executeTakeFirst()
  )?.identifier

describe('a sign-in', () => {
  const page = (reply: Response) =>
    new URL(reply.headers.get('location') ?? 'none:', base)

  test.each(['/oauth', '/webhooks/oauth'])(
    'at %s is routed to the integration by its state, and ends on our page',
    async (prefix) => {
      const reply = await ask(`${prefix}/wizard/start?state=${webhooks.first}&code=c%20d`)
      expect([reply.status, reply.headers.get('location')]).toEqual([
        303,
        '/oauth/interstitial?success=true',
      ])
      expect(desk.forwarded()).toMatchObject([
        {
          method: 'GET',
          path: '/oauth/wizard/start',
          query: `state=${webhooks.first}&code=c%20d`,
        },
      ])
      expect((await ask(`${prefix}?state=${webhooks.second}`)).status).toBe(303)
      expect(desk.forwarded()[1]).toMatchObject({ path: '/oauth' })
      expect(heardBy()).toEqual(['scene desk', 'scene second'])
    },
  )

  test.each<[string, number, string, string]>([
    [
      'an error of the SDK',
      400,
      '{"code":400,"type":"Runtime","message":"The code is old"}',
      'The code is old',
    ],
    ['a line of text', 403, 'Denied', 'Denied'],
    ['a page', 500, '<html>', 'The integration responded with status 500'],
    ['nothing', 404, '', 'The integration responded with status 404'],
  ])('shows the error of the integration: %s', async (_, status, body, message) => {
    desk.answer = (_call, response) => response.writeHead(status).end(body)
    const shown = page(await ask(`/oauth?state=${webhooks.first}`))
    expect([shown.pathname, ...shown.searchParams]).toEqual([
      '/oauth/interstitial',
      ['success', 'false'],
      ['errorMessage', message],
    ])
  })

  test('allows a page of the integration and its redirects with a header', async () => {
    desk.answer = (_call, response) =>
      response
        .writeHead(200, {
          'x-bp-disable-interstitial': 'true',
          'content-type': 'text/html',
        })
        .end('<form>')
    const own = await ask(`/oauth/wizard/a?state=${webhooks.first}`)
    expect([
      own.status,
      await own.text(),
      own.headers.get('x-bp-disable-interstitial'),
    ]).toEqual([200, '<form>', null])
    expect(own.headers.get('content-security-policy')).toMatch(
      /^sandbox (?!.*allow-same-origin)/,
    )
    desk.answer = (_call, response) =>
      response
        .writeHead(303, {
          'x-bp-disable-interstitial': 'true',
          location: 'https://third.test/authorize',
        })
        .end()
    expect(
      (await ask(`/oauth/wizard/a?state=${webhooks.first}`)).headers.get('location'),
    ).toBe('https://third.test/authorize')
  })

  test('responds 404 for a missing or unknown state', async () => {
    for (const address of [
      '/oauth',
      '/oauth?state=',
      '/oauth?state=nothing',
      `/oauth?State=${webhooks.first}`,
      `/oauth?state=${scene.webhookId}`,
    ]) {
      const reply = await ask(address)
      expect([address, reply.status]).toEqual([address, 404])
      expectTyped(404, await reply.json(), 'ResourceNotFound')
    }
    expect(desk.calls).toEqual([])
  })

  // Neither parameters of the request nor the integration may redirect people away from our page.
  const elsewhere = [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    'https:evil.test',
    '\\\\evil.test',
    '/%2fevil.test',
    '///evil.test',
    'http:/evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    '%0d%0alocation:%20//evil.test',
    '/.evil.test',
    '@evil.test',
    '?@evil.test',
    '#//evil.test',
    'evil.test',
    'https://evil.test%23',
    '/;@evil.test',
    '%09//evil.test',
    '%E3%80%82evil.test',
  ]
  const parameters = [
    'next',
    'redirect',
    'redirect_uri',
    'return_to',
    'url',
    'location',
    'errorMessage',
  ]
  const vectors = elsewhere.flatMap((to) => [
    `/oauth?state=STATE&${parameters.map((name) => `${name}=${to}`).join('&')}`,
    `/oauth/${to.replaceAll('?', '%3f').replaceAll('#', '%23')}?state=STATE&success=${to}`,
  ])
  test('leads to our page for 40 variants of open redirects', async () => {
    expect(vectors).toHaveLength(40)
    for (const vector of vectors) {
      desk.answer = (_call, response) =>
        response.writeHead(302, { location: '//evil.test' }).end()
      const reply = await ask(vector.replace('STATE', webhooks.first))
      expect([vector, reply.status, reply.headers.get('location')]).toEqual([
        vector,
        303,
        '/oauth/interstitial?success=true',
      ])
      expect(page(reply).origin, vector).toBe(base)
    }
    for (const to of elsewhere) {
      desk.answer = (_call, response) =>
        response.writeHead(400).end(JSON.stringify({ message: decodeURIComponent(to) }))
      expect(page(await ask(`/oauth?state=${webhooks.first}`)), to).toMatchObject({
        origin: base,
        pathname: '/oauth/interstitial',
      })
      const shown = await ask(
        `/oauth/interstitial?success=false&next=${to}&errorMessage=${to}`,
      )
      expect([
        to,
        shown.status,
        shown.headers.get('location'),
        shown.headers.get('refresh'),
      ]).toEqual([to, 200, null, null])
    }
  })

  test.each([
    '/oauth/interstitial',
    '/webhooks/oauth/interstitial',
    '/apps/oauth/interstitial',
  ])('%s says how it went, and nothing that runs', async (path) => {
    const good = await ask(`${path}?success=true`)
    expect([good.status, good.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect(good.headers.get('content-security-policy')).toMatch(
      new RegExp(
        "^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; " +
          "frame-ancestors 'none'$",
      ),
    )
    expect(await good.text()).toContain('<h1>You are connected</h1>')
    const bad = await (
      await ask(
        `${path}?success=false&errorMessage=${encodeURIComponent(`<script>alert("1")</script>'&\0`)}`,
      )
    ).text()
    expect(bad).toContain(
      '<blockquote>&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#39;&#38;�</blockquote>',
    )
    const plain = await (await ask(`${path}?success=true`)).text()
    for (const [name, page] of [
      ['success', plain],
      ['failure', bad],
    ] as const) {
      expect(page, name).toMatch(
        /<html lang="en">.*<title>[^<]+<\/title>.*<main><h1>.*role="(alert|status)"/,
      )
      expect(page, name).not.toMatch(
        /<(script|a|form|img|iframe|link|meta http)| on\w+=| style="/i,
      )
    }
  })
})

// Integrations of the official repository derive URLs from BP_WEBHOOK_URL in these three ways.
const signIn = `
const own = (path) => new URL(path, process.env.BP_WEBHOOK_URL).href
const ends = (query) => process.env.BP_WEBHOOK_URL.replace('webhook', 'app') + '/oauth/interstitial?' + query
const goTo = (location, headers = {}) => ({
  status: 303,
  headers: { 'x-bp-disable-interstitial': 'true', location, ...headers },
})
exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'webhook_received') return {}
  const { path, query } = JSON.parse(body).req
  const given = new URLSearchParams(query)
  const state = headers['x-webhook-id']
  if (path === '/oauth/wizard/start')
    return goTo(
      process.env.SECRET_THIRD + '?state=' + state +
        '&redirect_uri=' + encodeURIComponent(process.env.BP_WEBHOOK_URL + '/oauth')
    )
  if (path === '/oauth' && given.get('code') === 'good') return goTo(own('/oauth/wizard/end?state=' + state))
  if (path === '/oauth/wizard/end')
    return goTo(ends('success=true'), { 'x-bp-integration-identifier': 'team of ' + state })
  throw new Error('Denied')
}`

test('completes a sign-in through the integration, a third party and the final page', async () => {
  const third = createServer((request, response) => {
    const query = new URL(request.url!, 'http://third.test').searchParams
    const code = request.url!.startsWith('/good') ? 'good' : 'bad'
    response
      .writeHead(302, {
        location: `${query.get('redirect_uri')}?code=${code}&state=${query.get('state')}`,
      })
      .end()
  })
  await new Promise<void>((resolve) => third.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(third.address() as AddressInfo).port}`
  const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
  try {
    const given = {
      name: 'sign-in',
      version: '1.0.0',
      code: signIn,
      secrets: { THIRD: `${origin}/good` },
    }
    const { integration } = (
      await scene.call('POST', '/v1/admin/integrations', { headers, body: given })
    ).body
    const integrations = { acme: { integrationId: integration.id, enabled: true } }
    const { webhookId } = (
      await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
        headers,
        body: { integrations },
      })
    ).body.bot.integrations.acme
    const passed: string[] = []
    let at = `${base}/oauth/wizard/start?state=${webhookId}`
    for (
      let reply = await fetch(at, { redirect: 'manual' });
      ;
      reply = await fetch(at, { redirect: 'manual' })
    ) {
      passed.push(
        new URL(at).href.replace(base, '').replace(origin, 'third:').replace(/\?.*/, ''),
      )
      if (reply.status === 200) {
        expect(await reply.text()).toContain('You are connected')
        break
      }
      at = new URL(reply.headers.get('location')!, at).href
    }
    expect(passed).toEqual([
      '/oauth/wizard/start',
      'third:/good',
      '/webhooks/oauth',
      '/oauth/wizard/end',
      '/apps/oauth/interstitial',
    ])
    expect(await findIdentifier(scene.botId, 'acme')).toBe(`team of ${webhookId}`)
    const denied = await ask(`/oauth?state=${webhookId}&code=bad`)
    expect(denied.headers.get('location')).toBe(
      '/oauth/interstitial?success=false&errorMessage=The+integration+failed+to+handle+the+request',
    )
  } finally {
    third.close()
  }
}, 60_000)

describe('an identifier', () => {
  test('is claimed by a header of a response, and taken from its previous bot', async () => {
    await configure(scene.botId, 'desk', { identifier: 'T1' })
    desk.answer = (_call, response) =>
      response.writeHead(200, { 'x-bp-integration-identifier': 'T1' }).end()
    const reply = await ask(`/oauth?state=${webhooks.other}`)
    expect([
      reply.headers.get('location'),
      reply.headers.get('x-bp-integration-identifier'),
    ]).toEqual(['/oauth/interstitial?success=true', null])
    expect([
      await findIdentifier(scene.botId, 'desk'),
      await findIdentifier(other, 'desk'),
    ]).toEqual([null, 'T1'])
  })

  test('is not claimed by an error response', async () => {
    desk.answer = (_call, response) =>
      response.writeHead(400, { 'x-bp-integration-identifier': 'T9' }).end()
    await ask(`/webhooks/${webhooks.other}`)
    expect(await findIdentifier(other, 'desk')).not.toBe('T9')
  })

  test('has one owner after concurrent claims', async () => {
    desk.answer = (_call, response) =>
      response.writeHead(200, { 'x-bp-integration-identifier': 'T2' }).end()
    await Promise.all(
      [webhooks.first, webhooks.second, webhooks.other, webhooks.first].map((id) =>
        ask(`/webhooks/${id}`),
      ),
    )
    const { rows } =
      await sql`select 1 from installation where identifier = 'T2'`.execute(
        scene.app.services.db,
      )
    expect(rows).toHaveLength(1)
  })

  test('belongs to one bot across all versions of an integration', async () => {
    const newer = await openIntegration(scene, { name: 'desk', version: '2.0.0' })
    await newer.install(scene.botId, 'newer')
    await configure(other, 'desk', { identifier: 'T3' })
    await configure(scene.botId, 'newer', { identifier: 'T3' })
    expect([
      await findIdentifier(other, 'desk'),
      await findIdentifier(scene.botId, 'newer'),
    ]).toEqual([null, 'T3'])
    await scene.app.services.db
      .deleteFrom('installation')
      .where('alias', '=', 'newer')
      .execute()
    await scene.app.services.db
      .deleteFrom('integration')
      .where('id', '=', newer.integrationId)
      .execute()
    newer.close()
  })

  test('is limited per workspace', async () => {
    const { limits } = scene.app.services
    const previous = limits.identifiersPerIntegration
    Object.assign(limits, { identifiersPerIntegration: 2 })
    try {
      await configure(scene.botId, 'desk', { identifier: 'L1' })
      await configure(scene.botId, 'second', { identifier: 'L2' })
      await configure(other, 'desk', { identifier: null })
      expect(await configure(other, 'desk', { identifier: 'L3' })).toMatchObject({
        status: 413,
        body: { type: 'LimitExceeded' },
      })
      expect((await configure(other, 'desk', { identifier: 'L1' })).status).toBe(200)
      expect((await configure(scene.botId, 'second', { identifier: 'L4' })).status).toBe(
        200,
      )
    } finally {
      Object.assign(limits, { identifiersPerIntegration: previous })
    }
  })
})

describe('the webhook that bots share', () => {
  beforeAll(async () => {
    await configure(scene.botId, 'desk', { identifier: 'ours' })
    await configure(scene.botId, 'second', { identifier: null })
    await configure(other, 'desk', { identifier: 'theirs' })
  })

  test.each(['/integration/global/desk', '/webhooks/integration/global/desk'])(
    '%s leads each to its own',
    async (url) => {
      const first = await sent(url, { team: 'ours', n: 1 }, { 'x-sign': 's' })
      expect([first.status, await first.text()]).toEqual([200, 'heard'])
      await sent(`${url}/in/deep?a=b`, { team: 'theirs' })
      expect(heardBy()).toEqual(['scene desk', 'other desk'])
      expect(desk.forwarded()).toMatchObject([
        {
          method: 'POST',
          path: '/',
          query: '',
          body: '{"team":"ours","n":1}',
          headers: { 'x-sign': 's' },
        },
        { path: '/in/deep', query: 'a=b' },
      ])
    },
  )

  test.each([
    ['an unknown identifier', { team: 'unknown', challenge: 'c' }, 'c'],
    ['an identifier that is not a string', { team: { a: 1 }, challenge: 'd' }, 'd'],
    ['no identifier', { challenge: 'e' }, 'e'],
  ])('answers %s with the fallback script', async (_, body, challenge) => {
    const reply = await sent('/integration/global/desk', body)
    expect([
      reply.status,
      reply.headers.get('x-from'),
      reply.headers.get('set-cookie'),
      await reply.text(),
    ]).toEqual([202, 'script', null, challenge])
    expect(desk.calls).toEqual([])
  })

  test.each([
    ['a body that the script cannot read', '/integration/global/desk', 'no JSON'],
    ['an unknown integration', '/integration/global/nothing', '{}'],
    ['an integration without scripts', '/integration/global/chat', '{}'],
    ['an empty name', '/integration/global/', '{}'],
    ['a name on the prototype of objects', '/integration/global/__proto__', '{}'],
  ])('404 for %s', async (_, path, body) => {
    const reply = await ask(path, { method: 'POST', body })
    expect(reply.status).toBe(404)
    expectTyped(404, await reply.json(), 'ResourceNotFound')
  })

  test('ignores a disabled installation', async () => {
    const set = (enabled: boolean) =>
      sql`update installation set enabled = ${enabled} where webhook_id = ${webhooks.other}`.execute(
        scene.app.services.db,
      )
    await set(false)
    expect(
      (await sent('/integration/global/desk', { team: 'theirs', challenge: 'x' })).status,
    ).toBe(202)
    await set(true)
  })

  test('uses the script of each version, and the fallback script of the newest', async () => {
    const identifier = {
      extractScript: 'parse_json!(.body).organisation',
      fallbackHandlerScript: '{ "body": "the newest" }',
    }
    const newer = await openIntegration(scene, {
      name: 'desk',
      version: '3.0.0',
      definition: { identifier },
    })
    await sql`update integration set rank = '9' where id = ${newer.integrationId}`.execute(
      scene.app.services.db,
    )
    const at = await newer.install(other, 'newer')
    await configure(other, 'newer', { identifier: 'new' })
    await sent('/integration/global/desk', { organisation: 'new', team: 'unknown' })
    await sent('/integration/global/desk', { team: 'ours' })
    expect([newer.calls.length, desk.calls.length]).toEqual([1, 1])
    expect(await (await sent('/integration/global/desk', {})).text()).toBe('the newest')
    await sql`delete from installation where webhook_id = ${at}`.execute(
      scene.app.services.db,
    )
    await sql`delete from integration where id = ${newer.integrationId}`.execute(
      scene.app.services.db,
    )
    newer.close()
  })

  test('accepts a name with a handle as one segment or two', async () => {
    const named = await openIntegration(scene, {
      name: 'acme/desk',
      definition: { identifier: { extractScript: '.path' } },
    })
    const at = await named.install(other, 'acme')
    await configure(other, 'acme', { identifier: '/in' })
    for (const name of ['acme/desk', 'acme%2Fdesk'])
      expect((await ask(`/integration/global/${name}/in`)).status, name).toBe(200)
    expect(named.forwarded().map(({ path }) => path)).toEqual(['/in', '/in'])
    await sql`delete from installation where webhook_id = ${at}`.execute(
      scene.app.services.db,
    )
    named.close()
  })

  test('sends nothing to an integration of the same name in another workspace', async () => {
    const { db } = scene.app.services
    await sql`insert into workspace (id, name) values ('ws_squatter', 'squatter')`.execute(
      db,
    )
    const squatter = await openIntegration(scene, {
      name: 'desk',
      version: '99.0.0',
      workspaceId: 'ws_squatter',
      definition: { identifier: { extractScript: '"all"' } },
    })
    const { id: theirBot } = await makeBot(
      scene.app.services,
      { workspaceId: 'ws_squatter', accountId: scene.accountId, role: 'owner' },
      { name: 'theirs' },
    )
    await squatter.install(theirBot, 'desk')
    await sql`
      update installation set identifier = 'all' where bot_id = ${theirBot} and alias = 'desk'`.execute(
      db,
    )
    await sent('/integration/global/desk', { team: 'ours' })
    await sent('/integration/global/desk', { team: 'unknown', challenge: 'c' })
    expect([desk.calls.length, squatter.calls.length]).toEqual([1, 0])
    squatter.close()
  })

  test('rejects bodies over 25 MB before running scripts', async () => {
    const reply = await ask('/integration/global/desk', {
      method: 'POST',
      body: Buffer.alloc(25 * 1_048_576 + 1),
    })
    expect(reply.status).toBe(413)
  })
})

describe('a shared sandbox number', () => {
  const writes = (
    from: string,
    text: string,
    { secret = key, path = '/sandbox' } = {},
  ) => {
    const body = { from, text, challenge: 'not connected' }
    return sent(`/integration/global/desk${path}`, body, {
      'x-signature': createHmac('sha256', secret)
        .update(JSON.stringify(body))
        .digest('hex'),
    })
  }
  const toShareableId = (botId: string, alias: string) => {
    const integration = `/v1/admin/bots/${botId}/integrations/${desk.integrationId}`
    return `${integration}/shareable-id?integrationInstanceAlias=${alias}`
  }
  const make = async (botId: string, alias = 'desk') =>
    (
      await scene.call('POST', toShareableId(botId, alias), {
        headers: scene.admin,
        body: {},
      })
    ).body.shareableId as string
  const operations = () =>
    desk.forwarded().map(({ headers }) => headers['x-bp-sandbox-operation'] ?? null)

  test('creates short unambiguous ids, which stay until they expire', async () => {
    const id = await make(other)
    expect(id).toMatch(/^[A-HJKMNP-TV-Z2-9]{6}$/)
    expect(await make(other)).toBe(id)
    expect(await make(scene.botId)).not.toBe(id)
    const get = () =>
      scene.call('GET', toShareableId(other, 'desk'), { headers: scene.admin })
    expect((await get()).body).toEqual({ shareableId: id, isExpired: false })
    await sql`
      update shareable_id set expires_at = now() - interval '1 second'
      where bot_id = ${other}`.execute(scene.app.services.db)
    expect((await get()).body).toEqual({ shareableId: id, isExpired: true })
    await writes('late', id)
    expect(desk.calls).toEqual([])
    expect(await make(other)).not.toBe(id)
  })

  test('routes people to the bot whose id they sent, until they leave', async () => {
    const [first, second] = [await make(scene.botId), await make(other)]
    expect(await (await writes('+1', 'hello')).text()).toBe('not connected')
    await writes('+1', ` ${first.toLowerCase()} `)
    await writes('+1', 'how are you?')
    await writes('+2', second)
    await writes('+1', second)
    await writes('+1', '//leave')
    expect(await (await writes('+1', 'anybody?')).text()).toBe('not connected')
    await writes('+2', 'still here')
    expect(heardBy()).toEqual([
      'scene desk',
      'scene desk',
      'other desk',
      'other desk',
      'other desk',
      'other desk',
    ])
    expect(operations()).toEqual(['join', null, 'join', 'join', 'leave', null])
  })

  test('lists the conversations of a bot in pages', async () => {
    for (const from of ['+7', '+8', '+9']) await writes(from, await make(other))
    await writes('+8', await make(scene.botId))
    const list = (botId: string, query = '') =>
      scene.call(
        'GET',
        `/v1/platform/bots/${botId}/integrations/desk/sandbox-conversations${query}`,
        {
          headers: scene.admin,
        },
      )
    const first = (await list(other, '?pageSize=1')).body
    const rest = (await list(other, `?nextToken=${first.meta.nextToken}`)).body
    const all = [...first.conversations, ...rest.conversations]
    expect(all).toContainEqual({ identifier: '+7' })
    expect(all).toContainEqual({ identifier: '+9' })
    expect(all).not.toContainEqual({ identifier: '+8' })
    expect(first.conversations).toHaveLength(1)
    expect((await list(scene.botId)).body.conversations).toContainEqual({
      identifier: '+8',
    })
    expect((await list(scene.botId, `?nextToken=${first.meta.nextToken}`)).status).toBe(
      400,
    )
  })

  test('leaving can be repeated after the integration was unreachable', async () => {
    await writes('+3', await make(other))
    desk.answer = (_call, _response, request) => request.socket.destroy()
    expect((await writes('+3', '//leave')).status).toBe(503)
    desk.answer = (_call, response) => response.end()
    await writes('+3', '//leave')
    expect(operations()).toEqual(['join', 'leave', 'leave'])
  })

  test('rejects unsigned joins and a forged operation header', async () => {
    await writes('+4', await make(other), { secret: 'guessed' })
    await sent(
      '/integration/global/desk',
      { team: 'ours' },
      { 'x-bp-sandbox-operation': 'join' },
    )
    expect(operations()).toEqual([null])
    await writes('+4', await make(other), { path: '/sandboxes' })
    expect(desk.calls).toHaveLength(1)
  })

  test.each<[string, () => Promise<{ status: number }>]>([
    [
      'an administrator',
      () =>
        scene.call(
          'DELETE',
          toShareableId(other, 'desk').replace('shareable-id', 'sandboxed-conversations'),
          {
            headers: scene.admin,
          },
        ),
    ],
    ['the integration', () => configure(other, 'desk', { sandboxIdentifiers: null })],
  ])('conversations can be revoked by %s', async (_, takeBack) => {
    await writes('+5', await make(other))
    expect((await takeBack()).status).toBe(200)
    expect(await (await writes('+5', 'hello')).text()).toBe('not connected')
  })

  test('blocks people who guess ids', async () => {
    const strict = await openScene({
      config: { limits: { ...scene.app.services.limits, failuresPerMinute: 3 } },
    })
    const number = await openIntegration(strict, {
      name: 'desk',
      definition: { identifier: {}, sandbox: sandboxScripts },
    })
    try {
      await number.install(strict.botId, 'desk')
      const url = await strict.listen()
      const { body } = await strict.call(
        'POST',
        `/v1/admin/bots/${strict.botId}/integrations/${number.integrationId}/shareable-id`,
        {
          headers: strict.admin,
          body: {},
        },
      )
      const write = (from: string, text: string) => {
        const body = JSON.stringify({ from, text })
        const headers = {
          'x-signature': createHmac('sha256', key).update(body).digest('hex'),
        }
        return fetch(`${url}/integration/global/desk/sandbox`, {
          method: 'POST',
          body,
          headers,
        })
      }
      for (let i = 0; i < 3; i++) await write('guesser', 'AAAAA2')
      expect((await write('guesser', body.shareableId)).status).toBe(404)
      expect((await write('honest', body.shareableId)).status).toBe(200)
    } finally {
      await strict.close()
      number.close()
    }
  })

  test.each<[string, () => string]>([
    ['an unknown bot', () => toShareableId('bot_unknown', 'desk')],
    ['an unknown alias', () => toShareableId(other, 'nothing')],
    ['another integration', () => toShareableId(other, 'chat')],
    [
      'an integration that is not installed',
      () => toShareableId(other, 'desk').replace(desk.integrationId, 'intver_none'),
    ],
  ])('404: %s', async (_, path) => {
    for (const method of ['POST', 'GET', 'DELETE'] as const)
      expect(
        await scene.call(method, path(), {
          headers: scene.admin,
          ...(method === 'POST' && { body: {} }),
        }),
        method,
      ).toMatchObject({
        status: 404,
        body: { type: 'ResourceNotFound' },
      })
  })

  test('deletes ids, also with their installation', async () => {
    await make(scene.botId, 'second')
    expect(
      (
        await scene.call('DELETE', toShareableId(scene.botId, 'second'), {
          headers: scene.admin,
        })
      ).status,
    ).toBe(200)
    expect(
      (
        await scene.call('DELETE', toShareableId(scene.botId, 'second'), {
          headers: scene.admin,
        })
      ).status,
    ).toBe(404)
    await writes('+6', await make(scene.botId, 'second'))
    await sql`delete from installation where webhook_id = ${webhooks.second}`.execute(
      scene.app.services.db,
    )
    expect(await (await writes('+6', 'hello')).text()).toBe('not connected')
  })
})

describe('runVrl', () => {
  const run = (script: string, data: object = {}) =>
    scene.call('POST', '/v1/admin/helper/vrl', {
      headers: scene.admin,
      body: { data, script },
    })

  test.each<[string, object, object]>([
    ['.b = upcase!(.a)', { a: 'x' }, { data: { a: 'x', b: 'X' }, result: 'X' }],
    ['null', {}, { data: {}, result: null }],
    ['"https://x.test/?state={{ .webhookId }}"', { webhookId: 'w' }, expect.anything()],
  ])('evaluates %s', async (script, data, answer) => {
    const { status, body } = await run(script, data)
    if (status === 200) expect(body).toEqual(answer)
    else expectTyped(400, body)
  })

  test.each([
    ['.a = ', 'InvalidPayload'],
    ['abort', 'Runtime'],
    ['. = 1', 'Runtime'],
    ['parse_json!("x")', 'Runtime'],
  ])('rejects %s', async (script, type) =>
    expect(await run(script)).toMatchObject({ status: 400, body: { type } }),
  )
})
