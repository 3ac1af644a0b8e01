// Indexing and search of files with the official client.
import { Client } from '@botpress/client'
import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type ModelEndpoint,
  openModelEndpoint,
} from '../../../../test/support/model-endpoint.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { claimIndexing } from '../../../core/files/indexing-jobs.ts'
import { openEmbedder } from './embedder.ts'
import { failIndexing } from './jobs.ts'
import { searchPassages } from './results.ts'

let scene: Scene
let client: Client
beforeAll(async () => {
  scene = await openScene()
  client = await openClient(scene)
})
afterAll(() => scene?.close())

const openClient = async (one: Scene) =>
  new Client({
    apiUrl: await one.listen(),
    token: one.token,
    botId: one.botId,
    retry: { retries: 0 },
  })

/** Waits until no file is being indexed. */
async function indexed(...ids: string[]) {
  for (const id of ids)
    await vi.waitFor(
      async () =>
        expect((await client.getFile({ id })).file.status).toMatch(
          /indexing_(?:completed|failed)/,
        ),
      { timeout: 60_000, interval: 50 },
    )
}
async function upload(key: string, content: string | Buffer, more: object = {}) {
  const { file } = await client.uploadFile({ key, content, index: true, ...more })
  return file.id
}
const listPassages = async (id: string) =>
  (await client.listFilePassages({ id })).passages.map(({ content }) => content)
const found = async (query: string, more: object = {}) =>
  (await client.searchFiles({ query, contextDepth: 0, ...more })).passages.map(
    ({ content }) => content,
  )

const germanRule =
  'Die Mitarbeiter haben für die Büros eigene Schlüssel, und das wird auch so bleiben. ' +
  'Ärger gibt es nicht.'

describe('search', () => {
  beforeAll(async () => {
    const handbook = [
      '# Handbook',
      '## Holidays',
      'Everybody has thirty days of vacation in a year.',
      '### Carrying over',
      'Days that are left expire in March.',
      '## Authentication',
      'Employees sign in with a certificate. See createMessage for an example.',
      '## Travel',
      'The company pays for trains.',
    ]
    const ids = [
      await upload('en/handbook.md', handbook.join('\n\n'), {
        tags: { lang: 'en', kind: 'rules' },
      }),
      await upload('de/regeln.txt', germanRule, {
        tags: { lang: 'de', kind: 'rules' },
      }),
      await upload('ja.txt', '東京都の天気は晴れです。'),
      await upload('prices.csv', 'item,price\nHammer,12\nNails,3\n', {
        tags: { lang: 'en' },
      }),
      await upload('plain.bin', Buffer.from([1, 2, 3])),
    ]
    await indexed(...ids)
  }, 60_000)

  test.each([
    [
      'by other forms of its words',
      'how many holiday are in years',
      'Handbook\nHolidays\nEverybody has thirty days of vacation in a year.',
    ],
    [
      'by a word that is misspelt',
      'authentcation',
      'Authentication\nEmployees sign in with a certificate. See createMessage for an example.',
    ],
    [
      'by a short word with swapped letters',
      'sgin',
      'Authentication\nEmployees sign in with a certificate. See createMessage for an example.',
    ],
    [
      'by part of a name',
      'message',
      'Authentication\nEmployees sign in with a certificate. See createMessage for an example.',
    ],
    [
      'by the heading above it',
      'carry over',
      'Carrying over\nDays that are left expire in March.',
    ],
    ['without its accents', 'buro arger', germanRule],
    ['in another form, in German', 'Schlüsseln für einen Mitarbeiter', germanRule],
    ['where there are no spaces', '天気', '東京都の天気は晴れです。'],
    ['in the row of a table', 'hammer', 'item: Hammer | price: 12'],
    ['by what its file is called', 'regeln', germanRule],
  ])('finds a passage %s', async (_, query, content) =>
    expect((await found(query))[0]).toBe(content),
  )

  test.each([
    [
      'Hello, how many holidays are in a year, please?',
      'how many holidays are in a year?',
    ],
    ['Guten Tag, bitte Schlüssel', 'Tag Schlüssel'],
    ['hello', null],
  ])('ignores the courtesies of "%s"', async (polite, plain) => {
    const scores = async (query: string) =>
      (await client.searchFiles({ query })).passages.map(({ score }) => score)
    expect(await scores(polite)).toEqual(plain === null ? [] : await scores(plain))
  })

  test.each([
    ['zyxwvu'],
    ['the of'],
    [''],
    ["'; drop table passage; --"],
    [':* & | ! <->'],
    ['\\'],
    ['💥'],
  ])('returns no passages for "%s"', async (query) =>
    expect(await found(query)).toEqual([]),
  )

  test.each<[object, string[]]>([
    [{ lang: 'en' }, ['en/handbook.md', 'prices.csv']],
    [{ lang: ['de', 'en'], kind: 'rules' }, ['de/regeln.txt', 'en/handbook.md']],
    [{ lang: { not: 'en' } }, ['de/regeln.txt', 'ja.txt']],
    [{ lang: 'fr' }, []],
  ])('searches files tagged %j', async (tags, keys) => {
    const { passages } = await client.searchFiles({
      query: 'hammer Schlüssel vacation 天気',
      tags: tags as never,
    })
    expect([...new Set(passages.map(({ file }) => file.key))].sort()).toEqual(keys)
  })

  test('returns the surrounding passages on request', async () => {
    const { passages } = await client.searchFiles({
      query: 'expire march',
      includeBreadcrumb: true,
      withContext: true,
      limit: 1,
    })
    const around = [
      'Holidays\nEverybody has thirty days of vacation in a year.',
      'Carrying over\nDays that are left expire in March.',
      'Authentication\nEmployees sign in with a certificate. See createMessage for an example.',
    ]
    expect(passages).toEqual([
      {
        content: ['Handbook', ...around]
          .join('\n\n')
          .replace('Handbook\n\nHolidays', 'Handbook\nHolidays'),
        score: expect.any(Number),
        meta: { type: 'chunk', subtype: 'paragraph', position: 1 },
        file: expect.objectContaining({
          key: 'en/handbook.md',
          contentType: 'text/markdown',
          tags: { lang: 'en', kind: 'rules' },
          metadata: {},
        }),
        context: [
          { type: 'breadcrumb', text: 'Handbook' },
          { type: 'breadcrumb', text: 'Holidays' },
          {
            type: 'preceding',
            offset: -1,
            id: expect.any(String),
            text: `Handbook\n${around[0]}`,
          },
          { type: 'current', offset: 0, id: expect.any(String), text: around[1] },
          { type: 'subsequent', offset: 1, id: expect.any(String), text: around[2] },
        ],
      },
    ])
    expect(passages[0]!.score).toBeGreaterThan(0)
    expect(passages[0]!.score).toBeLessThanOrEqual(1)
  })

  test('returns one passage for each file on request', async () => {
    const { passages } = await client.searchFiles({
      query: 'trains thirty hammer',
      consolidate: true,
      contextDepth: 0,
    })
    const contents = passages.map(({ content, meta, file, context }) => [
      file.key,
      meta,
      content,
      context,
    ])
    expect(contents.find(([key]) => key === 'en/handbook.md')).toEqual([
      'en/handbook.md',
      { type: 'consolidated' },
      'Handbook\nHolidays\nEverybody has thirty days of vacation in a year.\n\n' +
        'Travel\nThe company pays for trains.',
      undefined,
    ])
    expect(contents).toHaveLength(2)
  })

  test.each([
    [`query=${'a'.repeat(1025)}`, 'InvalidQuery'],
    ['query=a&limit=51', 'InvalidQuery'],
    ['query=a&limit=0', 'InvalidQuery'],
    ['query=a&contextDepth=11', 'InvalidQuery'],
    ['query=a&tags=[', 'InvalidQuery'],
    ['limit=1', 'InvalidQuery'],
  ])('rejects %s', async (query, type) => {
    const answer = await scene.call('GET', `/v1/files/search?${query}`, {
      headers: scene.asBot,
    })
    expect([answer.status, answer.body.type]).toEqual([400, type])
  })

  test('an integration finds its own and shared files', async () => {
    const asChat = { ...scene.asBot, 'x-integration-alias': 'chat' }
    const search = async () =>
      (await scene.call('GET', '/v1/files/search?query=certificate', { headers: asChat }))
        .body.passages.length
    expect(await search()).toBe(0)
    await client.updateFileMetadata({
      id: 'en/handbook.md',
      accessPolicies: ['integrations'],
    })
    expect(await search()).toBe(1)
  })
})

describe('words of codes and of Korean', () => {
  const ids: string[] = []
  const codes = 'Error E-4021: use part 12.345.678 for it.'
  const korean = '서울에 매장이 있습니다.'

  beforeAll(async () => {
    ids.push(await upload('words/codes.md', codes), await upload('words/ko.md', korean))
    await indexed(...ids)
  })

  const questions: [string, string][] = [
    ['E4021', codes],
    ['e-4021', codes],
    ['12345678', codes],
    ['12 345 678', codes],
    ['서울', korean],
    ['매장에서', korean],
  ]

  test.each(questions)('finds %s', async (query, text) =>
    expect((await found(query))[0]).toBe(text),
  )

  test.each(['서울', '매장', '매장에서', '매장은 어디에 있어요?'])(
    'scores %s as an answer',
    async (query) => {
      const { passages } = await client.searchFiles({ query })
      expect(passages[0]).toMatchObject({ content: korean })
      expect(passages[0]!.score).toBeGreaterThan(0.35)
    },
  )

  test('come to passages of requests from before, in the background', {
    timeout: 60_000,
  }, async () => {
    const { db } = scene.app.services
    const { file } = await client.uploadFile({
      key: 'words/set.txt',
      content: 'x',
      index: false,
    })
    await client.setFilePassages({
      id: file.id,
      passages: [{ content: 'Part Z-7788 is broken.' }],
    })
    await sql`update passage set words = array_to_tsvector(array[${`$${scene.botId}`}])
      || to_tsvector('simple', 'earlier') where file_id = ${file.id}`.execute(db)
    await sql`update file_index set words_version = 1 where file_id = ${file.id}`.execute(
      db,
    )
    await vi.waitFor(
      async () => expect(await found('Z7788')).toEqual(['Part Z-7788 is broken.']),
      {
        timeout: 30_000,
      },
    )
    expect(await found('earlier')).toHaveLength(1)
  })

  test('come to stored files from before, which the server reads again', {
    timeout: 60_000,
  }, async () => {
    const { db } = scene.app.services
    const id = await upload('words/old.csv', 'Part,Price\nLamp,9 €\nSwitch,3 €\n')
    await indexed(id)
    await sql`delete from passage where file_id = ${id} and position > 0`.execute(db)
    await sql`update passage set content = 'Lamp' where file_id = ${id}`.execute(db)
    const { file } = await client.getFile({ id })
    await sql`update file_index set words_version = 2 where file_id = ${id}`.execute(db)
    await vi.waitFor(
      async () =>
        expect(await listPassages(id)).toEqual([
          'Part: Lamp | Price: 9 €',
          'Part: Switch | Price: 3 €',
        ]),
      { timeout: 30_000 },
    )
    const { status, updatedAt } = file
    expect((await client.getFile({ id })).file).toMatchObject({ status, updatedAt })
  })

  test('leave ids and vectors of passages whose text is the same', {
    timeout: 60_000,
  }, async () => {
    const { db } = scene.app.services
    const id = await upload('words/kept.csv', 'Part,Price\nLamp,9 €\nSwitch,3 €\n')
    await indexed(id)
    await sql`insert into passage_vector (bot_id, file_id, position, model, signs, vector)
      select bot_id, file_id, position, 'm', '10', decode('0000803f000000c0', 'hex') from passage
      where file_id = ${id}`.execute(db)
    const stored = async () =>
      (
        await sql<{ id: string; content: string; signs: string; vector: Buffer }>`
          select p.id, p.content, v.signs::text, v.vector from passage p
          left join passage_vector v using (bot_id, file_id, position)
          where p.file_id = ${id} order by p.position`.execute(db)
      ).rows
    const [lamp, knob] = await stored()
    await upload(
      'words/kept.csv',
      'Part,Price\nFuse,1 €\nSwitch,3 €\nLamp,9 €\nLamp,9 €\n',
    )
    await vi.waitFor(async () => expect(await stored()).toHaveLength(4), {
      timeout: 30_000,
    })
    const [fuse, second, third, fourth] = await stored()
    expect([second, third]).toEqual([knob, lamp])
    expect(lamp!.vector).toEqual(Buffer.from(Float32Array.of(1, -2).buffer))
    expect([fuse!.vector, fourth!.vector]).toEqual([null, null])
  })

  test('stay as they were for a stored file that cannot be read any more', {
    timeout: 60_000,
  }, async () => {
    const { db } = scene.app.services
    const id = await upload('words/gone.csv', 'Part,Price\nLamp,9 €\n')
    await indexed(id)
    const { file } = await client.getFile({ id })
    await sql`update file set content_type = 'image/png' where id = ${id}`.execute(db)
    await sql`update file_index set words_version = 2 where file_id = ${id}`.execute(db)
    const version = async () =>
      (
        await sql<{ words_version: number }>`select words_version from file_index
        where file_id = ${id}`.execute(db)
      ).rows[0]?.words_version
    await vi.waitFor(async () => expect(await version()).toBeGreaterThan(2), {
      timeout: 30_000,
    })
    expect(await listPassages(id)).toEqual(['Part: Lamp | Price: 9 €'])
    const { status, updatedAt } = file
    expect((await client.getFile({ id })).file).toMatchObject({ status, updatedAt })
  })
})

describe('indexing', () => {
  test.each<[string, string, string | undefined, RegExp]>([
    ['picture.png', 'x', 'image/png', /^Files of the type image\/png are not indexed/],
    ['broken.pdf', 'no PDF', 'application/pdf', /^The PDF is damaged/],
    ['broken.docx', 'no zip', undefined, /^The document is damaged/],
    [
      'letter.doc',
      'x',
      undefined,
      /^Files of the type application\/msword are not .*PDF, Word/,
    ],
    ['song.ogg', 'x', 'application/octet-stream', /type audio\/ogg/],
    ['terms.odt', 'PK', undefined, /^The document is damaged/],
    ['book.epub', 'PK', 'application/octet-stream', /^The document is damaged/],
    ['noname', '%PDF-1.7', undefined, /type application\/pdf/],
    ['odd.xyz', 'text', undefined, /type "\.xyz"/],
    [
      'rich.docx',
      '{\\rtf1',
      undefined,
      /^The content of the file has the type application\/rtf/,
    ],
    ['empty.md', '<!-- nothing -->', undefined, /^The file has no text/],
  ])('of %s fails with a reason', async (key, content, contentType, reason) => {
    const id = await upload(
      key,
      content,
      contentType === undefined ? {} : { contentType },
    )
    await indexed(id)
    const { file } = await client.getFile({ id })
    expect([file.status, file.failedStatusReason]).toEqual([
      'indexing_failed',
      expect.stringMatching(reason),
    ])
  })

  test('repeats for changed content or options, and is complete at once for unchanged ones', {
    timeout: 60_000,
  }, async () => {
    const id = await upload('again.txt', 'first words')
    await indexed(id)
    const [passage] = (await client.listFilePassages({ id })).passages
    await upload('again.txt', 'first words')
    expect((await client.getFile({ id })).file.status).toBe('indexing_completed')
    expect((await client.listFilePassages({ id })).passages[0]!.id).toBe(passage!.id)

    await upload('again.txt', 'second words')
    await indexed(id)
    expect(await found('first')).toEqual([])
    expect(await found('second')).toEqual(['second words'])

    const indexing = {
      configuration: {
        chunking: { maximumChunkLength: 100 },
        parsing: { minimumParagraphLength: 50 },
      },
    }
    await upload('again.txt', 'Third sentence is about this long. '.repeat(9), {
      indexing,
    })
    await indexed(id)
    expect((await listPassages(id)).every((content) => content.length <= 100)).toBe(true)

    await client.uploadFile({ key: 'again.txt', content: 'fourth', index: false })
    expect(await found('third')).toEqual([])
    expect(await listPassages(id)).toEqual([])
  })

  test('uses passages from the caller until the content changes', async () => {
    const { file } = await client.uploadFile({
      key: 'given.txt',
      content: 'the words of the file',
    })
    await client.setFilePassages({
      id: file.id,
      passages: [
        { content: 'Chapter', type: 'title' },
        { content: 'marzipan', type: 'list', pageNumber: 7 },
      ],
    })
    const { passages } = await client.searchFiles({
      query: 'marzipan',
      includeBreadcrumb: true,
      contextDepth: 0,
    })
    expect(passages.map(({ content, meta }) => [content, meta])).toEqual([
      [
        'Chapter\n\nmarzipan',
        { type: 'chunk', subtype: 'list', pageNumber: 7, position: 1 },
      ],
    ])
    await client.setFilePassages({
      id: file.id,
      passages: Array.from({ length: 45 }, (_, n) => ({ content: `part ${n}` })),
    })
    expect(
      (await client.list.filePassages({ id: file.id }).collect()).map(
        ({ content }) => content,
      ),
    ).toEqual(Array.from({ length: 45 }, (_, n) => `part ${n}`))
    await client.uploadFile({ key: 'given.txt', content: 'new content' })
    expect(await listPassages(file.id)).toEqual([])
  })

  test('has one worker for a file and takes over jobs of dead workers', async () => {
    const { db } = scene.app.services
    await db.transaction().execute(async (trx) => {
      // The transaction hides these rows from the server's indexer.
      await sql`insert into file (bot_id, id, key, content_type, size, status, owner, index, blob, checksum)
        select ${scene.botId}, 'file_' || n, 'file_' || n, 'text/plain', 1, 'upload_completed', '{}', true,
          'b' || n, 'c' || n
        from generate_series(1, 2) n`.execute(trx)
      await sql`
        insert into worker (id, host, pid, alive_until)
        select id, 'h', 1, now() + interval '1 hour' from unnest('{alive,second}'::text[]) id`.execute(
        trx,
      )
      const one = (await claimIndexing(trx, 'alive', '', []))!
      const other = (await claimIndexing(trx, 'second', '', []))!
      expect([one.fileId, other.fileId].sort()).toEqual(['file_1', 'file_2'])
      expect([
        one.attempts,
        await claimIndexing(trx, 'third', '', []),
        await claimIndexing(trx, 'alive', '', [scene.botId]),
      ]).toEqual([1, null, null])
      // A worker may claim its own job again if it is not running it.
      expect(await claimIndexing(trx, 'alive', '', [])).toMatchObject({
        fileId: one.fileId,
        attempts: 2,
      })
      await sql`delete from worker where id in ('alive', 'second')`.execute(trx)
      const again = (await claimIndexing(trx, 'heir', '', []))!
      expect(again).toMatchObject({
        workerId: 'heir',
        attempts: again.fileId === one.fileId ? 3 : 2,
      })
      const replaced = again.fileId === one.fileId ? one : other
      // A worker that has lost the job changes nothing.
      await failIndexing(trx, replaced, 'has no effect')
      const status = await sql<{
        status: string
      }>`select status from file where id = ${replaced.fileId}`.execute(trx)
      expect(status.rows).toEqual([{ status: 'indexing_pending' }])
      await sql`delete from file where id like 'file\\__'`.execute(trx)
    })
  })

  test('is removed with the file or the knowledge base', async () => {
    const { knowledgeBase } = await client.createKnowledgeBase({ name: 'Recipes' })
    const tags = { source: 'knowledge-base', kbId: knowledgeBase.id }
    const ids = [
      await upload('cake.md', '# Cake\n\ncinnamon', { tags }),
      await upload('soup.md', '# Soup\n\nparsley', { tags }),
      await upload('other.md', 'saffron'),
    ]
    await indexed(...ids)
    expect(await found('cinnamon parsley saffron', { tags })).toHaveLength(2)
    await client.deleteFile({ id: ids[0]! })
    expect(await found('cinnamon')).toEqual([])
    await client.deleteKnowledgeBase({ id: knowledgeBase.id })
    const gone = ids.slice(0, 2)
    const remaining = await sql<{ rows: string }>`
      select (select count(*) from passage where file_id = any(${gone}))
        + (select count(*) from file_word where file_id = any(${gone})) as rows`.execute(
      scene.app.services.db,
    )
    expect(remaining.rows).toEqual([{ rows: '0' }])
    expect(await found('saffron parsley')).toEqual(['saffron'])
    await expect(
      client.updateKnowledgeBase({ id: knowledgeBase.id, name: 'x' }),
    ).rejects.toMatchObject({
      code: 404,
    })
  })
})

describe('answers', () => {
  const answers = async (query: string, more: Record<string, string> = {}) => {
    const parameters = new URLSearchParams({ query, ...more })
    return (
      await scene.call('GET', `/v1/platform/files/answers?${parameters}`, {
        headers: scene.asBot,
      })
    ).body
  }
  const tags = { kind: 'answers' }

  beforeAll(async () => {
    const cans = [
      'Our watering cans are made of zinc.',
      'They come from a small workshop high in the mountains, where old smiths bend them by hand.',
      'Then they are painted green.',
      'A can of five litres costs 34 euros.',
      'We also repair leaking cans.',
    ]
    const plants = '| Plant | Light |\n|---|---|\n| Fern | shade |\n| Lavender | sun |'
    const care = 'To clean zinc, you need:\n\n- vinegar\n- a soft cloth\n- patience\n'
    const page = [
      '# Gardenia',
      '## Watering cans',
      cans.join(' '),
      plants,
      '## Zinc care',
      care,
    ]
    await indexed(
      await upload('gardenia.md', page.join('\n\n'), {
        tags: { ...tags, title: 'Gardenia' },
      }),
    )
  })

  test.each([
    [
      'How much is a watering can of zinc?',
      'Our watering cans are made of zinc. A can of five litres costs 34 euros.',
    ],
    ['light for lavender', 'Plant: Lavender | Light: sun'],
    [
      'How do I clean zinc?',
      'To clean zinc, you need:\n- vinegar\n- a soft cloth\n- patience',
    ],
  ])('to "%s" are the part that answers', async (question, text) => {
    const { answers: found, language } = await answers(question, {
      'tags.kind': 'answers',
    })
    expect(found.map(({ text }: { text: string }) => text)).toEqual([text])
    expect(found[0]).toMatchObject({ fileKey: 'gardenia.md', title: 'Gardenia' })
    expect(found[0].score).toBeGreaterThan(0.35)
    expect(language).toBe('english')
  })

  test('are none to other questions, below a minimum, and of other tags', async () => {
    const none = { answers: [] }
    expect(await answers('Do you ship watering cans to Iceland?')).toMatchObject(none)
    expect(await answers('Who wrote the symphony?')).toMatchObject({
      ...none,
      bestScore: 0,
    })
    expect(await answers('light for lavender', { minScore: '1' })).toMatchObject(none)
    expect(await answers('light for lavender', { 'tags.kind': 'other' })).toMatchObject(
      none,
    )
    expect(await answers('?')).toMatchObject(none)
  })

  test('to a heading are its section as a whole', async () => {
    const { answers: found, suggestions } = await answers('watering cans?')
    expect(found).toMatchObject([
      { section: ['Gardenia', 'Watering cans'], title: 'Gardenia' },
    ])
    expect(found[0].text).toMatch(/^Our watering cans .*\nPlant: Lavender | Light: sun$/s)
    expect(suggestions).toEqual([])
    expect((await answers('Gardenia: Zinc care')).answers).toMatchObject([
      { text: 'To clean zinc, you need:\n- vinegar\n- a soft cloth\n- patience' },
    ])
  })

  test('suggest sections if none is likely enough', async () => {
    const found = await answers('Who paints the doors, windows and roofs of workshops?')
    expect(found.answers).toEqual([])
    expect(found.suggestions[0]).toMatchObject({ section: ['Gardenia', 'Watering cans'] })
    expect(found.suggestions[0].score).toBeLessThan(0.35)
    expect(await answers('Who wrote the symphony?')).toMatchObject({ suggestions: [] })
  })

  test('to a question with a code need this code', async () => {
    const meaning =
      '| Code | What the error means |\n|---|---|\n| TF-101 | The pump is dry |'
    await indexed(await upload('errors.md', `# Errors\n\n${meaning}`, { tags }))
    expect(await answers('What does the error TF-101 mean?')).toMatchObject({
      answers: [{ text: 'Code: TF-101 | What the error means: The pump is dry' }],
    })
    expect(await answers('What does the error TF-555 mean?')).toMatchObject({
      answers: [],
    })
    expect(await answers('error tf555 pump dry?')).toMatchObject({ answers: [] })
  })

  test('are for the own bot, and reject wrong parameters', async () => {
    for (const query of ['minScore=2', `query=${'x'.repeat(1_001)}`, 'query=x&tags=[1]'])
      expect(
        (
          await scene.call('GET', `/v1/platform/files/answers?query=x&${query}`, {
            headers: scene.asBot,
          })
        ).status,
      ).toBe(400)
    const stranger = { ...scene.asBot, 'x-bot-id': 'bot_other' }
    const { status } = await scene.call(
      'GET',
      '/v1/platform/files/answers?query=lavender',
      {
        headers: stranger,
      },
    )
    expect([401, 403, 404]).toContain(status)
  })
})

describe('knowledge bases', () => {
  test('are listed newest first, in pages, by tags', async () => {
    for (let n = 0; n < 23; n++)
      await client.createKnowledgeBase({
        name: `Base ${n}`,
        tags: { parity: String(n % 2) },
      })
    const all = await client.list.knowledgeBases({}).collect()
    expect(all.map(({ name }) => name)).toEqual(
      Array.from({ length: 23 }, (_, n) => `Base ${22 - n}`),
    )
    expect(
      await client.list.knowledgeBases({ tags: { parity: ['1'] } as never }).collect(),
    ).toHaveLength(11)
  })

  test('leave out passages below their minimum score', async () => {
    const { knowledgeBase } = await client.createKnowledgeBase({ name: 'strict' })
    const tags = { source: 'knowledge-base', kbId: knowledgeBase.id }
    await indexed(
      await upload('strict.txt', 'The quokka sleeps by day and eats leaves.', { tags }),
      await upload('loose.txt', 'A wombat and a quokka dig.', {
        tags: { kind: 'loose' },
      }),
    )
    const question = 'quokka sleeping, eating leaves, wombat'
    const setMinimum = (minScore: string | null) =>
      client.updateKnowledgeBase({
        id: knowledgeBase.id,
        name: 'strict',
        tags: { minScore },
      })
    expect((await found(question))[0]).toContain('sleeps')
    await setMinimum('0.9')
    expect(await found(question, { limit: 1 })).toEqual(['A wombat and a quokka dig.'])
    expect(await found(question, { tags })).toEqual([])
    const parameters = new URLSearchParams({
      query: question,
      knowledgeBaseId: knowledgeBase.id,
    })
    const explained = await scene.call('GET', `/v1/platform/files/search?${parameters}`, {
      headers: scene.asBot,
    })
    expect(explained.body.passages).toMatchObject([{ minScore: 0.9 }])
    for (const wrong of ['high', '1.5', '-1', '1e-3'])
      await expect(setMinimum(wrong)).rejects.toMatchObject({ code: 400 })
    await setMinimum(null)
    expect(await found(question, { tags })).toHaveLength(1)
  })

  test('merge tags on update', async () => {
    const { knowledgeBase } = await client.createKnowledgeBase({
      name: 'a',
      tags: { x: '1', y: '2' },
    })
    const updated = await client.updateKnowledgeBase({
      id: knowledgeBase.id,
      name: 'b',
      tags: { x: null, z: '3' },
    })
    expect(updated.knowledgeBase).toEqual({
      id: knowledgeBase.id,
      name: 'b',
      tags: { y: '2', z: '3' },
    })
  })

  test.each([
    ['POST', '/v1/files/knowledge-bases', { name: 'a' }],
    ['PUT', '/v1/files/knowledge-bases/x', { name: 'a' }],
    ['DELETE', '/v1/files/knowledge-bases/x', undefined],
    ['PUT', '/v1/files/x/passages', { passages: [] }],
  ] as const)('%s %s is not for who may only read', async (method, url, body) => {
    const { status } = await scene.call(method, url, {
      headers: { ...scene.asBot, 'x-user-role': 'viewer' },
      body,
    })
    expect(status).toBe(url.includes('passages') ? 404 : 403)
  })
})

test('counts the indexed content', async () => {
  const usage = async (type: string) =>
    (
      await scene.call('GET', `/v1/admin/usages/${scene.botId}?type=${type}`, {
        headers: scene.admin,
      })
    ).body.usage.value
  const before = await usage('knowledgebase_vector_storage')
  const id = await upload('counted.txt', 'These words take some room.')
  await indexed(id)
  const grown = await usage('knowledgebase_vector_storage')
  expect(grown).toBeGreaterThan(before)
  await client.deleteFile({ id })
  expect(await usage('knowledgebase_vector_storage')).toBe(before)
})

describe('with an embedding model', () => {
  let source: ModelEndpoint
  let other: Scene
  let isAway = false
  let requested: string[] = []
  /** Words by topic, so that texts about the same topic get similar vectors. */
  const topics = [
    /car|automobile|vehicle|engine/i,
    /cake|bake|sugar/i,
    /tax|invoice|money/i,
  ]

  beforeAll(async () => {
    source = await openModelEndpoint(({ input }: { input: string[] }) => {
      if (isAway) return { status: 503, body: 'away' }
      if (input.some((text) => text.length > 600 || /unspeakable/.test(text)))
        return { status: 413, body: 'too long' }
      requested.push(...input)
      const data = input.map((text, index) => ({
        index,
        embedding: [...topics.map((topic) => (topic.test(text) ? 1 : -0.1)), 0.01],
      }))
      return { body: { data: data.reverse() } }
    })
    other = await openScene({
      config: { embeddings: { url: source.url, key: 'k', model: 'topics' } },
    })
    client = await openClient(other)
  })
  afterAll(async () => {
    await other?.close()
    await source?.close()
  })

  const wait = { timeout: 30_000, interval: 50 }
  const countRows = async (query: RawBuilder<{ n: number }>) =>
    (await query.execute(other.app.services.db)).rows[0]!.n
  const embedded = () =>
    vi.waitFor(async () => {
      const waiting = sql<{ n: number }>`
        select count(*)::int as n from file_index where embed_at is not null`
      expect(await countRows(waiting)).toBe(0)
    }, wait)
  let ids: string[]

  // Each test continues with the files of the one before.
  test('finds texts of similar meaning', { timeout: 60_000 }, async () => {
    ids = [
      await upload('garage.md', '# Repairs\n\nAn automobile needs oil.'),
      await upload('kitchen.md', '# Oven\n\nWe bake with sugar.'),
      await upload('office.md', '# Desk\n\nThe invoice is due.'),
    ]
    await indexed(...ids)
    await embedded()
    expect(source.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      key: 'Bearer k',
      body: { model: 'topics' },
    })
    expect(requested).toContain('garage\nRepairs\nAn automobile needs oil.')
    expect((await found('vehicle'))[0]).toBe('Repairs\nAn automobile needs oil.')
    expect((await found('money for a desk'))[0]).toBe('Desk\nThe invoice is due.')
    expect((await found('vehicle', { tags: {}, limit: 1 })).length).toBe(1)
  })

  test('a text that the model rejects affects no other text, and is no outage', {
    timeout: 60_000,
  }, async () => {
    const { db } = other.app.services
    await client.setFilePassages({
      id: ids[2]!,
      passages: [
        'The invoice is due.',
        `A vehicle. ${'x'.repeat(700)}`,
        'unspeakable',
      ].map((content) => ({
        content,
      })),
    })
    await embedded()
    const { rows: lengths } = await sql<{ n: number }>`
      select length(signs) as n from passage_vector where file_id = ${ids[2]!} order by position`.execute(
      db,
    )
    expect(lengths.map(({ n }) => n)).toEqual([4, 4, 0])
    expect(await found(`vehicle ${'?'.repeat(1_000)}`)).toContain(
      'Repairs\nAn automobile needs oil.',
    )
  })

  test('vectors of a model with other dimensions replace the old ones', {
    timeout: 60_000,
  }, async () => {
    const { db } = other.app.services
    let isBroken = false
    const embed = async (texts: string[]) => {
      if (isBroken) throw new Error('away')
      return texts.map((text) => Float32Array.of(/sugar|sweet/.test(text) ? 1 : 0, 0))
    }
    const embeddings = { model: 'sugar', embed, close: async () => {} }
    const sweet = openEmbedder({
      db,
      embeddings,
      log: pino({ level: 'silent' }),
      pauseMs: 50,
    })
    const models = async () =>
      (
        await sql<{
          model: string
        }>`select distinct model from file_index where bot_id = ${other.botId}`.execute(
          db,
        )
      ).rows
    await vi.waitFor(
      async () => expect(await models()).toEqual([{ model: 'sugar' }]),
      wait,
    )
    expect(
      (
        await searchPassages(
          db,
          other.botId,
          { query: 'sweet', contextDepth: 0 },
          { embedder: sweet },
        )
      )[0]!.content,
    ).toBe('Oven\nWe bake with sugar.')
    // After a failure, queries do not wait for the model until a background request succeeds.
    isBroken = true
    expect(await sweet.embedQuery('sour', other.botId)).toBeNull()
    isBroken = false
    expect(await sweet.embedQuery('sour', other.botId)).toBeNull()
    await vi.waitFor(
      async () =>
        expect(await sweet.embedQuery('sour', other.botId)).toMatchObject({
          model: 'sugar',
        }),
      wait,
    )
    await sweet.close()
    // Queries with the old model match words only.
    expect(await found('vehicle')).toEqual([expect.stringMatching(/^A vehicle/)])
  })

  test('finds equal words while the model is unavailable', {
    timeout: 60_000,
  }, async () => {
    requested = []
    isAway = true
    expect(await found('oven')).toEqual(['Oven\nWe bake with sugar.'])
    const late = await upload('late.md', 'A car is here.')
    await indexed(late)
    expect(await found('car')).toEqual(['A car is here.'])
    expect(requested).toEqual([])
    await client.deleteFile({ id: ids[0]! })
    const vectors = sql<{ n: number }>`select count(*)::int as n from passage_vector`
    expect(await countRows(vectors)).toBe(4)
  })
})
