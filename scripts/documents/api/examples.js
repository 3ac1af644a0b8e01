// Writes an example request for an operation: for curl, for a client in JavaScript and for Python.
// The variables and addresses are those of docs/getting-started.md.
import { toModelName } from './fields.js'

const origin = 'http://127.0.0.1:4000'
const firstWorkspace = '11111111-1111-1111-aaaa-111111111111'

/** Families with a client, and the operations that it lacks. */
const clients = {
  runtime: { name: '@botpress/client' },
  admin: { name: '@botpress/client' },
  files: { name: '@botpress/client' },
  tables: { name: '@botpress/client' },
  chat: { name: '@botpress/chat', lacks: ['createUser', 'getOrCreateUser'] },
}

function findClient(family, operationId) {
  const client = clients[family]
  return client && !client.lacks?.includes(operationId) ? client.name : null
}

/** Returns the examples as a group of code blocks. */
export function toExamples(family, document, { path, method, operation }) {
  const request = toRequest(document, { path, method, operation })
  const client = findClient(family, operation.operationId)
  return [
    '::: code-group',
    block('sh', 'curl', toCurl(request)),
    block('js', client ?? 'JavaScript', client ? toCall(request) : toFetch(request)),
    block('python', 'Python', toPython(request)),
    ':::',
  ].join('\n')
}

const block = (language, title, code) => `\`\`\`${language} [${title}]\n${code}\n\`\`\``

/** Optional headers without which personal tokens are rejected. */
const scopes = ['x-bot-id', 'x-workspace-id']

/** Bodies of operations with a schema that does not say all that the server requires. */
const bodies = {
  initializeIncomingMessage: {
    conversationId: '<conversationId>',
    userId: '<userId>',
    message: {
      type: 'text',
      payload: { text: '<text>' },
      tags: {},
      discriminateByTags: [],
    },
  },
  changeTableRows: { filter: { id: 1 }, delete: true },
  sendAuthoringMessage: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  testBotDraft: { revision: 0 },
  sendMcpMessage: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
}

/** Returns a valid request with its required parts. */
export function toRequest(document, { path, method, operation }) {
  const { parameters = [], requestBody, security } = operation
  const context = { document, names: path.startsWith('/v1/tables') ? ofTables : ofName }
  const required = parameters.filter(
    ({ required, name }) => required || scopes.includes(name),
  )
  const valuesIn = (location) =>
    Object.fromEntries(
      required
        .filter((one) => one.in === location)
        .map(({ name, schema }) => [
          name,
          toSample(schema, sampledAs(name, location), context),
        ]),
    )
  const [params, query, headers] = ['path', 'query', 'header'].map(valuesIn)
  const prefix = document.servers[0].url === '/' ? '' : document.servers[0].url
  const schema = requestBody?.content['application/json'].schema
  const [success] =
    Object.entries(operation.responses).find(([status]) => Number(status) < 300) ?? []
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path: (prefix + path).replace(/\{(\w+)\}/g, (_, name) => params[name] ?? `<${name}>`),
    params,
    query,
    headers: { ...(security && { authorization: 'Bearer $TOKEN' }), ...headers },
    body: bodies[operation.operationId] ?? (schema && toBody(schema, context)),
    mediaType: success && Object.keys(operation.responses[success].content)[0],
    result: success && fieldNames(operation.responses[success], document),
  }
}

/** Messages have a `type`, too, but queries ask for one of usage. */
const sampledAs = (name, location) =>
  location === 'query' && /^types?$/.test(name) ? 'usageType' : name

/** Returns the required fields, or the first optional ones if none is required. */
function toBody(schema, context) {
  const body = toSample(schema, 'body', context)
  const { properties = {} } = resolve(schema, context.document)
  if (Object.keys(body).length > 0) return body
  const [first] = Object.entries(properties)
  return first ? { [first[0]]: toSample(first[1], first[0], context) } : body
}

const fieldNames = (response, document) => {
  const [{ schema }] = Object.values(response.content)
  return Object.keys(resolve(schema, document).properties ?? {})
}

const resolve = (schema, document) =>
  schema.$ref ? document.components.schemas[toModelName(schema.$ref)] : schema

/** Returns a valid value. Texts are placeholders with the name of their field. */
function toSample(schema, name, context) {
  const { $ref, anyOf, type, enum: values, examples, minimum, items } = schema
  if ($ref) return toSample(resolve(schema, context.document), name, context)
  if ('const' in schema) return schema.const
  if (examples?.length) return examples[0]
  if (values) return values[0]
  if (anyOf)
    return toSample(anyOf.find((one) => one.type !== 'null') ?? anyOf[0], name, context)
  if (type === 'array') return items ? [toSample(items, singular(name), context)] : []
  if (type === 'object' || schema.properties) return sampleObject(schema, context)
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return true
  return type === 'string' || !type ? sampleText(schema, name, context) : null
}

const singular = (name) => name.replace(/s$/, '')

/** With the first optional fields, if it needs more than the required ones. */
function sampleObject({ properties = {}, required = [], minProperties = 0 }, context) {
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const names = [
    ...required,
    ...optional.slice(0, Math.max(0, minProperties - required.length)),
  ]
  return Object.fromEntries(
    names.map((name) => [name, toSample(properties[name] ?? {}, name, context)]),
  )
}

const ofFormat = {
  'date-time': '2030-01-31T12:00:00.000Z',
  date: '2030-01-31',
  email: 'person@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: firstWorkspace,
}

const past = '2026-01-31T12:00:00.000Z'
const ofName = {
  'x-bot-id': '$BOT',
  'x-workspace-id': firstWorkspace,
  'x-user-key': '$USER_KEY',
  type: 'text',
  email: 'person@example.com',
  url: 'https://example.com/',
  handle: 'example',
  password: 'correct horse battery',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  targetWorkspaceId: firstWorkspace,
  usageType: 'invocation_calls',
  version: '1.0.0',
  period: '2026-01',
  table: 'OrderTable',
  createdAt: past,
  updatedAt: past,
  timeStart: past,
  timeEnd: '2026-02-28T12:00:00.000Z',
  startDate: past,
  endDate: '2026-02-28T12:00:00.000Z',
  lastSeenBefore: past,
}

const ofTables = { ...ofName, name: 'OrderTable', tableName: 'SpareTable' }

const sampleText = ({ format }, name, { names }) =>
  names[name] ?? ofFormat[format] ?? `<${name}>`

const toUrl = ({ path, query }, encode = encodeURI) => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${one}`),
  )
  return encode(origin + path + (pairs.length > 0 ? `?${pairs.join('&')}` : ''))
}

const asWritten = (url) => url

function toCurl(request) {
  const { method, headers, body, mediaType } = request
  const options = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(
      ([name, value]) => `-H ${shellText(`${name}: ${value}`)}`,
    ),
    ...(body
      ? ["-H 'content-type: application/json'", `-d ${shellText(JSON.stringify(body))}`]
      : []),
    ...(mediaType?.endsWith('stream') || mediaType?.endsWith('ndjson') ? ['-N'] : []),
    ...(mediaType === 'application/gzip' ? ['-o archive.gz'] : []),
  ]
  return [`curl ${shellText(toUrl(request, asWritten))}`, ...options].join(' \\\n  ')
}

const shellText = (text) =>
  /\$[A-Z]/.test(text)
    ? `"${text.replace(/["`\\]/g, '\\$&')}"`
    : `'${text.replaceAll("'", "'\\''")}'`

/** A call of the client of getting-started.md: all parameters in one object. */
function toCall({ id, params, query, body, result = [] }) {
  const call = `await client.${id}(${javaScript({ ...params, ...query, ...body })})`
  return result.length > 0 ? `const { ${result.join(', ')} } = ${call}` : call
}

function toFetch(request) {
  const { method, headers, body, mediaType } = request
  const all = { ...headers, ...(body && { 'content-type': 'application/json' }) }
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(all).length > 0 ? [`  headers: ${indented(javaScript(all))},`] : []),
    ...(body ? [`  body: JSON.stringify(${indented(javaScript(body))}),`] : []),
  ]
  const url = javaScript(toUrl(request, asWritten))
  const call =
    options.length > 0 ? `fetch(${url}, {\n${options.join('\n')}\n})` : `fetch(${url})`
  return `const response = await ${call}\n${readInJavaScript(mediaType)}`
}

const readInJavaScript = (mediaType) =>
  mediaType === 'application/json'
    ? 'console.log(await response.json())'
    : 'for await (const chunk of response.body) process.stdout.write(chunk)'

function toPython(request) {
  const { method, headers, body, mediaType } = request
  const isStream = mediaType !== 'application/json'
  const lines = [
    python(toUrl(request, asWritten)),
    ...(Object.keys(headers).length > 0
      ? [`headers=${indented(python(headers), 4)}`]
      : []),
    ...(body ? [`json=${indented(python(body), 4)}`] : []),
    ...(isStream ? ['stream=True'] : []),
  ]
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...lines.map((line) => `    ${line},`),
    ')',
    'response.raise_for_status()',
    ...(isStream
      ? ['for line in response.iter_lines():', '    print(line)']
      : ['print(response.json())']),
  ].join('\n')
}

const indented = (text, by = 2) => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** Returns a value as a literal of JavaScript; shell variables are variables there. */
const javaScript = (value) =>
  literal(value, {
    indent: 2,
    text: (text) =>
      /\$[A-Z]/.test(text) ? toTemplate(text, '`', '${', '`') : quoted(text),
    key: (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)),
    spaced: true,
  })

const python = (value) =>
  literal(value, {
    indent: 4,
    text: (text) =>
      /\$[A-Z]/.test(text) ? toTemplate(text, "f'", '{', "'") : quoted(text),
    key: quoted,
    constants: { true: 'True', false: 'False', null: 'None' },
  })

function toTemplate(text, start, open, end) {
  const only = /^\$([A-Z_]+)$/.exec(text)
  if (only) return only[1]
  return `${start}${text.replace(/\$([A-Z_]+)/g, `${open.replaceAll('$', '$$$$')}$1}`)}${end}`
}

const quoted = (text) => `'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`

function literal(value, style) {
  if (typeof value === 'string') return style.text(value)
  if (typeof value !== 'object' || value === null)
    return style.constants?.[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => literal(one, style))
    : Object.entries(value).map(
        ([name, one]) => `${style.key(name)}: ${literal(one, style)}`,
      )
  const [open, close] = isList ? '[]' : '{}'
  const pad = style.spaced && !isList && parts.length > 0 ? ' ' : ''
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`
  if (line.length <= 70 && !line.includes('\n')) return line
  const inner = parts.map(
    (part) => `${' '.repeat(style.indent)}${indented(part, style.indent)},`,
  )
  return [open, ...inner, close].join('\n')
}
