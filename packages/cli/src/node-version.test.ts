import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const require = createRequire(import.meta.url)
const { complaintAbout } = require('../bin/node-version.js') as {
  complaintAbout: (version: string) => string | null
}
const bin = fileURLToPath(new URL('../bin/botstead.js', import.meta.url))

test.each(['20.19.0', '20.20.2', '21.0.0', '22.12.0', '26.10.0'])(
  'accepts Node %s',
  (version) => {
    expect(complaintAbout(version)).toBeNull()
  },
)

test.each(['20.18.3', '20.9.0', '18.20.8', '12.22.12', '8.17.0'])(
  'rejects Node %s',
  (version) => {
    expect(complaintAbout(version)).toContain(
      `Node 20.19 or newer is required, and this is Node ${version}`,
    )
  },
)

test('prints one line and fails on an old version of Node', () => {
  const pretend = `data:text/javascript,${encodeURIComponent(
    'Object.defineProperty(process.versions, "node", { value: "18.20.8" })',
  )}`
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--import', pretend, bin, '--version'],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^botstead: Node 20\.19 or newer is required, and this is Node 18\.20\.8\. [^\n]*\n$/,
  )
})
