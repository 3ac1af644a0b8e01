// `botstead import-bot`: files, reports and errors.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readDocument } from '../documents/bot-document.ts'
import { convertFile } from './import-bot.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-import-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.restoreAllMocks())

const dify = `kind: app
app: { name: Helper, mode: agent-chat }
model_config:
  pre_prompt: You help.
  agent_mode: { enabled: true, tools: [{ tool_name: search, enabled: true }] }
`

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function run(path: string, options: Partial<Parameters<typeof convertFile>[1]>) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await convertFile(path, { out: folder, ...options })
  return log.mock.calls.map(([line]) => String(line)).join('\n')
}

test('prints the report, and writes nothing with --dry-run', async () => {
  const out = join(folder, 'dry')
  const printed = await run(write('helper.yml', dify), { dryRun: true, out })
  expect(printed).toContain('# Import of Helper from Dify (agent-chat, version 0.1)')
  expect(printed).toContain('| tool | search | main/assistant |')
  expect(existsSync(out)).toBe(false)
})

test.each([
  [false, 'bot.json'],
  [true, 'bot.yaml'],
])(
  'writes a document that can be deployed, and the report (yaml: %s)',
  async (yaml, name) => {
    const out = join(folder, name)
    const path = write('helper.yml', dify)
    const printed = await run(path, { out, yaml })
    expect(printed).toContain('1 parts carried, 0 with a difference, 1 not carried.')
    const { document } = readDocument(join(out, name))
    expect(document.flows?.main?.nodes).toMatchObject({ assistant: { type: 'agent' } })
    expect(readFileSync(join(out, 'import-report.md'), 'utf8')).toContain(
      '## Not carried',
    )
    await expect(run(path, { out, yaml })).rejects.toThrow('exists already')
    await run(path, { out, yaml, force: true })
  },
)

test('prints the report as JSON', async () => {
  const printed = await run(write('helper.yml', dify), { dryRun: true, json: true })
  expect(JSON.parse(printed)).toMatchObject({
    name: 'Helper',
    counts: { carried: 1, omitted: 1 },
  })
})

test('names file, line and column of a mistake', async () => {
  const path = write('broken.yml', 'kind: app\napp: [')
  await expect(run(path, { dryRun: true })).rejects.toThrow(
    /broken\.yml:2:\d+: The file is not valid YAML/,
  )
  await expect(run(join(folder, 'none.json'), {})).rejects.toThrow('does not exist')
})
