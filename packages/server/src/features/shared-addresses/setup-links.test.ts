// Set-up links of integrations, with scripts in the spellings of published integrations.
import { afterAll, expect, test } from 'vitest'
import { openScene } from '../../../test/support/scene.ts'

const scene = await openScene()
afterAll(() => scene.close())

/** As the script's `encode_percent`. */
const encoded = (text: string) =>
  text.replaceAll(
    /[^A-Za-z0-9]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

let count = 0

/** Installs an integration with the script, and returns the answer for its link. */
async function getLink(script: string | undefined, type: string | null = null) {
  const name = `linked${count++}`
  const identifier = script === undefined ? {} : { linkTemplateScript: script }
  const schema = { type: 'object', properties: {} }
  const made = await scene.call('POST', '/v1/admin/integrations', {
    headers: scene.admin,
    body: {
      name,
      version: '1.0.0',
      url: 'http://127.0.0.1:9/',
      configuration: { schema, identifier: type === null ? identifier : {} },
      configurations: { manual: { schema }, other: { schema, identifier } },
    },
  })
  expect(made.body).toMatchObject({ integration: {} })
  const { body } = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    body: {
      integrations: {
        [name]: {
          integrationId: made.body.integration.id,
          enabled: false,
          configuration: {},
          ...(type !== null && { configurationType: type }),
        },
      },
    },
  })
  const { webhookId, webhookUrl } = body.bot.integrations[name]
  const path = `/v1/platform/bots/${scene.botId}/integrations/${name}/setup-link`
  const answer = await scene.call('GET', path, { headers: scene.admin })
  return { ...answer, webhookId, base: webhookUrl.slice(0, -webhookId.length - 1) }
}

test.each<[string, string]>([
  [
    'webhookId = to_string!(.webhookId)\nwebhookUrl = to_string!(.webhookUrl)\n\n' +
      '"{{ webhookUrl }}/oauth/wizard/start?state={{ webhookId }}"',
    'BASE/oauth/wizard/start?state=ID',
  ],
  [
    'webhookId = to_string!(.webhookId)\nwebhookUrl = to_string!(.webhookUrl)\nenv = to_string!(.env)\n\nclientId = "dev"\nif env == "production" {\n  clientId = "live"\n}\nredirectUri = encode_percent(webhookUrl + "/oauth")\n"https://login.example.com/authorize?client_id={{ clientId }}&state={{ webhookId }}&redirect_uri={{ redirectUri }}"',
    'https://login.example.com/authorize?client_id=live&state=ID&redirect_uri=ENCODED%2Foauth',
  ],
  [
    'webhookId = to_string!(.webhookId)\nwebhookUrl = to_string!(.webhookUrl)\n' +
      'source = to_string(.source) ?? ""\n\n' +
      '"{{ webhookUrl }}/oauth/wizard/start?state={{ webhookId }}&source={{ source }}"\n',
    'BASE/oauth/wizard/start?state=ID&source=',
  ],
  [
    'webhookId = to_string!(.webhookId)\nwebhookUrl = to_string!(.webhookUrl)\nenv = to_string!(.env)\n\nhost = "https://test.example.com/auth"\nif env == "production" {\n  host = "https://example.com/auth"\n}\n\n"{{host}}?scope=channels:history,chat:write&user_scope=&state={{ webhookId }}&redirect_uri={{ webhookUrl }}/oauth"',
    'https://example.com/auth?scope=channels:history,chat:write&user_scope=&state=ID&redirect_uri=BASE/oauth',
  ],
  [
    'id = .webhookId ?? "none"\n"https://example.com/" + to_string!(id)',
    'https://example.com/ID',
  ],
])('are the result of %j', async (script, expected) => {
  const { status, body, webhookId, base } = await getLink(script)
  expect(status).toBe(200)
  const url = expected.replace('ID', webhookId).replace('BASE', base)
  expect(body.url).toBe(new URL(url.replace('ENCODED', encoded(base))).href)
})

test('belong to the chosen configuration', async () => {
  const script = '"https://example.com/" + to_string!(.webhookId)'
  expect((await getLink(script, 'other')).body.url).toMatch(/^https:\/\/example.com\//)
  expect((await getLink(script, 'manual')).body.url).toBeNull()
  expect((await getLink(undefined)).body.url).toBeNull()
})

test.each([
  '"javascript:alert(1)"',
  '"data:text/html,x"',
  '" JavaScript:alert(1)"',
  '"/relative"',
  '5',
  'null',
  '{ "url": "https://example.com" }',
])('are not made by %s', async (script) => {
  const { status, body } = await getLink(script)
  expect([status, body.type]).toEqual([400, 'Runtime'])
  expect(body.message).toContain('must return a URL')
})

test('report a script that fails', async () => {
  const { body } = await getLink('parse_json!("no")')
  expect(body).toMatchObject({
    type: 'Runtime',
    message: expect.stringContaining('failed'),
  })
})
