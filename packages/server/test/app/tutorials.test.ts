// Follows each tutorial literally: saves its files, runs its commands, and compares their outputs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillBot, openClient } from '../support/cloud-migration.ts'
import { isOutput, pagesIn, readBlocks } from '../support/documents.ts'
import {
  checkBlocks,
  followPage,
  isOutputBlock,
  noTerminal,
  toStep,
} from '../support/followed-page.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

const tutorials = pagesIn('docs/tutorials')

test('rejects pages with blocks that are no files, commands or outputs', () => {
  const block = (language: string, file?: string) => ({
    place: 'page.md:1',
    language,
    text: 'x',
    ...(file && { file }),
  })
  for (const [reason, ...blocks] of [
    ['"Save this as" is missing', block('json')],
    ['"Save this as" is missing', block('sh'), block('ts')],
    ['no commands precede', block('text')],
    ['no commands precede', block('sh'), block('text'), block('text')],
    ['no commands precede', block('sh', 'run.sh'), block('text')],
  ] as const)
    expect(() => checkBlocks([...blocks])).toThrow(`page.md:1: ${reason}`)
})

describe('each tutorial', () => {
  let server: RunningServer
  /** Plays the cloud. */
  let cloud: RunningServer
  beforeAll(async () => {
    if (noTerminal) return
    ;[server, cloud] = await Promise.all([runServer(), runServer()])
    const { credentials } = cloud
    const params = { id: credentials.botId }
    await openClient(credentials).admin.updateBot({
      params,
      body: { name: 'support' } as never,
    })
    await fillBot(credentials, { conversations: 2, messages: 20, rows: 3 })
  }, 90_000)
  afterAll(() => Promise.all([server?.remove(), cloud?.remove()]), 60_000)

  test.for(tutorials)(
    '%s works as it says',
    { timeout: 240_000 },
    async (path, { skip }) => {
      skip(noTerminal !== '', noTerminal)
      const blocks = readBlocks(path)
      checkBlocks(blocks)
      const steps = blocks.flatMap((block) => toStep(block) ?? [])
      const { outputs, failure } = await followPage(steps, {
        dataFolder: server.dataFolder,
        values: {
          'http://127.0.0.1:4000': server.credentials.url,
          'https://api.botpress.cloud': cloud.credentials.url,
          bp_pat_of_the_cloud: cloud.credentials.token,
        },
      })
      expect(failure).toBeUndefined()
      for (const [i, block] of blocks.entries()) {
        const { text, place } = block
        if (!isOutputBlock(block, blocks[i - 1])) continue
        const output = outputs.get(blocks[i - 1]!)!
        if (!isOutput(output, text)) expect(output, place).toBe(text.trim())
      }
    },
  )
})
