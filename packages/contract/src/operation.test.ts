// The objects that a request names, by the contract: the server checks access to them.
import { Type as T } from 'typebox'
import { expect, test } from 'vitest'
import {
  findWorkspaceParameter,
  listBotFields,
  listBotParameters,
  namesBot,
} from './operation.ts'

test.each([
  ['/v1/admin/bots/{id}', ['id']],
  ['/v1/platform/bots/{id}/note', ['id']],
  ['/v1/platform/bots/{anything}/versions/{id}', ['anything']],
  ['/mcp/{botId}', ['botId']],
  ['/v1/platform/copies/{sourceBotId}/{bot}', ['sourceBotId', 'bot']],
  ['/v1/admin/bots/baks/{id}', []],
  ['/v1/admin/bots', []],
  ['/v1/platform/robots/{id}', []],
])('finds the bots in the path %s', (path, names) => {
  expect(listBotParameters({ path })).toEqual(names)
  expect(namesBot({ access: 'bot', path })).toBe(names.length > 0)
  expect(namesBot({ access: 'workspace', path })).toBe(false)
})

test('finds the bots in a query or body, also in alternatives', () => {
  const body = T.Object({
    botId: T.String(),
    botIds: T.Array(T.String()),
    installedByBotId: T.Optional(T.String()),
    botJson: T.Unknown(),
    id: T.String(),
  })
  const names = ['botId', 'botIds', 'installedByBotId']
  expect(listBotFields(body)).toEqual(names)
  expect(listBotFields(T.Union([body, T.Object({ bot: T.String() })]))).toEqual([
    ...names,
    'bot',
  ])
  expect(listBotFields(undefined)).toEqual([])
})

test.each([
  ['/v1/admin/workspaces/{id}/usages', 'id'],
  ['/v1/platform/workspaces/{id}/note', 'id'],
  ['/v1/platform/notes/{workspaceId}', 'workspaceId'],
  ['/v1/admin/workspaces/preferences/{key}', undefined],
])('finds the workspace in the path %s', (path, name) =>
  expect(findWorkspaceParameter({ path })).toBe(name),
)
