// Upgrades two servers of the newest released version under load (docs/reliability-lab.md), beginning with
// that version's data. Takes the version from the history of this clone, and builds it in a temporary folder.
// The exit code is that of the lab: 2 if something is missing here.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const migrations = 'packages/server/src/core/db/migrations'
const released = JSON.parse(readFileSync(join(root, migrations, 'released.json'), 'utf8'))
const [version, lastMigration] = Object.entries(released).at(-1)

const git = (...args) =>
  execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

const commit = findCommit()
if (commit) process.exitCode = upgrade()
else {
  console.log(`The history of this clone has no version ${version}`)
  process.exitCode = 2
}

/** Without the version's tag, its commit is the one before its successor's first migration. */
function findCommit() {
  try {
    return git('rev-parse', '--verify', `v${version}^{commit}`).trim()
  } catch {
    const added = [
      '--reverse',
      '--topo-order',
      '--diff-filter=A',
      '--name-only',
      '--format=> %H',
    ]
    const commits = git('log', ...added, '--', '*/db/migrations/*.sql').split('> ')
    const next = commits.find((text) =>
      [...text.matchAll(/(\d{4})_[^/\n]*\.sql$/gm)].some(
        ([, number]) => number > lastMigration,
      ),
    )
    return next && findParent(next.slice(0, 40))
  }
}

/** The oldest commit of a shallow clone adds all files, and has no parent. */
function findParent(commit) {
  try {
    return git('rev-parse', '--verify', `${commit}^`).trim()
  } catch {
    return null
  }
}

function upgrade() {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-released-'))
  try {
    console.log(`building ${version} from ${commit}`)
    execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, folder], {
      cwd: root,
    })
    /** @type {import('node:child_process').ExecFileSyncOptions} */
    const options = { cwd: folder, stdio: 'inherit' }
    // The lock file of 0.1.0 is incomplete, so that `npm ci` fails.
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
    execFileSync('npm', ['install', ...quiet], options)
    execFileSync('npm', ['run', '--silent', 'build'], options)
    return lab(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function lab(folder) {
  const data = join(root, 'packages/server/test/versions', version)
  const args = ['rolling', '--seed', '1', '--minutes', '1', '--from', folder]
  const recorded = existsSync(data) ? ['--data', data] : []
  const program = join(root, 'bench/dist/lab/main.js')
  return (
    spawnSync('node', [program, ...args, ...recorded], { stdio: 'inherit' }).status ?? 1
  )
}
