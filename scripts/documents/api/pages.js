// Writes the API reference: a page for each group of operations of a family, one for its objects, and
// one that lists them. Each operation has its id as the anchor.
import { readSource, table } from '../marked.js'
import { toExamples } from './examples.js'
import { escaped, fieldTable, parameterTable, toModelName, toType } from './fields.js'

/** In the order of the pages. */
const subjects = {
  runtime:
    'conversations, messages, users, events, states, workflows, actions; for bots and integrations',
  chat: 'conversations of the users of a bot',
  live: 'stops, typing indicators, feedback and streamed texts beside the Chat API',
  webchat: 'requests of the official webchat',
  admin: 'workspaces, members, bots, integrations, tokens',
  files: 'files, passages, knowledge bases, search',
  tables: 'tables and their rows',
  cognitive: 'language models, in the forms of the official clients',
  openai: 'language models, in the forms of OpenAI',
  mcp: 'the Model Context Protocol',
  platform:
    "Botstead's own API: handoffs, dead letters, insights, operation, the dashboard",
  newer: 'operations of newer official clients',
}

const documents = Object.keys(subjects).map((family) => [
  family,
  JSON.parse(readSource(`packages/contract/openapi/${family}.json`)),
])

/** Returns the pages: `page`, `title`, Markdown, and the parts of it that search finds. */
export const apiPages = () => [contents(), ...documents.flatMap(toPages)]

/** Returns the sidebars: that of a family lists its groups of operations. */
export const apiSidebars = () =>
  Object.fromEntries(
    ['', ...Object.keys(subjects)].map((name) => [
      `/api/${name && `${name}/`}`,
      toSidebar(name),
    ]),
  )

const toSidebar = (name) => [
  {
    text: 'API reference',
    link: '/api/',
    items: documents.map(([family, document]) => ({
      text: toName(document),
      link: `/api/${family}/`,
      ...(family === name && { items: groupLinks(family, document) }),
    })),
  },
]

const groupLinks = (family, document) =>
  [...Object.keys(toGroups(document)), 'objects'].map((group) => ({
    text: toTitle(group),
    link: `/api/${family}/${group}`,
  }))

/** Returns the operations of a document with their paths. */
export const listOperations = (document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

const toName = (document) => document.info.title.replace('Botstead ', '')

/** Node 20 has no `Object.groupBy`. */
function toGroups(document) {
  const groups = {}
  for (const one of listOperations(document)) {
    const [group] = one.operation.tags
    groups[group] = [...(groups[group] ?? []), one]
  }
  return groups
}

const toPages = ([family, document]) => [
  overview(family, document),
  ...Object.entries(toGroups(document)).map(([group, operations]) =>
    groupPage(family, document, { group, operations }),
  ),
  objectsPage(family, document),
]

/** Returns the words of a name: `conversationNotes` is "Conversation notes". */
export function toTitle(group) {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words[0].toUpperCase() + words.slice(1)
}

const modelLinks = (family) => (name) => `/api/${family}/objects#${name}`

function contents() {
  const rows = documents.map(([family, document]) => [
    `[${toName(document)}](/api/${family}/)`,
    subjects[family],
    `[${family}.json](/v1/openapi/${family}.json)`,
  ])
  const text = [
    '# API reference',
    'Every operation of the server, with examples for curl, JavaScript and Python. The server publishes' +
      ' an OpenAPI 3.1 document of each API, from which generators make typed clients. With' +
      ' `?version=3.0`, it is OpenAPI 3.0 ([differences](../compatibility.md#operations)).',
    table(['API', 'Subject', 'OpenAPI document'], rows),
    conventions,
  ]
  return { page: 'index', title: 'API reference', text: text.join('\n\n') }
}

const conventions = `## Conventions

* The examples use the variables \`TOKEN\` and \`BOT\` of
  [getting started](../getting-started.md#call-the-api). Replace texts in angle brackets. \`client\` is
  a \`Client\` of the package that is named above the example.
* Python examples need the package \`requests\`.
* Every POST request accepts the header \`idempotency-key\` ([idempotency](../idempotency.md)).
* Integrations send \`x-integration-id\` or \`x-integration-alias\` beside \`x-bot-id\`.
* Errors are objects with \`code\`, \`type\`, \`message\` and \`id\`; each operation lists its types.
* Lists return \`meta.nextToken\` if there is a next page; send it as \`nextToken\`.`

function overview(family, document) {
  const rows = Object.entries(toGroups(document)).flatMap(([group, operations]) =>
    operations.map(({ path, method, operation: { operationId, summary = '' } }) => [
      `[${operationId}](/api/${family}/${group}#${operationId})`,
      summary,
      `\`${method.toUpperCase()} ${toPath(document, path)}\``,
    ]),
  )
  const title = toName(document)
  const url = `/v1/openapi/${family}.json`
  const text = [
    `# ${title}`,
    `The ${title} has ${subjects[family]}. OpenAPI document: [${family}.json](${url}),` +
      ` [in 3.0](${url}?version=3.0).`,
    document.info.description,
    table(['Operation', 'Effect', 'Request'], rows),
  ]
  return { page: `${family}/index`, title, text: text.join('\n\n') }
}

const toPath = ({ servers: [{ url }] }, path) => (url === '/' ? path : url + path)

function groupPage(family, document, { group, operations }) {
  const title = toTitle(group)
  const head = `# ${title}\n\nOperations of the [${toName(document)}](/api/${family}/).`
  const page = (parts) => [head, ...parts].join('\n\n')
  return {
    page: `${family}/${group}`,
    title: `${title} · ${toName(document)}`,
    text: page(operations.map((one) => operationText(family, document, one))),
    found: page(operations.map((one) => operationHead(document, one))),
  }
}

function operationHead(document, { path, method, operation }) {
  const { operationId, summary = operationId, description, tags } = operation
  const stability = tags.includes('experimental') ? ' · experimental' : ''
  return [
    `## ${escaped(summary)} {#${operationId}}`,
    `\`${operationId}\` · \`${method.toUpperCase()} ${toPath(document, path)}\`${stability}`,
    ...(description ? [escaped(description)] : []),
  ].join('\n\n')
}

function operationText(family, document, one) {
  const { parameters = [], requestBody } = one.operation
  const links = modelLinks(family)
  const body = requestBody?.content['application/json'].schema
  const own = parameters.filter(({ name, required }) => required || !ofAll.has(name))
  return [
    operationHead(document, one),
    toExamples(family, document, one),
    section('Parameters', parameterTable(own, links)),
    section('Body', body && schemaText(body, links)),
    responseText(document, one.operation, links),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Optional headers that the conventions describe. */
const ofAll = new Set(['idempotency-key', 'x-integration-id', 'x-integration-alias'])

const section = (title, text) => text && `**${title}**\n\n${text}`

const schemaText = (schema, links) =>
  (!schema.$ref && fieldTable(schema, links)) || toType(schema, links)

function responseText(document, { responses }, links) {
  const all = Object.entries(responses)
  const successes = all.filter(([status]) => Number(status) < 300)
  const errors = all
    .filter(([status]) => Number(status) >= 300)
    .map(
      ([status, { $ref }]) =>
        `${status} ${document.components.responses[toModelName($ref)].description}`,
    )
  return [
    ...successes.map((one) => successText(one, links)),
    section('Errors', errors.join(' · ')),
  ].join('\n\n')
}

function successText([status, { content }], links) {
  const [[mediaType, { schema }]] = Object.entries(content)
  const type = mediaType === 'application/json' ? '' : `, \`${mediaType}\``
  return section(`Response ${status}${type}`, schemaText(schema, links))
}

function objectsPage(family, document) {
  const links = modelLinks(family)
  const { schemas } = document.components
  const parts = Object.entries(schemas).map(
    ([name, schema]) => `## ${name} {#${name}}\n\n${schemaText(schema, links)}`,
  )
  const name = toName(document)
  const text = [
    '# Objects',
    `Shapes in requests and responses of the [${name}](/api/${family}/).`,
    ...parts,
  ]
  return {
    page: `${family}/objects`,
    title: `Objects · ${name}`,
    text: text.join('\n\n'),
  }
}
