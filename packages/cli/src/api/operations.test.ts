import { expect, test } from 'vitest'
import { operationCommand } from './operation-command.ts'
import { fieldsOf, toRequest } from './operation-fields.ts'
import { findOperation, operations, searchOperations } from './operations.ts'

const request = (name: string, args: string[], input = {}) => {
  const operation = findOperation(name)
  const fields = fieldsOf(operation)
  const command = operationCommand(operation, fields)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parse(args, { from: 'user' })
  return toRequest(fields, command.opts(), input)
}

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s has an option for each field of its path, query and body',
  (_, operation) => {
    const fields = fieldsOf(operation)
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const named = fields
      .filter(({ location }) => location === 'params')
      .map(({ name }) => name)
    // --bot, --workspace and --chat name the others.
    const others = inPath.filter((name) => !named.includes(name))
    expect(['botId', 'id', 'webhookId']).toEqual(expect.arrayContaining(others))
    for (const location of ['query', 'body'] as const)
      expect(
        fields.filter((one) => one.location === location).map(({ name }) => name),
      ).toEqual(
        Object.keys((operation[location] as { properties?: object })?.properties ?? {}),
      )
    const command = operationCommand(operation, fields)
    const attributes = command.options.map((option) => option.attributeName())
    expect(new Set(attributes).size).toBe(attributes.length)
    expect(command.helpInformation()).toContain(operation.summary.split(' ')[0])
  },
)

test('values have the types of the contract', () => {
  expect(
    request('runtime.createMessage', [
      '--conversationId',
      '1',
      '--userId',
      'u',
      '--type',
      'text',
      '--tags',
      '{}',
      '--payload',
      '{"text":"hello"}',
    ]).body,
  ).toEqual({
    conversationId: '1',
    userId: 'u',
    type: 'text',
    tags: {},
    payload: { text: 'hello' },
  })
  expect(
    request('tables.deleteTableRows', ['--table', 't', '--ids', '1', '--ids', '[2,3]']),
  ).toMatchObject({
    params: { table: 't' },
    body: { ids: [1, 2, 3] },
  })
  expect(
    request('admin.updateBot', ['--id', 'b', '--blocked', '--url', 'https://x']).body,
  ).toEqual({
    blocked: true,
    url: 'https://x',
  })
  expect(request('runtime.updateUser', ['--id', 'u', '--name', 'null']).body).toEqual({
    name: null,
  })
  expect(request('runtime.updateUser', ['--id', 'u', '--name', '42']).body).toEqual({
    name: '42',
  })
  expect(
    request('runtime.listMessages', ['--pageSize', '5', '--tags', '{"a":"b"}']).query,
  ).toEqual({
    pageSize: '5',
    tags: { a: 'b' },
  })
})

test('options replace the fields of the input', () => {
  expect(
    request('admin.createBot', ['--name', 'new'], { name: 'old', description: 'd' }).body,
  ).toEqual({
    name: 'new',
    description: 'd',
  })
})

test('a field with the name of an own option is qualified by its location', () => {
  const options = ['--type', 'x', '--body.input', '{"a":1}']
  expect(request('runtime.callAction', options).body).toEqual({
    type: 'x',
    input: { a: 1 },
  })
})

test.each([
  [
    'runtime.createMessage',
    ['--type', 'text'],
    'missing: --conversationId, --userId, --payload, --tags',
  ],
  [
    'admin.updateBot',
    ['--id', 'b', '--tags', 'red'],
    '--tags must be JSON object, not "red"',
  ],
  ['runtime.listEvents', ['--status', 'lost'], 'Allowed choices are pending, processed'],
])('%s rejects invalid options', (name, args, message) => {
  expect(() => request(name, args)).toThrow(message)
})

test('operations are found without family, and unknown names have suggestions', () => {
  expect(findOperation('upsertFile').name).toBe('files.upsertFile')
  expect(() => findOperation('createUser')).toThrow(/runtime.createUser, chat.createUser/)
  expect(() => findOperation('admin.deadletter')).toThrow(
    'did you mean platform.listDeadLetters',
  )
  expect(searchOperations('GET /v1/tables').map(({ name }) => name)).toContain(
    'tables.listTables',
  )
})
