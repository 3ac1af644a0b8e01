// Inputs that would each stop a server which computes on them in its main thread. Bodies are built
// before the measurement.

export interface HostileInput {
  name: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** The caller; `anonymous` sends no credential. */
  as: 'owner' | 'bot' | 'visitor' | 'anonymous'
  body?: Buffer
}

interface Target {
  botId: string
  chat: string
  webhookId: string
  conversationId: string
  table: string
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const range = <Item>(length: number, toItem: (i: number) => Item) =>
  Array.from({ length }, (_, i) => toItem(i))

export const slowRules = {
  rules: [
    {
      kind: 'custom',
      pattern: 'a[^b]*b|a',
      replacement: '#',
      where: ['storage', 'logs'],
    },
    ...range(14, () => ({
      kind: 'custom',
      pattern: '(?:[a-z]{1,100}){10}[0-9]',
      replacement: '#',
      where: ['storage', 'logs'],
    })),
    ...['email', 'phone', 'card', 'iban'].map((kind) => ({
      kind,
      replacement: '#',
      where: ['storage', 'logs'],
    })),
  ],
}

/** A schema in which each level doubles the work. */
export function doublingSchema(levels: number) {
  const twice = (i: number) => [
    { $ref: `#/definitions/d${i}` },
    { $ref: `#/definitions/d${i}` },
  ]
  const definitions = Object.fromEntries(
    range(levels, (i) => [`d${i}`, { allOf: twice(i + 1) }]),
  )
  return { $ref: '#/definitions/d0', definitions: { ...definitions, [`d${levels}`]: {} } }
}

/** A document of flows with about this many characters, in which everything is checked. */
export function largeDocument(characters: number) {
  const code = 'const answer = {{ user.name }} + workflow.a; '
  const toCards = (i: number) => [
    { type: 'code', code: `${code.repeat(3)} // ${i}` },
    { type: 'transition', when: 'user.name !== null', to: `n${i}` },
  ]
  const nodes = Math.ceil(characters / 280)
  return {
    kind: 'bot',
    version: 2,
    flows: {
      main: {
        nodes: {
          start: { type: 'start', cards: toCards(0) },
          ...Object.fromEntries(
            range(nodes, (i) => [
              `n${i}`,
              { type: 'standard', cards: toCards((i * 7) % nodes) },
            ]),
          ),
        },
      },
    },
  }
}

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

const post = (
  name: string,
  path: string,
  as: HostileInput['as'],
  body: unknown,
): HostileInput => ({
  name,
  method: 'POST',
  path,
  as,
  body: json(body),
})

const put = (
  name: string,
  path: string,
  as: HostileInput['as'],
  body: unknown,
): HostileInput => ({
  ...post(name, path, as, body),
  method: 'PUT',
})

const get = (name: string, path: string, as: HostileInput['as']): HostileInput => ({
  name,
  method: 'GET',
  path,
  as,
})

const toObject = (count: number, property: object) => ({
  type: 'object',
  properties: Object.fromEntries(range(count, (i) => [`p${i}`, property])),
})

export const hostileInputs = (target: Target): HostileInput[] => [
  ...hostileMessages(target),
  ...hostileDocuments(target),
  ...hostileCalls(target),
]

function hostileMessages({ chat, conversationId }: Target): HostileInput[] {
  const say = (name: string, payload: object) =>
    post(name, `${chat}/messages`, 'visitor', { conversationId, payload })
  const text = (name: string, content: string) =>
    say(name, { type: 'text', text: content })
  return [
    text('a text that each rule reads to its end', 'a'.repeat(60_000)),
    text('a text of a megabyte', 'abc'.repeat(300_000)),
    text('a megabyte of digits', '4 1 '.repeat(220_000)),
    text('a megabyte of full-width digits', '４１\u200b'.repeat(100_000)),
    text('addresses', 'a@a.'.repeat(200_000)),
    text('JSON in a text', JSON.stringify(range(200_000, () => 1))),
    text('deep JSON in a text', nested(300_000)),
    say('many small values', {
      type: 'text',
      text: 'a',
      metadata: { all: range(150_000, () => 'x') },
    }),
  ]
}

function hostileDocuments({ botId }: Target): HostileInput[] {
  const document = largeDocument(3_600_000)
  const check = (name: string, checked: unknown) =>
    post(name, '/v1/platform/documents/check', 'owner', { document: checked })
  return [
    check('a large document', document),
    check('a document with code', {
      kind: 'bot',
      version: 2,
      code: 'x'.repeat(2_000_000),
    }),
    check('a long document without flows', {
      kind: 'bot',
      version: 2,
      states: range(150_000, (i) => ({ a: [i], b: 'x' })),
    }),
    post(
      'a large document to publish',
      `/v1/admin/bots/${botId}/publish-from-bot-json`,
      'owner',
      {
        botJson: document,
      },
    ),
    put('a large bundle', `/v1/admin/bots/${botId}`, 'owner', {
      code: 'x'.repeat(30_000_000),
    }),
    post('definitions of an integration', '/v1/admin/integrations', 'owner', {
      name: 'hostile',
      version: '1.0.0',
      url: 'http://127.0.0.1:9/',
      actions: Object.fromEntries(
        range(40, (i) => {
          const schema = toObject(1_000, { type: 'string', pattern: '^a+$' })
          return [`a${i}`, { input: { schema }, output: { schema: {} } }]
        }),
      ),
    }),
  ]
}

function hostileCalls({ botId, table }: Target): HostileInput[] {
  const find = (name: string, filter: object) =>
    post(name, `/v1/tables/${table}/rows/find`, 'bot', { filter })
  return [
    post('a state with a slow schema', `/v1/chat/states/bot/${botId}/slow`, 'bot', {
      payload: { a: 1 },
    }),
    find('a pattern', { text: { $regex: `^(${'a?'.repeat(200)}|(a|b|ab)*c){1,3}$` } }),
    find('many filters', {
      $or: range(90, (i) => ({ $and: [{ text: { $regex: `a{${i}}` } }, { text: 'x' }] })),
    }),
    post('many rows', `/v1/tables/${table}/rows`, 'bot', {
      rows: range(1_000, () => ({ text: 'a '.repeat(1_000) })),
    }),
    post('an event with many values', '/v1/chat/events', 'bot', {
      type: 'hostile',
      payload: { all: range(100_000, (i) => `${i}`) },
    }),
    post('a prompt', '/v2/cognitive/generate-text', 'bot', {
      messages: range(1_000, () => ({ role: 'user', content: 'a@b.c '.repeat(500) })),
    }),
    get(
      'a search',
      `/v1/platform/conversations?text=${encodeURIComponent('é'.repeat(400))}`,
      'bot',
    ),
    get('a long address', `/${'%41/'.repeat(3_000)}`, 'anonymous'),
    get('many parameters', `/healthz?${'a[b][c]=1&'.repeat(1_500)}`, 'anonymous'),
  ]
}
