// BOTSTEAD_MODELS as the documentation shows it, read by the built server.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runServer } from '../../../test/support/running-server.ts'

test.each([
  ['models.md', ['openai:gpt-4.1', 'anthropic:claude-sonnet-4-5', 'ollama:llama3.2']],
  ['moving-from-the-cloud.md', ['ollama:gpt-oss:20b', 'cerebras:gpt-oss-120b']],
])('the file of %s is valid', { timeout: 60_000 }, async (name, expected) => {
  const page = await readFile(
    new URL(`../../../../../docs/${name}`, import.meta.url),
    'utf8',
  )
  const [, yaml] = /```yaml\n(.*?)```/s.exec(page)!
  const folder = await mkdtemp(join(tmpdir(), 'botstead-models-file-'))
  const file = join(folder, 'models.yaml')
  await writeFile(file, yaml!)
  const keys = { OPENAI_API_KEY: 'one', ANTHROPIC_API_KEY: 'two' }
  const server = await runServer({ BOTSTEAD_MODELS: file, ...keys })
  try {
    const { url, token, botId } = server.credentials
    const response = await fetch(`${url}/v2/cognitive/models`, {
      headers: { authorization: `Bearer ${token}`, 'x-bot-id': botId },
    })
    const { models } = (await response.json()) as {
      models: { id: string; aliases?: string[] }[]
    }
    const names = models.flatMap(({ id, aliases = [] }) => [id, ...aliases])
    expect(names).toEqual(expect.arrayContaining(expected))
  } finally {
    await server.remove()
    await rm(folder, { recursive: true })
  }
})
