// Attacks of several requests that would each stop a server which computes on their content in its main
// thread, or occupy what others need. Contents are built before the measurement.
import { get, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { compileDocument, type FlowDocument } from '@botstead/flows'
import { strToU8, zipSync } from 'fflate'

type Headers = Record<string, string>
interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields
  body: any
}

export interface HostileAction {
  name: string
  run(): Promise<Reply>
}

interface Scene {
  url: string
  call(method: string, path: string, headers: Headers, body?: unknown): Promise<Reply>
  /** Headers of the hostile tenant's callers. */
  bot: Headers
  visitor: Headers
  /** Path of the conversation in which the visitor writes large messages. */
  conversation: string
}

export const hostileActions = (scene: Scene): HostileAction[] => [
  ...hostileImports(scene),
  ...hostileKnowledge(scene),
  ...hostileCode(scene),
  { name: 'wrong passwords', run: () => guessPasswords(scene) },
  { name: 'idle uploads', run: () => holdUploads(scene) },
  { name: 'slow listeners', run: () => holdListeners(scene) },
]

const holdMs = 3_000

const cells = (count: number) => '<c><v>1</v></c>'.repeat(count)
const workbook = (rows: string) =>
  zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ),
  })

function hostileImports(scene: Scene): HostileAction[] {
  const preview = (name: string, key: string, content: Uint8Array): HostileAction => ({
    name,
    async run() {
      const fileId = await upload(scene, key, content)
      return scene.call('POST', '/v1/platform/table-imports/preview', scene.bot, {
        fileId,
      })
    },
  })
  const fields = Array.from({ length: 1_000 }, (_, i) => `"f ${i}"`).join(',')
  return [
    preview(
      'a long workbook',
      'long.xlsx',
      workbook(`<row>${cells(1)}</row>`.repeat(1_000_000)),
    ),
    preview(
      'a wide workbook',
      'wide.xlsx',
      workbook(`<row>${cells(16_000)}</row>`.repeat(100)),
    ),
    preview('a wide CSV file', 'wide.csv', Buffer.from(`${fields}\n`.repeat(1_000))),
    preview(
      'a CSV file of one field',
      'field.csv',
      Buffer.from(`a\n"${'x'.repeat(8_000_000)}`),
    ),
  ]
}

function hostileKnowledge(scene: Scene): HostileAction[] {
  const index = (name: string, key: string, content: string): HostileAction => ({
    name,
    run: async () => ({
      status: 200,
      body: await upload(scene, key, Buffer.from(content), { index: true }),
    }),
  })
  const drawing = `BT /F1 1 Tf ${'(a) Tj '.repeat(300_000)}ET`
  return [
    index(
      'an HTML page to index',
      'page.html',
      '<div><b>a</b><table><tr><td>b'.repeat(100_000),
    ),
    index('a Markdown text to index', 'page.md', '[a](b "**c** `'.repeat(200_000)),
    index(
      'a PDF file to index',
      'page.pdf',
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n' +
        '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n' +
        `4 0 obj<</Length ${drawing.length}>>stream\n${drawing}\nendstream endobj\n` +
        'trailer<</Root 1 0 R>>',
    ),
  ]
}

/** A valid document of flows with this many nodes, of about 100 characters each. */
const toDocument = (nodes: number): FlowDocument => ({
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      nodes: {
        start: { type: 'start' },
        ...Object.fromEntries(
          Array.from({ length: nodes }, (_, i) => [
            `n${i}`,
            {
              type: 'standard',
              cards: [{ type: 'transition', when: 'true', to: `n${i}` }],
            },
          ]),
        ),
      },
    },
  },
})

const [firstLine] = compileDocument(toDocument(0)).split('\n')

function hostileCode(scene: Scene): HostileAction[] {
  const deploy = (name: string, document: unknown): HostileAction => {
    const program = JSON.stringify({ document, scripts: { a: 'x'.repeat(20_000_000) } })
    const line = `const program = JSON.parse(${JSON.stringify(program)});`
    const code = `${firstLine}\n${line}\nexports.handler = () => {}\n`
    const body = Buffer.from(JSON.stringify({ code }))
    return { name, run: () => readDeployed(scene, body) }
  }
  return [
    deploy('code with a large document', toDocument(45_000)),
    deploy(
      'code with many values',
      Array.from({ length: 3_000_000 }, () => []),
    ),
  ]
}

/** Deploys code, and reads the bot's document, its version, and the uses of an integration. */
async function readDeployed({ call, bot }: Scene, body: Buffer): Promise<Reply> {
  const created = await call('POST', '/v1/admin/bots', bot, { name: 'hostile code' })
  const { id } = created.body.bot
  const path = `/v1/admin/bots/${id}`
  const get = (path: string) => call('GET', path, bot)
  const deployed = await call('PUT', path, bot, body)
  const { versions } = (await get(`${path}/versions`)).body
  const { url } = (await get(`${path}/versions/${versions[0].id}`)).body
  const replies = [
    deployed,
    await get(`${path}/bot-json`),
    await get(url.slice(new URL(url).origin.length)),
    await get(`/v1/platform/bots/${id}/integrations/chat/uses`),
  ]
  await call('DELETE', path, bot)
  return replies.find(({ status }) => status >= 400) ?? deployed
}

/** Returns the id of the file. */
async function upload(
  { call, bot }: Scene,
  key: string,
  content: Uint8Array,
  more: object = {},
) {
  const file = { key, size: content.length, ...more }
  const { status, body } = await call('PUT', '/v1/files', bot, file)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const sent = await fetch(body.file.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': body.file.contentType },
    body: new Uint8Array(content),
  })
  if (!sent.ok) throw new Error(await sent.text())
  return body.file.id as string
}

async function guessPasswords({ call }: Scene): Promise<Reply> {
  const headers = { 'x-botstead-session': '1' }
  const guess = (email: string) =>
    call('POST', '/v1/platform/sign-in/password', headers, { email, password: 'wrong' })
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => guess(`a${i}@b.test`)),
  )
  const isAnswer = ({ status }: Reply) => status === 401 || status === 429
  const unexpected = replies.find((reply) => !isAnswer(reply) && reply.status !== 503)
  if (unexpected)
    throw new Error(`not an answer to a guess: ${JSON.stringify(unexpected)}`)
  return replies.find(({ status }) => status === 401) ?? replies[0]!
}

/** Sends the first 5 MB of larger bodies. */
async function holdUploads({ url, bot }: Scene): Promise<Reply> {
  const path = '/v1/tables/HostileTable/rows'
  const headers = {
    ...bot,
    'content-type': 'application/json',
    'content-length': 9_000_000,
  }
  const begun = Buffer.alloc(5_000_000, ' ')
  const uploads = Array.from({ length: 4 }, () =>
    request(url + path, { method: 'POST', headers }),
  )
  for (const one of uploads) one.on('error', () => {}).write(begun)
  await pause(holdMs)
  for (const one of uploads) one.destroy()
  return { status: 200, body: null }
}

/** Listens without reading. */
async function holdListeners({ url, visitor, conversation }: Scene): Promise<Reply> {
  const listeners = Array.from({ length: 40 }, () =>
    get(`${url}${conversation}/listen`, { headers: visitor, agent: false }, (response) =>
      response.on('error', () => {}).pause(),
    ).on('error', () => {}),
  )
  await pause(holdMs)
  for (const one of listeners) one.destroy()
  return { status: 200, body: null }
}
