import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const program = `
  import { runCode } from ${JSON.stringify(new URL('../../dist/code/code.js', import.meta.url).href)}
  const event = {
    botId: 'b',
    id: 'e',
    direction: 'incoming',
    type: 't',
    payload: {},
    preview: '',
    createdOn: new Date(0),
    state: { session: {}, context: {} },
  }
  const scopes = { workflow: {}, conversation: {}, user: {}, bot: {}, session: {}, turn: {}, env: {} }
  const floating = 'void (async () => { await null; throw new Error("floating") })()'
  const code = \`\${floating}; await new Promise((go) => setTimeout(go, 20)); return 1\`
  console.log(await runCode({ code, file: 'f' }, { event, scopes }, 10_000))
  void Promise.reject(new Error('ours'))
  setTimeout(() => console.log('not here'), 1_000)
`

test('survives unhandled rejections of code, but not those of the engine', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program],
    {
      encoding: 'utf8',
    },
  )
  expect(stdout).toBe('1\n')
  expect(stderr).toContain(
    'A promise that the code does not await was rejected: floating',
  )
  expect(stderr).toContain('Error: ours')
  expect(status).not.toBe(0)
})
