// Clones this repository as a stranger does, and measures what they wait for (first-answer.js): on this
// machine, and on a bare Debian that has only Node and git, with the oldest version of Node that can run
// it and with the newest one with long-term support. The bare machines need root and mmdebstrap. With
// --tests, also measures `npm test` on them, which takes long. Fails if a time is over its aim, multiplied
// by the slowdown of this machine. The last line counts the checks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, finish, leaveOut } from './machines/checks.js'
import { commandInside, createDebian, run } from './machines/debian.js'
import { installNewestNode, installNode } from './node-versions.js'
import { inTime, slowdownSince, timeLoop } from './tests/machine-speed.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const measure = ['node', 'scripts/first-answer.js']
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Such as `20.19`. */
const oldest = engines.node.replace('>=', '')
/** For `npm test` with what it installs, on two idle cores. */
const maxTestSeconds = 480

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
  await tryNode(machine, 'the oldest Node', await installNode(folder, oldest))
  await tryNode(machine, 'the newest Node', await installNewestNode(folder))
}

async function tryNode(machine, name, node) {
  if (!node)
    return leaveOut(`a bare machine with ${name}, because npm has none for this system`)
  cpSync(join(node.folder, 'node'), join(machine, 'usr/local/bin/node'))
  await tryInside(machine, node.version)
}

/** The download of packages is not measured. */
async function copyCache(machine) {
  const cache = join(homedir(), '.npm/_cacache')
  if (!existsSync(cache)) return
  mkdirSync(join(machine, 'root/.npm'))
  await run('cp', ['-a', cache, join(machine, 'root/.npm/_cacache')])
}

async function tryInside(machine, version) {
  const inside = (command) => commandInside(machine, command, { cwd: '/root/botstead' })
  const clone = join(machine, 'root/botstead')
  rmSync(clone, { recursive: true, force: true })
  await check(`a bare machine with Node ${version}`, () =>
    runInClone(clone, inside(measure.join(' '))),
  )
  if (process.argv.includes('--tests'))
    await check(`npm test on a bare machine with Node ${version}`, () =>
      runTests(inside('npm test')),
    )
}

/** Returns the measured time as text. */
async function runTests(command) {
  const before = timeLoop()
  const start = Date.now()
  await succeed(command)
  const seconds = (Date.now() - start) / 1000
  return inTime('npm test', seconds, maxTestSeconds, slowdownSince(before))
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
