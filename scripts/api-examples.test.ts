// The example requests of the API reference are valid: their bodies and parameters for the contract, their
// code for the shell, JavaScript and Python, their methods for the official clients.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { AuthenticatedClient, Client as ChatClient } from '@botpress/chat'
import { Client } from '@botpress/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { toExamples, toRequest } from './documents/api/examples.js'
import { listOperations } from './documents/api/pages.js'

const folder = new URL('../packages/contract/openapi/', import.meta.url)
const documents = readdirSync(folder).map((name) => ({
  family: name.replace('.json', ''),
  document: JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
}))
const all = documents.flatMap(({ family, document }) =>
  listOperations(document).map((one) => ({ family, document, ...one })),
)

/** Returns the code of the examples in a language, or of those with a title. */
const codeIn = (language: string, title = '[^\\]]+') =>
  all.map(({ family, document, ...one }) => {
    const block = new RegExp(`\`\`\`${language} \\[${title}\\]\\n([\\s\\S]*?)\\n\`\`\``)
    return block.exec(toExamples(family, document, one))?.[1] ?? ''
  })

describe.each(documents)('the examples of the family $family', ({ document }) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  const isValid = (schema: object, value: unknown) =>
    ajv.validate(inDocument(schema), value)

  test.each(listOperations(document))('$operation.operationId is valid', (one) => {
    const { params, query, body } = toRequest(document, one)
    const { requestBody, parameters = [] } = one.operation
    if (requestBody)
      expect(
        isValid(requestBody.content['application/json'].schema, body),
        ajv.errorsText(),
      ).toBe(true)
    for (const { name, in: location, schema } of parameters) {
      const value = { path: params, query }[location as string]?.[name]
      if (value !== undefined && location === 'query')
        expect(isValid(schema, value), `${name} ${ajv.errorsText()}`).toBe(true)
    }
  })
})

/** References point into the document. */
const inDocument = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"api#'))

test('are shell commands', () => {
  const input = codeIn('sh', 'curl').join('\n')
  expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).toBe('')
})

test('are JavaScript', async () => {
  const functions = codeIn('js').map((code) => `async () => {\n${code}\n}`)
  await transform(`[${functions.join(',\n')}]`)
})

const hasPython = spawnSync('python3', ['--version']).status === 0

test('are Python', ({ skip }) => {
  if (!hasPython) skip('needs Python')
  const input = codeIn('python').join('\n')
  execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
    input,
  })
})

test.each([
  ['@botpress/client', new Client({ token: 'none' })],
  [
    '@botpress/chat',
    new AuthenticatedClient(new ChatClient({ apiUrl: 'http://none' }), { key: 'none' }),
  ],
])('call methods of %s', (name, client) => {
  const called = codeIn('js', name).flatMap(
    (code) => /client\.(\w+)/.exec(code)?.[1] ?? [],
  )
  expect(called.filter((method) => !(method in client))).toEqual([])
  expect(called.length).toBeGreaterThan(15)
})
