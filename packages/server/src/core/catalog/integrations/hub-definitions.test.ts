// Definitions that the server offers can be added to a project by every version of the command
// line.
import { Client } from '@botpress/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  compileErrors,
  converters,
  type GeneratedPackageKind,
  oldestPackage,
  oldestSdk,
  type PackageDefinition,
  packageSource,
  typesSource,
} from '../../../../test/support/generated-code.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

let scene: Scene
let hub: { kind: GeneratedPackageKind; definition: PackageDefinition }[]
vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  scene = await openScene()
  const { token, workspaceId } = scene
  const client = new Client({ apiUrl: await scene.listen(), token, workspaceId })
  await publishBarePackages(client)
  hub = await readHub(client)
}, 60_000)
afterAll(() => scene?.close())

/** Publishes an integration, an interface and a plugin that declare nothing. */
async function publishBarePackages(client: Client) {
  const head = { name: 'bare', version: '1.0.0' }
  await client.createIntegration({
    ...head,
    visibility: 'public',
    url: 'https://example.com',
  } as never)
  await client.createInterface({ ...head, public: true } as never)
  await client.createPlugin({
    ...head,
    visibility: 'public',
    code: { node: '', browser: '' },
  } as never)
}

async function readHub(client: Client): Promise<typeof hub> {
  const { integrations } = await client.listPublicIntegrations({})
  const { interfaces } = await client.listPublicInterfaces({})
  const { plugins } = await client.listPublicPlugins({})
  const each = <Read>(listed: { id: string }[], read: (id: string) => Promise<Read>) =>
    Promise.all(listed.map(({ id }) => read(id)))
  const found = [
    ...(await each(integrations, async (id) => ({
      kind: 'integration',
      definition: (await client.getPublicIntegrationById({ id })).integration,
    }))),
    ...(await each(interfaces, async (id) => ({
      kind: 'interface',
      definition: (await client.getPublicInterfaceById({ id })).interface,
    }))),
    ...(await each(plugins, async (id) => ({
      kind: 'plugin',
      definition: (await client.getPublicPluginById({ id })).plugin,
    }))),
  ]
  return found as never
}

test('the hub lists the chat integration and the published packages', () => {
  expect(hub.map(({ kind, definition }) => `${kind} ${definition.name}`).sort()).toEqual(
    expect.arrayContaining([
      'integration bare',
      'integration chat',
      'interface bare',
      'plugin bare',
    ]),
  )
})

test('a configuration without a schema accepts any object', async () => {
  const undeclared = { type: 'object', properties: {} }
  const bare = hub.filter(
    ({ kind, definition }) => kind !== 'interface' && definition.name === 'bare',
  )
  expect(bare.map(({ definition }) => definition.configuration)).toMatchObject([
    { schema: undeclared },
    { schema: undeclared },
  ])
  const { body } = await scene.call('GET', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
  })
  expect(body.bot.configuration.schema).toEqual(undeclared)
})

describe('generated code', () => {
  const files: Record<string, string> = {}

  test.each(Object.entries(converters))(
    '%s converts every definition',
    (name, convert) => {
      for (const [n, { kind, definition }] of hub.entries()) {
        files[`${name}/${n}/package.ts`] = packageSource(kind, definition, convert)
        files[`${name}/${n}/types.ts`] = typesSource(definition, convert)
      }
    },
  )

  test('compiles against the SDK', async () => {
    expect(Object.keys(files)).toHaveLength(
      Object.keys(converters).length * hub.length * 2,
    )
    expect(await compileErrors(files)).toBe('')
  })

  test('compiles from every integration with the command line 0.8', async () => {
    const integrations = hub.filter(
      // As the official integration, `email` has a channel `default`, which it cannot compile.
      ({ kind, definition }) => kind === 'integration' && definition.name !== 'email',
    )
    const old = await Promise.all(
      integrations.map(({ definition }, n) => oldestPackage(definition, `${n}`)),
    )
    expect(await compileErrors(Object.assign({}, ...old), oldestSdk)).toBe('')
  })
})
