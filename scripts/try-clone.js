// Clones this repository as a stranger does, and measures what they wait for (first-answer.js): on this
// machine, and on a bare Debian that has only Node and git, with this version of Node and with the newest one
// with long-term support. The bare machines need root and mmdebstrap. With --tests, also runs `npm test` on
// them, which takes long. The last line counts the checks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, finish, leaveOut } from './machines/checks.js'
import { commandInside, createDebian, run } from './machines/debian.js'
import { installNewestNode } from './newest-node.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const measure = ['node', 'scripts/first-answer.js']
const folder = mkdtempSync(join(tmpdir(), 'botstead-clone-'))
try {
  await check('a clone on this machine', () => runInClone(join(folder, 'clone'), measure))
  const missing = findMissing()
  if (missing) leaveOut(`bare machines, ${missing}`)
  else await tryBareMachines()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
finish()

function findMissing() {
  if (process.getuid?.() !== 0) return 'which only root can make'
  if (!existsSync('/usr/bin/mmdebstrap')) return 'because mmdebstrap is not installed'
  return null
}

async function tryBareMachines() {
  const machine = join(folder, 'machine')
  await check('a root file system of Debian', () =>
    createDebian(machine, ['git', 'ca-certificates']),
  )
  await copyCache(machine)
  await check(`a bare machine with Node ${process.versions.node}`, () => tryInside(machine))
  const newest = await installNewestNode(folder)
  if (!newest)
    return leaveOut('a bare machine with the newest Node, because npm has none for this system')
  cpSync(join(newest.folder, 'node'), join(machine, 'usr/local/bin/node'))
  await check(`a bare machine with Node ${newest.version}`, () => tryInside(machine))
}

/** The download of packages is not measured. */
async function copyCache(machine) {
  const cache = join(homedir(), '.npm/_cacache')
  if (!existsSync(cache)) return
  mkdirSync(join(machine, 'root/.npm'))
  await run('cp', ['-a', cache, join(machine, 'root/.npm/_cacache')])
}

async function tryInside(machine) {
  const inside = (command) => commandInside(machine, command, { cwd: '/root/botstead' })
  const clone = join(machine, 'root/botstead')
  rmSync(clone, { recursive: true, force: true })
  await runInClone(clone, inside(measure.join(' ')))
  if (process.argv.includes('--tests')) await succeed(inside('npm test'))
}

async function runInClone(clone, command) {
  await run('git', ['clone', '--quiet', root, clone])
  await succeed(command, clone)
}

/** Runs a program with its output in ours. Throws if it fails. */
async function succeed([program, ...args], cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ended with code ${code}`)
}
