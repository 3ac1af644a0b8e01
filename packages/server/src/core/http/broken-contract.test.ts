// Responses that the contract does not allow: in tests and with `npm run dev`, the error names the field.
import { afterEach, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { account } from '../accounts/api/admin/account.ts'

let scene: Scene
afterEach(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

type Answer = Awaited<ReturnType<typeof account.getAccount>>

/** Opens a scene in which a handler changes its answer. */
async function openChanged(change: (answer: Answer) => object) {
  const { getAccount } = account
  vi.spyOn(account, 'getAccount').mockImplementation(
    async (...input) => change(await getAccount(...input)) as Answer,
  )
  scene = await openScene()
}
const path = '/v1/admin/account/me'
const read = () => scene.call('GET', path, { headers: scene.admin })

test.each<[string, (answer: Answer) => object, string]>([
  [
    'an unknown field',
    (answer) => ({ ...answer, isNew: true }),
    'body must NOT have additional properties: isNew',
  ],
  [
    'an unknown field of an object inside',
    ({ account }) => ({ account: { ...account, nick: 'Ann' } }),
    'body/account must NOT have additional properties: nick',
  ],
  [
    'a missing field',
    ({ account: { email: _, ...account } }) => ({ account }),
    "body/account must have required property 'email'",
  ],
  [
    'a field of another type',
    ({ account }) => ({ account: { ...account, id: 7 } }),
    'body/account/id must be string',
  ],
])('names %s in the error of a test', async (_, change, expected) => {
  await openChanged(change)
  await expect(read()).rejects.toThrow(
    `GET ${path}: The response breaks the contract: ${expected}`,
  )
})

test('names the field to other clients, with status 500', async () => {
  await openChanged((answer) => ({ ...answer, isNew: true }))
  const reply = await fetch(`${await scene.listen()}${path}`, { headers: scene.admin })
  expect(reply.status).toBe(500)
  expect(await reply.json()).toMatchObject({
    type: 'Internal',
    message: expect.stringContaining('additional properties: isNew'),
  })
})
