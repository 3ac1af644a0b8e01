// What the server itself offers to bots can be added to a project by every command line.
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  compileErrors,
  converters,
  type Definition,
  type Kind,
  oldestPackage,
  oldestSdk,
  packageSource,
  typesSource,
} from './generated-code.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let hub: { kind: Kind; definition: Definition }[]
vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  scene = await openScene()
  const { token, workspaceId } = scene
  hub = await readHub(new Client({ apiUrl: await scene.listen(), token, workspaceId }))
}, 60_000)
afterAll(() => scene?.close())

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

test('the hub offers the chat integration', () => {
  expect(hub.map(({ kind, definition }) => `${kind} ${definition.name}`)).toContain('integration chat')
})

test.each(Object.entries(converters))(
  '%s converts every definition, to code that compiles',
  async (_, convert) => {
    const files = Object.fromEntries(
      hub.flatMap(({ kind, definition }, n) => [
        [`${definition.name}-${n}/package.ts`, packageSource(kind, definition, convert)],
        [`${definition.name}-${n}/types.ts`, typesSource(definition, convert)],
      ]),
    )
    expect(await compileErrors(files)).toBe('')
  },
)

test('the command line 0.8 generates code that compiles from every integration', async () => {
  const integrations = hub.filter(({ kind }) => kind === 'integration')
  for (const { definition } of integrations)
    expect(await compileErrors(await oldestPackage(definition), oldestSdk), definition.name).toBe('')
})
