// Runs the upgrade of docs/reliability-lab.md as it says: installs a package with an older number, and
// upgrades its servers under load. The older version has the code of this clone; scripts/try-upgrade.js
// upgrades from a released one.
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { readBlocks, repository } from '../../../test/support/documents.ts'
import { findProgram } from '../../../test/support/reverse-proxies.ts'

const run = promisify(execFile)
const older = '0.1.9'
const folder = mkdtempSync(join(tmpdir(), 'botstead-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const block = readBlocks('docs/reliability-lab.md').find(({ text }) =>
  text.includes('--from'),
)!
const { version } = JSON.parse(
  readFileSync(`${repository}packages/server/package.json`, 'utf8'),
)

test('the documented upgrade keeps every promise', { timeout: 400_000 }, async ({
  skip,
}) => {
  const missing = await findMissing()
  if (missing) skip(missing)
  const clone = join(folder, 'clone')
  mkdirSync(clone)
  await packOlder(clone)
  const commands = block.text
    .replace('botstead-0.2.0.tgz', `botstead-${older}.tgz`)
    .replace('npm run lab --', `node "$CLONE/bench/dist/lab/main.js"`)
    .replace('rolling', 'rolling --seed 1 --minutes 0.8')
  // The result of a broken promise is printed, too.
  const { stdout, stderr } = await run('bash', ['-euc', commands], {
    cwd: clone,
    env: {
      ...process.env,
      CLONE: repository,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
  }).catch((error: { stdout: string; stderr: string }) => error)
  const result = stdout.trim().split('\n').at(-1)!
  expect(result, stderr).toMatch(/^{/)
  expect(JSON.parse(result)).toMatchObject({
    isKept: true,
    notUpgraded: 0,
    versionsBefore: [older, older],
    versionsAfter: [version, version],
  })
})

/** Writes the package of this clone with an older number, as a release would have it. */
async function packOlder(target: string) {
  await run('node', ['scripts/pack.js'], { cwd: repository })
  await run('tar', ['-xzf', join(repository, `botstead-${version}.tgz`), '-C', folder])
  const names = ['client', 'contract', 'flows', 'server'].map((one) => `packages/${one}/`)
  for (const file of [
    'npm-shrinkwrap.json',
    ...['', ...names].map((one) => `${one}package.json`),
  ]) {
    const path = join(folder, 'package', file)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(`"${version}"`, `"${older}"`),
    )
  }
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target]
  await run('npm', args, { cwd: join(folder, 'package') })
}

/** Returns the reason why the test cannot run, or null. */
async function findMissing(): Promise<string | null> {
  if (!existsSync('/usr/lib/postgresql')) return 'needs PostgreSQL of Debian'
  if (!findProgram('haproxy')) return 'needs HAProxy of Debian'
  const isReachable = await run('npm', ['ping', '--fetch-retries=0']).then(
    () => true,
    () => false,
  )
  return isReachable ? null : 'needs the registry of npm'
}
