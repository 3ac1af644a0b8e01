// A Docker engine with Docker Compose, and the images that our files name. Where none responds, root starts
// one with Debian's `dockerd`. Where no registry has an image, one of Debian's programs stands for it.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from './checks.js'
import { start } from './container.js'
import { createDebian, run } from './debian.js'

const standIns = fileURLToPath(new URL('stand-ins', import.meta.url))
const base = 'botstead-stand-in'
const plugin = 'usr/libexec/docker/cli-plugins/docker-compose'
const answers = (...command) => spawnSync('docker', command).status === 0

/** Whether an engine responds, or can be started. */
export const hasEngine = () =>
  answers('info') ||
  (process.getuid() === 0 && !spawnSync('dockerd', ['--version']).error)

/**
 * Makes `docker` and `docker compose` work in this process and its children. Returns a function that ends
 * what it started.
 */
export async function openEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-engine-'))
  const engine = answers('info') ? null : startEngine(folder)
  const end = async () => {
    await engine?.end()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (engine)
      await until('the Docker engine responds', () => run('docker', ['info']), engine)
    if (!answers('compose', 'version')) await installCompose(folder)
  } catch (error) {
    await end()
    throw error
  }
  // So that Docker Compose uses what `docker build` built.
  if (!answers('buildx', 'version')) process.env.DOCKER_BUILDKIT = '0'
  return end
}

function startEngine(folder) {
  const at = (name) => join(folder, name)
  process.env.DOCKER_HOST = `unix://${at('socket')}`
  return start([
    'dockerd',
    '--host',
    process.env.DOCKER_HOST,
    '--data-root',
    at('data'),
    '--exec-root',
    at('exec'),
    '--pidfile',
    at('pid'),
  ])
}

/** The newer Debian has it, as one program. */
async function installCompose(folder) {
  const root = join(folder, 'compose')
  await run('mmdebstrap', [
    '--quiet',
    '--variant=extract',
    '--include=docker-compose',
    'trixie',
    root,
  ])
  process.env.DOCKER_CONFIG = join(folder, 'config')
  mkdirSync(join(process.env.DOCKER_CONFIG, 'cli-plugins'), { recursive: true })
  cpSync(
    join(root, plugin),
    join(process.env.DOCKER_CONFIG, 'cli-plugins', basename(plugin)),
  )
  rmSync(root, { recursive: true })
}

/** Gets the images, and returns the names of those that stand-ins replace. */
export async function provideImages(names) {
  const replaced = names.filter(
    (name) => !answers('image', 'inspect', name) && !answers('pull', '--quiet', name),
  )
  if (replaced.length > 0) await importDebian()
  for (const name of replaced) {
    const program = basename(name).split(':')[0]
    if (program === 'node') await run('docker', ['tag', base, name])
    else await run('docker', ['build', '--tag', name, '--target', program, standIns])
  }
  return replaced
}

/** Imports a Debian with Node, and with this machine's settings of npm. */
async function importDebian() {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-debian-'))
  try {
    const root = join(folder, 'root')
    await createDebian(root, ['ca-certificates'])
    const npmrc = join(homedir(), '.npmrc')
    if (existsSync(npmrc)) cpSync(npmrc, join(root, 'root/.npmrc'))
    const changes = []
    if (process.env.NODE_EXTRA_CA_CERTS) {
      writeFileSync(
        join(root, 'etc/certificates.pem'),
        readFileSync(process.env.NODE_EXTRA_CA_CERTS),
      )
      changes.push('--change', 'ENV NODE_EXTRA_CA_CERTS=/etc/certificates.pem')
    }
    const archive = join(folder, 'root.tar')
    execFileSync('tar', ['--create', '--file', archive, '--directory', root, '.'])
    await run('docker', ['import', ...changes, archive, base])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
